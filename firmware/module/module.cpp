#include "firmware/module/module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "firmware/collectives/algorithm.h"

namespace podsim::firmware {

std::uint64_t TensorShape::elements() const {
  std::uint64_t product = 1;
  for (const std::uint64_t dim : dims) product *= dim;
  return product;
}

std::string to_string(const TensorShape& shape) {
  return fmt::format("{}[{}]", type_name(shape.type), fmt::join(shape.dims, ", "));
}

namespace {

struct NameOf {
  std::string operator()(const Parameter&) const { return "parameter"; }
  std::string operator()(const KernelCall& call) const { return std::string(kernel_name(call.kind)); }
  std::string operator()(const CollectiveCall& call) const { return std::string(collective_name(call.kind)); }
  std::string operator()(const Concat&) const { return "concat"; }
  std::string operator()(const HostTransfer& copy) const { return copy.out ? "host_out" : "host_in"; }
};

}  // namespace

std::string work_name(const Work& work) { return std::visit(NameOf{}, work); }

double flops_of(const Instruction& instruction) {
  const auto* const kernel = std::get_if<KernelCall>(&instruction.work);
  return kernel == nullptr ? 0 : flops_of(*kernel);
}

double flops_of(const Module& module) {
  double flops = 0;
  for (const Instruction& each : module.instructions) flops += flops_of(each);
  return flops;
}

}  // namespace podsim::firmware
