#include "platform/check/kernel_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "firmware/kernels/kernel.h"
#include "platform/check/element.h"

namespace podsim::check {

using firmware::DType;
using firmware::KernelCall;
using firmware::KernelKind;
using Numbers = KernelData::Numbers;

namespace {

constexpr unsigned char kPoison = 0x7f;

bool through_exp(KernelKind kind) { return kind == KernelKind::kSoftmax || kind == KernelKind::kAttention; }

Numbers product(const KernelCall& call, const Numbers& a, const Numbers& b) {
  Numbers out(call.m * call.n);
  for (std::uint64_t i = 0; i < call.m; ++i) {
    for (std::uint64_t l = 0; l < call.k; ++l) {
      const double factor = a[i * call.k + l];
      for (std::uint64_t j = 0; j < call.n; ++j) out[i * call.n + j] += factor * b[l * call.n + j];
    }
  }
  return out;
}

Numbers elementwise(const KernelCall& call, const Numbers& a, const Numbers& b) {
  Numbers out(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    switch (call.operation) {
      case tensor_core::Opcode::kAdd: out[i] = a[i] + b[i]; break;
      case tensor_core::Opcode::kMax: out[i] = std::max(a[i], b[i]); break;
      case tensor_core::Opcode::kMin: out[i] = std::min(a[i], b[i]); break;
      default: out[i] = a[i] * b[i]; break;
    }
  }
  return out;
}

Numbers reduced(const KernelCall& call, const Numbers& a) {
  Numbers out(call.m);
  for (std::uint64_t row = 0; row < call.m; ++row) {
    const auto first = a.begin() + static_cast<std::ptrdiff_t>(row * call.n);
    const auto last = first + static_cast<std::ptrdiff_t>(call.n);
    const bool sum = call.operation == tensor_core::Opcode::kRowSum;
    out[row] = sum ? std::accumulate(first, last, 0.0) : *std::max_element(first, last);
  }
  return out;
}

void softmax_row(double* row, std::uint64_t columns) {
  const double largest = *std::max_element(row, row + columns);
  double sum = 0;
  for (std::uint64_t j = 0; j < columns; ++j) sum += row[j] = std::exp(row[j] - largest);
  for (std::uint64_t j = 0; j < columns; ++j) row[j] /= sum;
}

Numbers softmax(const KernelCall& call, Numbers a) {
  for (std::uint64_t row = 0; row < call.m; ++row) softmax_row(a.data() + row * call.n, call.n);
  return a;
}

Numbers attention(const KernelCall& call, const Numbers& q, const Numbers& k, const Numbers& v) {
  Numbers out(call.heads * call.m * call.k);
  Numbers scores(call.n);
  for (std::uint64_t head = 0; head < call.heads; ++head) {
    const double* const keys = k.data() + head * call.n * call.k;
    const double* const values = v.data() + head * call.n * call.k;
    for (std::uint64_t i = 0; i < call.m; ++i) {
      const double* const query = q.data() + (head * call.m + i) * call.k;
      double* const result = out.data() + (head * call.m + i) * call.k;
      for (std::uint64_t j = 0; j < call.n; ++j) {
        double dot = 0;
        for (std::uint64_t e = 0; e < call.k; ++e) dot += query[e] * keys[j * call.k + e];
        scores[j] = dot / std::sqrt(static_cast<double>(call.k));
      }
      softmax_row(scores.data(), call.n);
      for (std::uint64_t j = 0; j < call.n; ++j) {
        for (std::uint64_t e = 0; e < call.k; ++e) result[e] += scores[j] * values[j * call.k + e];
      }
    }
  }
  return out;
}

}  // namespace

Numbers KernelData::operand(ChipId chip, unsigned number) const {
  Numbers values(firmware::operand_elements(call_)[number]);
  const bool quarters = through_exp(call_.kind);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint64_t random = mixed(index(chip) * 8 + number, i);
    values[i] = quarters ? (static_cast<double>(random % 31) - 15) / 4 : static_cast<double>(random % 9) - 4;
  }
  return values;
}

Numbers KernelData::reference(const std::vector<Numbers>& operands) const {
  switch (call_.kind) {
    case KernelKind::kMatmul: return product(call_, operands[0], operands[1]);
    case KernelKind::kElementwise: return elementwise(call_, operands[0], operands[1]);
    case KernelKind::kReduce: return reduced(call_, operands[0]);
    case KernelKind::kSoftmax: return softmax(call_, operands[0]);
    case KernelKind::kAttention: return attention(call_, operands[0], operands[1], operands[2]);
  }
  return {};
}

double KernelData::tolerance(double reference) const {
  if (!through_exp(call_.kind)) return 0;
  // A rounding of the type with so many bits of significand, which f8 cannot go below 2^-10.
  const auto unit = [](DType type) { return type == DType::kF32 ? 0x1p-20 : type == DType::kBf16 ? 0x1p-8 : 0x1p-4; };
  const double least = call_.result == DType::kF8 ? 0x1p-10 : 0;
  if (call_.kind == KernelKind::kSoftmax) return 1.01 * unit(call_.result) * std::abs(reference) + least + 1e-30;
  // Weights are rounded to the operands' type on their way into the second product, and values are below four.
  return 1.01 * unit(call_.result) * std::abs(reference) + 4 * unit(call_.type) + least;
}

void KernelData::fill(chip::Chip& chip, const firmware::Buffer& in, const firmware::Buffer& out) const {
  std::vector<unsigned char> bytes(in.bytes());
  const std::vector<firmware::TiledMatrix> operands = firmware::kernel_operands(call_, operands_in(call_, in));
  for (unsigned number = 0; number < operands.size(); ++number) {
    const firmware::TiledMatrix& matrix = operands[number];
    const Numbers values = operand(chip.id(), number);
    const std::uint64_t first = (matrix.data.address - in.address) / tensor_core::size_of(in.type);
    for (std::uint64_t i = 0; i < values.size(); ++i) {
      store_number(bytes, first + matrix.place(i / matrix.columns, i % matrix.columns), in.type, values[i]);
    }
  }
  chip.write_memory(in.address, bytes);
  bytes.assign(out.bytes(), kPoison);
  chip.write_memory(out.address, bytes);
}

DataResult KernelData::compare(chip::Chip& chip, const firmware::Buffer& out) const {
  std::vector<Numbers> operands(firmware::operand_elements(call_).size());
  for (unsigned number = 0; number < operands.size(); ++number) operands[number] = operand(chip.id(), number);
  const Numbers wanted = reference(operands);
  std::vector<unsigned char> bytes(out.bytes());
  chip.read_memory(out.address, bytes);
  const firmware::TiledMatrix matrix = firmware::kernel_result(call_, out);
  std::vector<unsigned char> right(tensor_core::size_of(out.type));
  DataResult result;
  for (std::uint64_t i = 0; i < wanted.size(); ++i) {
    const std::uint64_t row = i / matrix.columns, column = i % matrix.columns;
    const std::uint64_t place = matrix.place(row, column);
    const double found = number_at(bytes, place, out.type);
    store_number(right, 0, out.type, wanted[i]);
    const double expected = through_exp(call_.kind) ? wanted[i] : number_at(right, 0, out.type);
    if (std::abs(found - expected) <= tolerance(expected)) continue;
    if (result.wrong++ > 0) continue;
    result.explanation = fmt::format("wrong data: chip {}: {} of {}: row {}, column {} of the result is {}, not {}\n",
                                     podsim::index(chip.id()), firmware::kernel_name(call_.kind),
                                     firmware::shape_text(call_), row, column, found, expected);
  }
  return result;
}

}  // namespace podsim::check
