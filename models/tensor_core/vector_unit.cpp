#include "models/tensor_core/vector_unit.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "models/tensor_core/command_check.h"
#include "models/tensor_core/elementwise.h"
#include "models/tensor_core/row_math.h"

namespace podsim::tensor_core {

namespace {
std::span<std::byte> data_of(tlm::tlm_generic_payload& payload) {
  return {reinterpret_cast<std::byte*>(payload.get_data_ptr()), payload.get_data_length()};
}
}  // namespace

VectorUnit::VectorUnit(const TensorCoreConfig& config, MemoryPort& memory, TensorCoreStatistics& statistics)
    : burst_bytes_(config.vector_burst.bytes),
      clock_(config.clock),
      elements_per_cycle_(std::uint64_t{config.vpu_lanes} * config.vpu_sublanes * config.vpu_alus),
      alus_(config.vpu_alus),
      // f8 is widened to f32, as bf16 is where there is no bf16 arithmetic.
      rates_{config.vpu_f32_rate, config.vpu_bf16_rate, config.vpu_s32_rate, config.vpu_s8_rate, config.vpu_f32_rate},
      memory_(memory),
      statistics_(statistics),
      buffers_(std::size_t{config.outstanding_bursts} + 1),
      visible_at_(config.outstanding_bursts) {}

VectorUnit::Granule VectorUnit::granule_of(const Command& command) const {
  const Bytes element = size_of(command.type);
  const Bytes result = size_of(result_type(command));
  if (!works_on_rows(command.opcode)) {
    const bool fill = command.opcode == Opcode::kFill;
    return {1, fill ? 0 : element, fill || command.opcode == Opcode::kConvert ? 0 : element, result};
  }
  const Bytes number = size_of(sum_type(command.type));
  return {command.n, command.n * element, command.b == kNoOperand ? 0 : number,
          reduces_rows(command.opcode) ? number : command.n * result};
}

std::uint64_t VectorUnit::granules_of(std::uint64_t burst) const {
  return std::min(per_burst_, granules_ - burst * per_burst_);
}

Picoseconds VectorUnit::arithmetic_time(std::uint64_t granules) const {
  const Rate rate = rates_[static_cast<std::size_t>(command_.type)];
  const std::uint64_t per_cycle = elements_per_cycle_ * rate.numerator;
  const std::uint64_t operations = granules * granule_.elements * operations_ * rate.denominator;
  return clock_.time_for((operations + per_cycle - 1) / per_cycle);
}

Progress VectorUnit::begin(const Command& command, Picoseconds now) {
  command_ = command;
  granule_ = granule_of(command);
  granules_ = works_on_rows(command.opcode) ? command.m : command.count;
  // A subtraction and a product, and a pass through the transcendental unit, which has one ALU's worth of lanes.
  operations_ = command.opcode == Opcode::kRowExp ? 2 + alus_ : 1;
  const Bytes widest = std::max({granule_.a, granule_.destination, Bytes{1}});
  per_burst_ = std::max<std::uint64_t>(1, burst_bytes_ / widest);
  bursts_ = (granules_ + per_burst_ - 1) / per_burst_;
  current_ = 0;
  full_burst_time_ = arithmetic_time(per_burst_);
  free_at_ = last_visible_ = now;
  std::fill(visible_at_.begin(), visible_at_.end(), now);
  if (bursts_ == 0) return {Progress::State::kFinished, now};
  for (std::uint64_t burst = 0; burst < std::min<std::uint64_t>(bursts_, buffers_.size()); ++burst) {
    if (!fetch(burst, now)) return fail();
  }
  const Picoseconds start = start_of_current(now);
  if (bursts_ == 1) return compute_current(start, now);
  return {Progress::State::kGoOn, start};
}

bool VectorUnit::fetch(std::uint64_t burst, Picoseconds now) {
  Buffer& buffer = buffer_of(burst);
  buffer = Buffer{nullptr, nullptr, now, now};
  for (const bool first : {true, false}) {
    const Bytes each = first ? granule_.a : granule_.b;
    const Bytes bytes = granules_of(burst) * each;
    if (bytes == 0) continue;
    tlm::tlm_generic_payload*& operand = first ? buffer.a : buffer.b;
    operand = memory_.read((first ? command_.a : command_.b) + burst * per_burst_ * each, bytes, now);
    if (operand == nullptr) return false;
    const kernel::Burst& stream = *kernel::burst_of(*operand);
    buffer.first_byte = std::max(buffer.first_byte, stream.first_byte);
    buffer.last_byte = std::max(buffer.last_byte, stream.last_byte);
    statistics_.bytes_read += bytes;
  }
  return true;
}

Picoseconds VectorUnit::start_of_current(Picoseconds now) {
  const Picoseconds output_free = visible_at_[current_ % visible_at_.size()];
  return std::max({now, buffer_of(current_).first_byte, free_at_, output_free});
}

Progress VectorUnit::step(Picoseconds now) { return compute_current(now, now); }

Progress VectorUnit::compute_current(Picoseconds start, Picoseconds now) {
  Buffer& buffer = buffer_of(current_);
  const std::uint64_t granules = granules_of(current_);
  const Bytes bytes = granules * granule_.destination;
  const Picoseconds arithmetic = granules == per_burst_ ? full_burst_time_ : arithmetic_time(granules);
  free_at_ = std::max(start + arithmetic, buffer.last_byte);

  // The payload that brought `a` carries a result of the same type back: no third buffer, no copy.
  const bool in_place = works_in_place();
  tlm::tlm_generic_payload& result = in_place ? *buffer.a : memory_.blank(bytes);
  if (memory_.with_data()) compute(result, buffer);
  if (!in_place && buffer.a != nullptr) buffer.a->release();
  if (buffer.b != nullptr) buffer.b->release();
  buffer.a = buffer.b = nullptr;
  const std::optional<Picoseconds> visible =
      memory_.write(result, command_.destination + current_ * per_burst_ * granule_.destination, start, free_at_, now);
  if (!visible) return fail();

  visible_at_[current_ % visible_at_.size()] = *visible;
  last_visible_ = std::max(last_visible_, *visible);
  const std::uint64_t elements = granules * granule_.elements;
  statistics_.vpu_busy += arithmetic;
  statistics_.elements += elements;
  const bool moves = command_.opcode == Opcode::kFill || command_.opcode == Opcode::kConvert;
  statistics_.flops += moves ? 0 : elements;
  statistics_.bytes_written += bytes;

  // Burst n-1 is computed by now, so burst n+D takes its buffer.
  const std::uint64_t refill = current_ + buffers_.size() - 1;
  if (current_ > 0 && refill < bursts_ && !fetch(refill, now)) return fail();
  if (++current_ == bursts_) return {Progress::State::kFinished, last_visible_};
  return {Progress::State::kGoOn, start_of_current(now)};
}

bool VectorUnit::works_in_place() const {
  switch (command_.opcode) {
    case Opcode::kAdd:
    case Opcode::kMultiply:
    case Opcode::kMax:
    case Opcode::kMin: return true;
    default: return false;
  }
}

void VectorUnit::compute(tlm::tlm_generic_payload& result, const Buffer& buffer) const {
  const auto operand = [](tlm::tlm_generic_payload* payload) {
    return payload != nullptr ? data_of(*payload) : std::span<std::byte>{};
  };
  const std::span<std::byte> to = data_of(result);
  if (works_in_place()) {
    combine(command_.opcode, command_.type, to, data_of(*buffer.b));
  } else if (command_.opcode == Opcode::kFill) {
    fill(command_.type, to, command_.a);
  } else if (command_.opcode == Opcode::kConvert) {
    convert(command_.type, operand(buffer.a), result_type(command_), to);
  } else if (reduces_rows(command_.opcode)) {
    reduce_rows(command_.opcode, command_.type, command_.n, operand(buffer.a), operand(buffer.b), to);
  } else {
    combine_rows(command_.opcode, command_.type, command_.n, operand(buffer.a), operand(buffer.b), command_.scale,
                 result_type(command_), to);
  }
}

Progress VectorUnit::fail() {
  for (Buffer& buffer : buffers_) {
    if (buffer.a != nullptr) buffer.a->release();
    if (buffer.b != nullptr) buffer.b->release();
    buffer = Buffer{};
  }
  return {Progress::State::kFailed, 0};
}

}  // namespace podsim::tensor_core
