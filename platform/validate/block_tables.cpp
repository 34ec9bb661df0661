#include "platform/validate/block_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "models/memory/hbm_trial.h"
#include "models/pcie/pcie_overhead.h"
#include "models/tensor_core/systolic_array.h"
#include "platform/config/hbm_reference.h"
#include "platform/validate/csv.h"

namespace podsim::validate {

OpenTable systolic_table(const std::filesystem::path& folder) {
  using tensor_core::Dataflow;
  static const std::map<std::string, Dataflow> dataflows{
      {"ws", Dataflow::kWeightStationary}, {"os", Dataflow::kOutputStationary}, {"is", Dataflow::kInputStationary}};
  const Csv csv(folder / "systolic_gemm.csv");
  OpenTable table{"systolic_gemm", "Cycles of GEMM M x K x N on a systolic array, weights loaded serially", {}, true};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const auto rows = static_cast<std::uint32_t>(csv.count(i, "R"));
    const auto columns = static_cast<std::uint32_t>(csv.count(i, "C"));
    const std::uint64_t m = csv.count(i, "M"), n = csv.count(i, "N"), k = csv.count(i, "K");
    const std::string& dataflow = csv.text(i, "dataflow");
    // Its own code's figure where there is one, else its formula.
    const char* const column = csv.text(i, "cycles_scalesim_code").empty() ? "cycles_formula" : "cycles_scalesim_code";
    const tensor_core::SystolicArray array(rows, columns, 1, tensor_core::WeightLoad::kSerial, dataflows.at(dataflow));
    OpenRow row;
    row.reference = {.id = fmt::format("{}-{}x{}-{}x{}x{}", dataflow, rows, columns, m, k, n),
                     .what = fmt::format("{} on {} x {}, {} x {} x {}", dataflow, rows, columns, m, k, n),
                     .source = "SCALE-Sim v3",
                     .kind = Kind::kSimulator,
                     .unit = "cycles",
                     .expected = csv.number(i, column),
                     .tolerance = {0, true},
                     .fitted = {},
                     .explained = {}};
    row.known = static_cast<double>(array.cycles(m, k, n));
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

OpenTable pcie_table(const std::filesystem::path& folder) {
  const Csv csv(folder / "pcie_bandwidth.csv");
  OpenTable table{"pcie_bandwidth", "Data rate of a PCIe link, for writes, reads, and both at once", {}, true};
  for (std::size_t i = 0; i < csv.rows(); ++i) {
    const pcie::PcieConfig config = pcie_config(csv, i);
    const pcie::PcieOverhead overhead(config);
    const Bytes size = csv.count(i, "size_B");
    const auto add = [&](const char* direction, const char* column, Bandwidth model) {
      OpenRow row;
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
      row.known = gigabytes(model);
      table.rows.push_back(std::move(row));
    };
    add("write", "write_GBps", overhead.write_bandwidth(size));
    add("read", "read_GBps", overhead.read_bandwidth(size));
    add("read+write", "rw_each_GBps", overhead.read_write_bandwidth_each(size));
  }
  return table;
}

namespace {

struct HbmRow {
  std::string config, pattern, source;
  Bytes chunk = 0;
  std::uint64_t requests = 0;
  double percent = 0;
};

std::vector<HbmRow> hbm_rows(const std::filesystem::path& folder) {
  std::vector<HbmRow> rows;
  const Csv bandwidth(folder / "hbm_bandwidth.csv");
  for (std::size_t i = 0; i < bandwidth.rows(); ++i) {
    const std::string& config = bandwidth.text(i, "config");
    rows.push_back({config, bandwidth.text(i, "pattern"), config.starts_with("DRAMsim3") ? "DRAMsim3" : "Ramulator 2.1",
                    bandwidth.count(i, "chunk_bytes"), bandwidth.count(i, "requests"),
                    bandwidth.number(i, "percent_of_peak")});
  }
  const Csv dramsys(folder / "hbm_dramsys.csv");
  for (std::size_t i = 0; i < dramsys.rows(); ++i) {
    rows.push_back({fmt::format("DRAMSys-{}-{}", dramsys.text(i, "mapping"), dramsys.text(i, "refresh")),
                    dramsys.text(i, "pattern"), "DRAMSys 5.1", dramsys.count(i, "req_bytes"),
                    dramsys.count(i, "requests"), dramsys.number(i, "pct_of_peak_channel")});
  }
  return rows;
}

// What is known of rows that are more than five points off.
std::string why_off(const HbmRow& row) {
  if (row.config == "DRAMsim3-HBM2pc-fine" && row.pattern.starts_with("copy")) {
    return "DRAMsim3 keeps reads and writes of a bank in one queue; the model has a queue for each direction";
  }
  if (row.config == "Ramulator2.1-HBM3-row-ab-q64" && row.pattern == "rnd") {
    return "which stack IDs the simulator used is not known, and how they limit each other not modelled";
  }
  if (row.config == "Ramulator2.1-HBM3-row-ab-q64" && row.pattern == "seqw") {
    return "not reconciled: bulk takes its rates from short runs, in which this mapping (of no shipped chip) does "
           "better";
  }
  return {};
}

// Long enough for eight refreshes at the least, and no longer than the reference's.
std::uint64_t requests_for(const HbmRow& row, const memory::HbmConfig& config) {
  const double seconds = 8 * 3.9e-6;
  const auto bytes = static_cast<Bytes>(static_cast<double>(config.bandwidth.bytes_per_second) * seconds);
  return std::min<std::uint64_t>(row.requests, bytes / std::max(row.chunk, config.access.bytes) + 1);
}

}  // namespace

OpenTable hbm_table(const std::filesystem::path& folder, const std::filesystem::path& root) {
  OpenTable table{
      "hbm", "Share of its peak bandwidth that an HBM reaches, in per cent, by pattern and address mapping", {}, true};
  for (const HbmRow& each : hbm_rows(folder)) {
    const auto config = config::hbm_reference(each.config, root);
    const auto pattern = memory::hbm_pattern(each.pattern);
    if (!config || !pattern) continue;  // mappings that can't be expressed: see hbm_reference.h
    for (const auto level : {memory::HbmLevel::kDetailed, memory::HbmLevel::kBulk}) {
      const bool detailed = level == memory::HbmLevel::kDetailed;
      const memory::HbmTrial trial{.config = *config,
                                   .pattern = *pattern,
                                   .chunk = each.chunk,
                                   .requests = requests_for(each, *config),
                                   .level = level};
      OpenRow row;
      row.reference = {
          .id = fmt::format("{}-{}-{}-{}", each.config, each.pattern, each.chunk, detailed ? "detailed" : "bulk"),
          .what = fmt::format("{}, chunks of {} B, {}", each.pattern, each.chunk, detailed ? "detailed" : "bulk"),
          .source = each.source,
          .kind = Kind::kSimulator,
          .unit = "% of peak",
          .expected = each.percent,
          // Bulk is held to five points of detailed, by a test.
          .tolerance = {detailed ? 5.0 : 10.0, true},
          .fitted = {},
          .explained = why_off(each)};
      row.simulations.push_back([trial] { return memory::percent_of_peak(trial); });
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace podsim::validate
