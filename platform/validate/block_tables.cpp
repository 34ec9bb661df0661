#include "platform/validate/block_tables.h"

#include <fmt/format.h>

#include <map>

#include "models/pcie/pcie_overhead.h"
#include "models/tensor_core/systolic_array.h"
#include "platform/validate/csv.h"

namespace podsim::validate {

Table systolic_table(const std::filesystem::path& folder) {
  using tensor_core::Dataflow;
  static const std::map<std::string, Dataflow> dataflows{
      {"ws", Dataflow::kWeightStationary}, {"os", Dataflow::kOutputStationary}, {"is", Dataflow::kInputStationary}};
  const Csv csv(folder / "systolic_gemm.csv");
  Table table{"systolic_gemm", "Cycles of GEMM M x K x N on a systolic array, weights loaded serially", {}, true};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const auto rows = static_cast<std::uint32_t>(csv.count(i, "R"));
    const auto columns = static_cast<std::uint32_t>(csv.count(i, "C"));
    const std::uint64_t m = csv.count(i, "M"), n = csv.count(i, "N"), k = csv.count(i, "K");
    const std::string& dataflow = csv.text(i, "dataflow");
    // Its own code's figure where there is one, else its formula.
    const char* const column = csv.text(i, "cycles_scalesim_code").empty() ? "cycles_formula" : "cycles_scalesim_code";
    const tensor_core::SystolicArray array(rows, columns, 1, tensor_core::WeightLoad::kSerial, dataflows.at(dataflow));
    Row row;
    row.reference = {.id = fmt::format("{}-{}x{}-{}x{}x{}", dataflow, rows, columns, m, k, n),
                     .what = fmt::format("{} on {} x {}, {} x {} x {}", dataflow, rows, columns, m, k, n),
                     .source = "SCALE-Sim v3",
                     .kind = Kind::kSimulator,
                     .unit = "cycles",
                     .expected = csv.number(i, column),
                     .tolerance = {0, true},
                     .fitted = {},
                     .explained = {}};
    row.model = static_cast<double>(array.cycles(m, k, n));
    table.rows.push_back(std::move(row));
  }
  return table;
}

namespace {

pcie::PcieConfig pcie_config(const Csv& csv, std::size_t row) {
  pcie::PcieConfig config;
  config.generation = static_cast<unsigned>(std::stoul(csv.text(row, "gen").substr(3)));
  config.lanes = static_cast<unsigned>(std::stoul(csv.text(row, "lanes").substr(1)));
  config.address_64_bit = csv.text(row, "addr") == "64";
  config.ecrc = csv.text(row, "ecrc") == "1";
  config.max_payload = {csv.count(row, "mps")};
  config.max_read_request = {csv.count(row, "mrrs")};
  config.read_completion_boundary = {csv.count(row, "rcb")};
  config.completions_cut_at_boundary = csv.text(row, "rcb_chunks") == "True";
  return config;
}

double gigabytes(Bandwidth bandwidth) { return static_cast<double>(bandwidth.bytes_per_second) / 1e9; }

}  // namespace

Table pcie_table(const std::filesystem::path& folder) {
  const Csv csv(folder / "pcie_bandwidth.csv");
  Table table{"pcie_bandwidth", "Data rate of a PCIe link, for writes, reads, and both at once", {}, true};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const pcie::PcieConfig config = pcie_config(csv, i);
    const pcie::PcieOverhead overhead(config);
    const Bytes size = csv.count(i, "size_B");
    const auto add = [&](const char* direction, const char* column, Bandwidth model) {
      Row row;
      row.reference = {
          .id = fmt::format("{}-{}-{}B-row{}", csv.text(i, "gen"), direction, size, i + 1),
          .what = fmt::format("{} {}, {} of {} B, MPS {}, MRRS {}", csv.text(i, "gen"), csv.text(i, "lanes"), direction,
                              size, csv.text(i, "mps"), csv.text(i, "mrrs")),
          .source = "pcie-model (Neugebauer et al., SIGCOMM 2018)",
          .kind = Kind::kSimulator,
          .unit = "GB/s",
          .expected = csv.number(i, column),
          .tolerance = {0.01, false},
          .fitted = {},
          .explained = {}};
      row.model = gigabytes(model);
      table.rows.push_back(std::move(row));
    };
    add("write", "write_GBps", overhead.write_bandwidth(size));
    add("read", "read_GBps", overhead.read_bandwidth(size));
    add("read+write", "rw_each_GBps", overhead.read_write_bandwidth_each(size));
  }
  return table;
}

}  // namespace podsim::validate
