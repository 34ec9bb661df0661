#include "firmware/module/executor.h"

#include <algorithm>

#include "firmware/collectives/collective.h"
#include "firmware/device/tile.h"
#include "firmware/kernels/kernel.h"

namespace podsim::firmware {

namespace {

std::uint64_t outer(const TensorShape& shape, unsigned dim) {
  std::uint64_t product = 1;
  for (unsigned i = 0; i < dim; ++i) product *= shape.dims[i];
  return product;
}

CollectiveKind kind_of(const Instruction& instruction) { return std::get<CollectiveCall>(instruction.work).kind; }

}  // namespace

// Collectives cut and join whole stretches of memory, which along an outermost dimension is what is wanted.
bool lays_out_before(const Instruction& instruction) {
  const CollectiveKind kind = kind_of(instruction);
  const bool cuts = kind == CollectiveKind::kReduceScatter || kind == CollectiveKind::kAllToAll;
  return cuts && outer(instruction.operands.front().shape, instruction.dim) > 1;
}

bool lays_out_after(const Instruction& instruction) {
  switch (kind_of(instruction)) {
    case CollectiveKind::kAllGather: return outer(instruction.result, instruction.dim) > 1;
    case CollectiveKind::kAllToAll: return outer(instruction.result, instruction.concat) > 1;
    default: return false;
  }
}

namespace {

// Numbers that are taken and given back: the lowest that is free, or a new one.
class Numbers {
 public:
  unsigned take() {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto number = static_cast<unsigned>(free - taken_.begin());
    if (free == taken_.end()) taken_.push_back(true);
    taken_[number] = true;
    return number;
  }
  void give_back(unsigned number) { taken_[number] = false; }
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(taken_.size()); }

 private:
  std::vector<bool> taken_;
};

// Barriers of collectives among the same chips.
struct Clique {
  const CollectiveCall* call;
  Numbers numbers{};
  std::vector<std::uint32_t> barriers{};  // by number
};

}  // namespace

Lanes lanes_of(const Module& module, const Order& order) {
  Lanes lanes;
  lanes.of.resize(module.instructions.size());
  lanes.barrier.resize(module.instructions.size());
  Numbers taken;
  std::vector<Clique> cliques;
  const auto clique_of = [&](const CollectiveCall& call) -> Clique& {
    const auto same = std::find_if(cliques.begin(), cliques.end(), [&](const Clique& each) {
      return each.call->axes == call.axes && each.call->pairs == call.pairs && each.call->groups == call.groups &&
             each.call->directions == call.directions;
    });
    return same != cliques.end() ? *same : cliques.emplace_back(Clique{&call});
  };
  std::vector<unsigned> number(module.instructions.size());  // in its clique
  for (const auto& [kind, i] : order) {
    const auto* call = std::get_if<CollectiveCall>(&module.instructions[i].work);
    if (call != nullptr && call->kind == CollectiveKind::kCollectivePermute) call = nullptr;  // does without a barrier
    if (kind == Slot::Kind::kStart) {
      lanes.of[i] = taken.take();
      if (call == nullptr) continue;
      Clique& clique = clique_of(*call);
      number[i] = clique.numbers.take();
      if (number[i] == clique.barriers.size()) clique.barriers.push_back(lanes.barriers++);
      lanes.barrier[i] = clique.barriers[number[i]];
    } else if (kind == Slot::Kind::kDone) {
      taken.give_back(lanes.of[i]);
      if (call != nullptr) clique_of(*call).numbers.give_back(number[i]);
    }
  }
  lanes.count = taken.count();
  return lanes;
}

namespace {

class Executor {
 public:
  Executor(Device& device, const Module& program, const Placement& where, const Lanes& lane_of, Execution& times)
      : chip(device), module(program), places(where), lanes(lane_of), record(times) {}

  Device& chip;
  const Module& module;
  const Placement& places;
  const Lanes& lanes;
  Execution& record;

  // The lane of kernels has as much memory as those of all transfers together, and an eighth of the semaphores.
  void split_scratch() const {
    std::vector<unsigned> memory(lanes.count + 1, 1), semaphores(lanes.count + 1, 7);
    memory[0] = semaphores[0] = std::max(1u, lanes.count);
    chip.allocate().split(memory, semaphores);
    chip.use_share(0);
  }

  [[nodiscard]] const Buffer& result(std::size_t instruction) const { return places[instruction].result; }

  [[nodiscard]] Buffer read(const Operand& operand) const {
    return result(operand.instruction).slice({operand.first, operand.first + operand.shape.elements()});
  }

  [[nodiscard]] Task run(std::size_t number) const {
    const Instruction& instruction = module.instructions[number];
    chip.allocate().reuse();
    std::vector<Buffer> operands;
    for (const Operand& operand : instruction.operands) operands.push_back(read(operand));
    return run_kernel(chip, std::get<KernelCall>(instruction.work), std::move(operands), result(number));
  }

  // Beside the program, from its start to its end.
  [[nodiscard]] Task transfer(std::size_t number) const {
    record.transfers[number].started = chip.now();
    chip.use_share(1 + lanes.of[number]);
    chip.allocate().reuse();
    const Instruction& instruction = module.instructions[number];
    if (std::holds_alternative<HostTransfer>(instruction.work)) {
      co_await host_copy(number);
    } else if (std::holds_alternative<Concat>(instruction.work)) {
      co_await concatenate(number);
    } else {
      co_await collective(number);
    }
    record.transfers[number].finished = chip.now();
  }

 private:
  [[nodiscard]] Task host_copy(std::size_t number) const {
    const Buffer from = read(module.instructions[number].operands.front());
    const DmaSemaphore done = chip.allocate().dma_semaphores("host copy", 1)[0];
    co_await chip.start_copy(from, result(number), done);
  }

  [[nodiscard]] Task concatenate(std::size_t number) const {
    const DmaSemaphore done = chip.allocate().dma_semaphores("concat", 1)[0];
    std::uint64_t at = 0;
    for (const Operand& operand : module.instructions[number].operands) {
      const Buffer from = read(operand);
      chip.start_copy(from, result(number).slice({at, at + from.elements}), done);
      at += from.elements;
    }
    co_await chip.wait(done, result(number).bytes());
  }

  [[nodiscard]] Task collective(std::size_t number) const {
    const Instruction& instruction = module.instructions[number];
    CollectiveCall call = std::get<CollectiveCall>(instruction.work);
    call.collective_id = lanes.barrier[number];
    const Place& place = places[number];
    Buffer in = read(instruction.operands.front());
    Buffer out = place.result;
    const DmaSemaphore moved = chip.allocate().dma_semaphores("layout", 1)[0];
    if (lays_out_before(instruction)) {
      co_await cut(in, instruction.operands.front().shape, instruction.dim, call, place.before, moved);
      in = place.before;
    }
    const bool joins = lays_out_after(instruction);
    if (joins) out = place.after;
    co_await run_collective(chip, call, in, out);
    const unsigned dim = call.kind == CollectiveKind::kAllToAll ? instruction.concat : instruction.dim;
    if (joins) co_await join(place.after, place.result, instruction.result, dim, call, moved);
  }

  // Pieces along `dim`, one behind the other.
  [[nodiscard]] Task cut(Buffer whole, const TensorShape& from, unsigned dim, const CollectiveCall& call, Buffer pieces,
                         DmaSemaphore moved) const {
    const Matrix matrix{whole, whole.elements / outer(from, dim)};
    const std::uint64_t parts = group_size(call, chip.torus());
    for (std::uint64_t i = 0; i < parts; ++i) {
      chip.start_copy(matrix.tile({0, matrix.rows()}, Range{0, matrix.columns}.part(i, parts)), pieces.shard(i, parts),
                      moved);
    }
    co_await chip.wait(moved, whole.bytes());
  }

  [[nodiscard]] Task join(Buffer pieces, Buffer whole, const TensorShape& to, unsigned dim, const CollectiveCall& call,
                          DmaSemaphore moved) const {
    const Matrix matrix{whole, whole.elements / outer(to, dim)};
    const std::uint64_t parts = group_size(call, chip.torus());
    for (std::uint64_t i = 0; i < parts; ++i) {
      chip.start_copy(pieces.shard(i, parts), matrix.tile({0, matrix.rows()}, Range{0, matrix.columns}.part(i, parts)),
                      moved);
    }
    co_await chip.wait(moved, whole.bytes());
  }
};

}  // namespace

Task execute(Device& chip, const Module& module, const Order& order, const Placement& places, const Lanes& lanes,
             Execution& record) {
  record.slots.resize(order.size());
  record.transfers.resize(module.instructions.size());
  const Executor executor(chip, module, places, lanes, record);
  executor.split_scratch();
  std::vector<Token> under_way(module.instructions.size());
  record.begin = chip.now();
  for (std::size_t at = 0; at < order.size(); ++at) {
    const std::size_t number = order[at].instruction;
    record.at = at;
    record.slots[at].begin = chip.now();
    if (module.instructions[number].executed_by(chip.id())) {
      Execution::Transfer& transfer = record.transfers[number];
      switch (order[at].kind) {
        case Slot::Kind::kRun: co_await executor.run(number); break;
        case Slot::Kind::kStart:
          transfer.issued = chip.now();
          under_way[number] = chip.spawn(executor.transfer(number));
          break;
        case Slot::Kind::kDone: {
          const Picoseconds since = chip.now();
          co_await under_way[number];
          transfer.waited = chip.now() - since;
          break;
        }
      }
    }
    record.slots[at].end = chip.now();
  }
  record.end = chip.now();
}

}  // namespace podsim::firmware
