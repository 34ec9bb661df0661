#include "models/tensor_core/matrix_unit.h"

#include <algorithm>
#include <span>

#include "models/tensor_core/elementwise.h"
#include "models/tensor_core/matmul.h"

namespace podsim::tensor_core {

namespace {

// value * numerator / denominator, rounded down, without overflow on the way.
Picoseconds part_of(Picoseconds value, std::uint64_t numerator, std::uint64_t denominator) {
  return static_cast<Picoseconds>(static_cast<Wide>(value) * numerator / denominator);
}

Rate rate_of(const TensorCoreConfig& config, DType type) {
  switch (type) {
    case DType::kF32: return config.mxu_f32_rate;
    case DType::kS8: return config.mxu_s8_rate;
    case DType::kF8: return config.mxu_f8_rate;
    default: return config.mxu_bf16_rate;
  }
}

}  // namespace

MatrixArrays::MatrixArrays(const TensorCoreConfig& core, MemoryPort& port, TensorCoreStatistics& counted)
    : config(core),
      array(core.mxu_rows, core.mxu_columns, core.mxu_count, core.mxu_weight_load, Dataflow::kWeightStationary,
            core.mxu_weight_rows),
      memory(port),
      statistics(counted) {}

Picoseconds MatrixArrays::time_for(std::uint64_t cycles, DType type) const {
  const Rate rate = rate_of(config, type);
  const Rate sustained = config.mxu_sustained;
  const std::uint64_t divisor = std::uint64_t{rate.numerator} * sustained.numerator;
  const Wide scaled = static_cast<Wide>(cycles) * rate.denominator * sustained.denominator;
  return config.clock.time_for(static_cast<std::uint64_t>((scaled + divisor - 1) / divisor));
}

MatrixArrays::Window MatrixArrays::reserve(const Command& command, Picoseconds start, Picoseconds last_read) {
  const SystolicArray::Timing cycles = array.timing(command.m, command.k, command.n);
  const Picoseconds duration = time_for(cycles.cycles, command.type);
  const Picoseconds drain = cycles.cycles > 0 ? time_for(array.drain_cycles(), command.type) : 0;
  Window window{start, 0};
  if (config.mxu_weight_load == WeightLoad::kSerial) {
    window.begin = std::max(start, drained);
  } else {
    const Picoseconds load = time_for(cycles.load, command.type);
    window.begin = std::max({start, registers_free, streamed - load});
  }
  window.end = std::max(window.begin + duration, last_read + drain);
  statistics.mxu_busy += std::max<Picoseconds>(0, window.begin + duration - std::max(window.begin, drained));
  statistics.flops += 2 * std::uint64_t{command.m} * command.k * command.n;
  // SCALE-Sim counts a product's cycles from 0 to the number of the last: one less than there are.
  streamed = std::max(streamed, window.end + time_for(1, command.type) - drain);
  registers_free = std::max(registers_free, streamed - time_for(cycles.last_fold, command.type));
  drained = std::max(drained, window.end);
  return window;
}

MatrixPass::MatrixPass(MatrixArrays& arrays)
    : arrays_(arrays), fetches_(arrays.config.outstanding_bursts), visible_at_(arrays.config.outstanding_bursts) {}

void MatrixPass::prepare(Operand& operand, Address address, Bytes bytes, std::uint64_t passes) {
  operand.address = address;
  operand.bytes = bytes;
  operand.passes = region_of(address) == Region::kVmem ? passes : 1;
  operand.requested = 0;
  operand.data.clear();
}

Progress MatrixPass::begin(const Command& command, Picoseconds now) {
  command_ = command;
  sizes_ = footprint_of(command);
  number_ = arrays_.begun++;
  stage_ = Stage::kReading;
  if (sizes_.destination == 0) return end({Progress::State::kFinished, now});
  const TensorCoreConfig& config = arrays_.config;
  const std::uint64_t columns_at_once = std::uint64_t{config.mxu_columns} * config.mxu_count;
  prepare(a_, command.a, sizes_.a, std::max<std::uint64_t>(1, (command.n + columns_at_once - 1) / columns_at_once));
  prepare(b_, command.b, sizes_.b, 1);
  issued_ = fetched_ = 0;
  start_ = last_read_ = last_visible_ = now;
  written_ = bursts_written_ = 0;
  std::fill(visible_at_.begin(), visible_at_.end(), now);
  while (!all_requested() && issued_ < fetches_.size()) {
    if (!fetch(now)) return fail();
  }
  return issued_ == 0 ? start_writing(now) : next_read(now);  // K may be zero: an empty sum
}

bool MatrixPass::fetch(Picoseconds now) {
  // The operand of which the smaller part has been requested.
  const bool a_is_behind = static_cast<Wide>(a_.requested) * b_.total() <= static_cast<Wide>(b_.requested) * a_.total();
  Operand& operand = a_.requested == a_.total() || (!a_is_behind && b_.requested < b_.total()) ? b_ : a_;
  const Bytes offset = operand.requested % operand.bytes;
  const Bytes bytes = std::min(arrays_.config.vector_burst.bytes, operand.bytes - offset);
  tlm::tlm_generic_payload* const payload = arrays_.memory.read(operand.address + offset, bytes, now);
  if (payload == nullptr) return false;
  const bool first = operand.requested == 0;
  operand.requested += bytes;
  arrays_.statistics.bytes_read += bytes;
  fetches_[issued_++ % fetches_.size()] = {payload, &operand};
  const kernel::Burst& stream = *kernel::burst_of(*payload);
  if (first) start_ = std::max(start_, stream.first_byte);
  last_read_ = std::max(last_read_, stream.last_byte);
  return true;
}

void MatrixPass::retire() {
  Fetch& oldest = fetches_[fetched_++ % fetches_.size()];
  if (arrays_.memory.with_data() && oldest.operand->data.size() < oldest.operand->bytes) {
    // Bursts of an operand arrive in order, and the first pass has all of it. Its buffer grows with what has really
    // come: sizes come from firmware.
    const auto* const bytes = reinterpret_cast<const std::byte*>(oldest.payload->get_data_ptr());
    oldest.operand->data.insert(oldest.operand->data.end(), bytes, bytes + oldest.payload->get_data_length());
  }
  oldest.payload->release();
  oldest.payload = nullptr;
}

Progress MatrixPass::next_read(Picoseconds now) const {
  const Fetch& oldest = fetches_[fetched_ % fetches_.size()];
  return {Progress::State::kGoOn, std::max(now, kernel::burst_of(*oldest.payload)->last_byte)};
}

Progress MatrixPass::step(Picoseconds now) {
  if (stage_ == Stage::kWriting) return bursts_written_ == 0 ? first_write(now) : write_burst(now);
  retire();
  if (!all_requested() && !fetch(now)) return fail();
  return fetched_ < issued_ ? next_read(now) : start_writing(now);
}

Progress MatrixPass::start_writing(Picoseconds now) {
  stage_ = Stage::kWriting;
  const MatrixArrays::Window window = arrays_.reserve(command_, start_, last_read_);
  if (arrays_.memory.with_data()) {
    result_.resize(sizes_.destination);
    multiply(command_.type, command_.m, command_.k, command_.n, a_.data, b_.data, result_, command_.transpose_b);
  }

  // Folds run stripe by stripe. A stripe's results leave during its last fold over K.
  const TensorCoreConfig& config = arrays_.config;
  const std::uint64_t folds_down = std::max<std::uint64_t>(1, (command_.k + config.mxu_rows - 1) / config.mxu_rows);
  const std::uint64_t stripes = (command_.n + config.mxu_columns - 1) / config.mxu_columns;
  const Picoseconds duration =
      arrays_.time_for(arrays_.array.cycles(command_.m, command_.k, command_.n), command_.type);
  const Picoseconds fill = std::min(arrays_.time_for(arrays_.array.fill_cycles(), command_.type), duration);
  const Picoseconds first = window.begin + fill + part_of(duration - fill, folds_down - 1, folds_down * stripes);
  last_result_ = window.end;
  first_result_ = std::min(std::max({now, last_read_, first}), std::max(now, last_result_));
  return first_write(now);
}

// Results are written in the order of the products: the next one's may be added to this one's.
Progress MatrixPass::first_write(Picoseconds now) {
  if (arrays_.written < number_) return {Progress::State::kBlocked, now};
  if (now < first_result_) return next_write(now);
  return write_burst(now);
}

Picoseconds MatrixPass::result_time(Bytes offset) const {
  return first_result_ + part_of(last_result_ - first_result_, offset, sizes_.destination);
}

Progress MatrixPass::next_write(Picoseconds now) const {
  const Picoseconds output_free = visible_at_[bursts_written_ % visible_at_.size()];
  return {Progress::State::kGoOn, std::max({now, result_time(written_), output_free})};
}

Progress MatrixPass::write_burst(Picoseconds now) {
  const Bytes bytes = std::min(arrays_.config.vector_burst.bytes, sizes_.destination - written_);
  MemoryPort& memory = arrays_.memory;
  const Address address = command_.destination + written_;
  const Picoseconds last = std::max(now, result_time(written_ + bytes));
  Picoseconds first_byte = now;
  Picoseconds last_byte = last;
  tlm::tlm_generic_payload* payload = nullptr;
  if (command_.accumulate) {
    payload = memory.read(address, bytes, now);
    if (payload == nullptr) return fail();
    arrays_.statistics.bytes_read += bytes;
    first_byte = std::max(now, kernel::burst_of(*payload)->first_byte);
    last_byte = std::max(last, kernel::burst_of(*payload)->last_byte);
  } else {
    payload = &memory.blank(bytes);
  }
  if (memory.with_data()) {
    const std::span<std::byte> to{reinterpret_cast<std::byte*>(payload->get_data_ptr()), bytes};
    const std::span<const std::byte> sums{result_.data() + written_, bytes};
    if (command_.accumulate) {
      combine(Opcode::kAdd, sum_type(command_.type), to, sums);
    } else {
      std::copy(sums.begin(), sums.end(), to.begin());
    }
  }
  const std::optional<Picoseconds> visible = memory.write(*payload, address, first_byte, last_byte, now);
  if (!visible) return fail();
  written_ += bytes;
  arrays_.statistics.bytes_written += bytes;
  visible_at_[bursts_written_++ % visible_at_.size()] = *visible;
  last_visible_ = std::max(last_visible_, *visible);
  if (written_ == sizes_.destination) return end({Progress::State::kFinished, last_visible_});
  return next_write(now);
}

Progress MatrixPass::end(Progress progress) {
  // An empty product may end before the one ahead of it.
  arrays_.written = std::max(arrays_.written, number_ + 1);
  return progress;
}

Progress MatrixPass::fail() {
  for (Fetch& fetch : fetches_) {
    if (fetch.payload != nullptr) fetch.payload->release();
    fetch.payload = nullptr;
  }
  return end({Progress::State::kFailed, 0});
}

}  // namespace podsim::tensor_core
