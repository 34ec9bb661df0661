#include "models/tensor_core/matrix_unit.h"

#include <algorithm>
#include <cstring>

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
    default: return config.mxu_bf16_rate;
  }
}

}  // namespace

MatrixUnit::MatrixUnit(const TensorCoreConfig& config, MemoryPort& memory, TensorCoreStatistics& statistics)
    : config_(config),
      arrays_(config.mxu_rows, config.mxu_columns, config.mxu_count, config.mxu_weight_load),
      fill_time_(config.clock.time_for(arrays_.fill_cycles())),
      drain_time_(config.clock.time_for(arrays_.drain_cycles())),
      memory_(memory),
      statistics_(statistics),
      fetches_(config.outstanding_bursts),
      visible_at_(config.outstanding_bursts) {}

Picoseconds MatrixUnit::compute_time() const {
  const Rate rate = rate_of(config_, command_.type);
  const std::uint64_t cycles = arrays_.cycles(command_.m, command_.k, command_.n) * rate.denominator;
  return config_.clock.time_for((cycles + rate.numerator - 1) / rate.numerator);
}

void MatrixUnit::prepare(Operand& operand, Address address, Bytes bytes) {
  operand.address = address;
  operand.bytes = bytes;
  operand.requested = 0;
  operand.data.clear();
}

Progress MatrixUnit::begin(const Command& command, Picoseconds now) {
  command_ = command;
  sizes_ = sizes_of(command);
  if (sizes_.result == 0) return {Progress::State::kFinished, now};
  prepare(a_, command.a, sizes_.a);
  prepare(b_, command.b, sizes_.b);
  issued_ = fetched_ = 0;
  start_ = last_read_ = last_visible_ = now;
  writing_ = false;
  written_ = bursts_written_ = 0;
  std::fill(visible_at_.begin(), visible_at_.end(), now);
  while (!all_requested() && issued_ < fetches_.size()) {
    if (!fetch(now)) return fail();
  }
  return issued_ == 0 ? start_writing(now) : next_read(now);  // K may be zero: an empty sum
}

bool MatrixUnit::fetch(Picoseconds now) {
  // The operand of which the smaller part has been requested.
  const bool a_is_behind = static_cast<Wide>(a_.requested) * b_.bytes <= static_cast<Wide>(b_.requested) * a_.bytes;
  Operand& operand = a_.requested == a_.bytes || (!a_is_behind && b_.requested < b_.bytes) ? b_ : a_;
  const Bytes offset = operand.requested;
  const Bytes bytes = std::min(config_.vector_burst.bytes, operand.bytes - offset);
  tlm::tlm_generic_payload* const payload = memory_.read(operand.address + offset, bytes, now);
  if (payload == nullptr) return false;
  operand.requested += bytes;
  statistics_.bytes_read += bytes;
  fetches_[issued_++ % fetches_.size()] = {payload, &operand};
  const kernel::Burst& stream = *kernel::burst_of(*payload);
  if (offset == 0) start_ = std::max(start_, stream.first_byte);
  last_read_ = std::max(last_read_, stream.last_byte);
  return true;
}

void MatrixUnit::retire() {
  Fetch& oldest = fetches_[fetched_++ % fetches_.size()];
  if (memory_.with_data()) {
    // Bursts of an operand arrive in order. Its buffer grows with what has really come: sizes come from firmware.
    const auto* const bytes = reinterpret_cast<const std::byte*>(oldest.payload->get_data_ptr());
    oldest.operand->data.insert(oldest.operand->data.end(), bytes, bytes + oldest.payload->get_data_length());
  }
  oldest.payload->release();
  oldest.payload = nullptr;
}

Progress MatrixUnit::next_read(Picoseconds now) const {
  const Fetch& oldest = fetches_[fetched_ % fetches_.size()];
  return {Progress::State::kGoOn, std::max(now, kernel::burst_of(*oldest.payload)->last_byte)};
}

Progress MatrixUnit::step(Picoseconds now) {
  if (writing_) return write_burst(now);
  retire();
  if (!all_requested() && !fetch(now)) return fail();
  return fetched_ < issued_ ? next_read(now) : start_writing(now);
}

Progress MatrixUnit::start_writing(Picoseconds now) {
  const Picoseconds duration = compute_time();
  statistics_.mxu_busy += duration;
  statistics_.flops += 2 * std::uint64_t{command_.m} * command_.k * command_.n;
  if (memory_.with_data()) {
    result_.resize(sizes_.result);
    multiply(command_.type, command_.m, command_.k, command_.n, a_.data, b_.data, result_);
  }

  // Folds run stripe by stripe. A stripe's results leave during its last fold over K.
  const std::uint64_t folds_down = std::max<std::uint64_t>(1, (command_.k + config_.mxu_rows - 1) / config_.mxu_rows);
  const std::uint64_t stripes = (command_.n + config_.mxu_columns - 1) / config_.mxu_columns;
  const Picoseconds fill = std::min(fill_time_, duration);
  const Picoseconds first = start_ + fill + part_of(duration - fill, folds_down - 1, folds_down * stripes);
  last_result_ = std::max(start_ + duration, last_read_ + (duration > 0 ? drain_time_ : 0));
  first_result_ = std::max({now, last_read_, first});
  writing_ = true;
  return next_write(now);
}

Picoseconds MatrixUnit::result_time(Bytes offset) const {
  return first_result_ + part_of(last_result_ - first_result_, offset, sizes_.result);
}

Progress MatrixUnit::next_write(Picoseconds now) const {
  const Picoseconds output_free = visible_at_[bursts_written_ % visible_at_.size()];
  return {Progress::State::kGoOn, std::max({now, result_time(written_), output_free})};
}

Progress MatrixUnit::write_burst(Picoseconds now) {
  const Bytes bytes = std::min(config_.vector_burst.bytes, sizes_.result - written_);
  tlm::tlm_generic_payload& payload = memory_.blank(bytes);
  if (memory_.with_data()) std::memcpy(payload.get_data_ptr(), result_.data() + written_, bytes);
  const std::optional<Picoseconds> visible =
      memory_.write(payload, command_.destination + written_, now, std::max(now, result_time(written_ + bytes)), now);
  if (!visible) return fail();
  written_ += bytes;
  statistics_.bytes_written += bytes;
  visible_at_[bursts_written_++ % visible_at_.size()] = *visible;
  last_visible_ = std::max(last_visible_, *visible);
  if (written_ == sizes_.result) return {Progress::State::kFinished, last_visible_};
  return next_write(now);
}

Progress MatrixUnit::fail() {
  for (Fetch& fetch : fetches_) {
    if (fetch.payload != nullptr) fetch.payload->release();
    fetch.payload = nullptr;
  }
  return {Progress::State::kFailed, 0};
}

}  // namespace podsim::tensor_core
