// The price of the TensorCore: arithmetic on real data in bytes per second, and a vector burst's share of a simulation.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "models/memory/hbm.h"
#include "models/tensor_core/elementwise.h"
#include "models/tensor_core/matmul.h"
#include "models/tensor_core/tensor_core.h"
#include "tests/support/fresh_simulation.h"

namespace podsim::tensor_core {
namespace {

// Bytes of one operand per second.
void combining(benchmark::State& state) {
  const auto operation = static_cast<Opcode>(state.range(0));
  const auto type = static_cast<DType>(state.range(1));
  std::vector<std::byte> a(64 * kKiB, std::byte{0x12});
  const std::vector<std::byte> b(64 * kKiB, std::byte{0x01});
  for (auto _ : state) {
    combine(operation, type, a, b);
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * a.size()));
}
BENCHMARK(combining)->ArgNames({"operation", "type"})->ArgsProduct({{0, 1, 2}, {0, 1, 2, 3}});

void multiplying(benchmark::State& state) {
  const auto type = static_cast<DType>(state.range(0));
  constexpr std::uint32_t kSize = 256;
  const std::vector<std::byte> a(kSize * kSize * size_of(type), std::byte{1});
  std::vector<std::byte> result(kSize * kSize * 4);
  for (auto _ : state) multiply(type, kSize, kSize, kSize, a, a, result);
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * 2 * kSize * kSize * kSize);
}
BENCHMARK(multiplying)->ArgName("type")->Arg(0)->Arg(1)->Arg(3);

// Takes the place of the scalar core.
struct Commander : sc_core::sc_module, tlm::tlm_bw_transport_if<> {
  tlm::tlm_initiator_socket<64> socket{"socket"};
  explicit Commander(sc_core::sc_module_name name) : sc_module(name) { socket.bind(*this); }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&) override {
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}
};

// Additions in HBM on as many cores as given, in data mode `none`; items are bursts of 64 KiB.
void vector_bursts(benchmark::State& state) {
  testing::fresh_simulation();
  kernel::EventQueue queue("queue");
  kernel::PayloadPool pool;
  struct Chip {
    std::unique_ptr<Commander> commander;
    std::unique_ptr<memory::Hbm> hbm;
    std::unique_ptr<TensorCore> core;
  };
  std::vector<Chip> chips;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    const std::string number = std::to_string(i);
    Chip& chip = chips.emplace_back();
    chip.commander = std::make_unique<Commander>(("commander" + number).c_str());
    chip.hbm = std::make_unique<memory::Hbm>(("hbm" + number).c_str(), memory::HbmConfig{});
    chip.core = std::make_unique<TensorCore>(("core" + number).c_str(), queue, pool, TensorCoreConfig{}, false);
    chip.commander->socket.bind(chip.core->registers);
    chip.core->memory.bind(chip.hbm->socket);
  }
  constexpr std::uint64_t kBursts = 64;
  const auto words = Command{.a = 0, .b = 256 * kMiB, .destination = 512 * kMiB, .count = kBursts * 16 * 1024}.words();
  for (auto _ : state) {
    for (Chip& chip : chips) {
      auto& payload = pool.acquire(tlm::TLM_WRITE_COMMAND, kCommand, sizeof words, true);
      std::copy(words.begin(), words.end(), reinterpret_cast<std::uint64_t*>(payload.get_data_ptr()));
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
      chip.commander->socket->nb_transport_fw(payload, phase, delay);
      payload.release();
    }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_SEC), sc_core::SC_EXIT_ON_STARVATION);
  }
  if (chips[0].core->statistics().errors > 0) state.SkipWithError(chips[0].core->statistics().last_error.c_str());
  state.SetItemsProcessed(state.iterations() * state.range(0) * static_cast<std::int64_t>(kBursts));
}
BENCHMARK(vector_bursts)->ArgName("chips")->Arg(1)->Arg(256);

}  // namespace
}  // namespace podsim::tensor_core
