#include "models/tensor_core/vector_unit.h"

#include <algorithm>
#include <span>
#include <stdexcept>

#include "models/tensor_core/elementwise.h"

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
      rates_{config.vpu_f32_rate, config.vpu_bf16_rate, config.vpu_s32_rate, config.vpu_s8_rate},
      memory_(memory),
      statistics_(statistics),
      buffers_(std::size_t{config.outstanding_bursts} + 1),
      visible_at_(config.outstanding_bursts) {}

Bytes VectorUnit::bytes_of(std::uint64_t burst) const {
  return std::min(burst_bytes_, total_bytes_ - burst * burst_bytes_);
}

Picoseconds VectorUnit::arithmetic_time(Bytes bytes) const {
  const Rate rate = rates_[static_cast<std::size_t>(command_.type)];
  const std::uint64_t per_cycle = elements_per_cycle_ * rate.numerator;
  const std::uint64_t elements = bytes / size_of(command_.type) * rate.denominator;
  return clock_.time_for((elements + per_cycle - 1) / per_cycle);
}

Progress VectorUnit::begin(const Command& command, Picoseconds now) {
  command_ = command;
  total_bytes_ = command.count * size_of(command.type);
  bursts_ = (total_bytes_ + burst_bytes_ - 1) / burst_bytes_;
  current_ = 0;
  full_burst_time_ = arithmetic_time(burst_bytes_);
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
  if (command_.opcode == Opcode::kFill) return true;
  const Bytes offset = burst * burst_bytes_;
  const Bytes bytes = bytes_of(burst);
  for (const bool first : {true, false}) {
    tlm::tlm_generic_payload*& operand = first ? buffer.a : buffer.b;
    operand = memory_.read((first ? command_.a : command_.b) + offset, bytes, now);
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
  const Bytes bytes = bytes_of(current_);
  const Picoseconds arithmetic = bytes == burst_bytes_ ? full_burst_time_ : arithmetic_time(bytes);
  free_at_ = std::max(start + arithmetic, buffer.last_byte);

  // The payload that brought `a` carries the result back: no third buffer, no copy.
  tlm::tlm_generic_payload& result = buffer.a != nullptr ? *buffer.a : memory_.blank(bytes);
  if (memory_.with_data()) compute(result, buffer);
  if (buffer.b != nullptr) buffer.b->release();
  buffer.a = buffer.b = nullptr;
  const std::optional<Picoseconds> visible =
      memory_.write(result, command_.destination + current_ * burst_bytes_, start, free_at_, now);
  if (!visible) return fail();

  visible_at_[current_ % visible_at_.size()] = *visible;
  last_visible_ = std::max(last_visible_, *visible);
  const std::uint64_t elements = bytes / size_of(command_.type);
  statistics_.vpu_busy += arithmetic;
  statistics_.elements += elements;
  statistics_.flops += command_.opcode == Opcode::kFill ? 0 : elements;
  statistics_.bytes_written += bytes;

  // Burst n-1 is computed by now, so burst n+D takes its buffer.
  const std::uint64_t refill = current_ + buffers_.size() - 1;
  if (current_ > 0 && refill < bursts_ && !fetch(refill, now)) return fail();
  if (++current_ == bursts_) return {Progress::State::kFinished, last_visible_};
  return {Progress::State::kGoOn, start_of_current(now)};
}

void VectorUnit::compute(tlm::tlm_generic_payload& result, const Buffer& buffer) const {
  if (buffer.b == nullptr) {
    fill(command_.type, data_of(result), command_.a);
  } else {
    combine(command_.opcode, command_.type, data_of(result), data_of(*buffer.b));
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
