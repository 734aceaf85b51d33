#include "rt/mechanics/weighted_rows.h"

#include "rt/math/fixed_size.h"
#include "rt/math/lanes.h"

#include <algorithm>

namespace tactus::rt {

namespace {

using Eigen::Index;

/// First and last index that `isUsed` has, in 0 ... count - 1; the first is above the last if there is none.
template <class F>
std::pair<Index, Index> usedRange(Index count, F&& isUsed) {
  Index first = 0, last = count - 1;
  while (first <= last && !isUsed(first)) ++first;
  while (last >= first && !isUsed(last)) --last;
  return {first, last};
}

}  // namespace

WeightedRows::WeightedRows(const std::vector<int>& rows, const Eigen::MatrixXd& weights) {
  constexpr Index kMost = kLanes * kMostQuads;
  const auto padded = [](const Eigen::MatrixXd& block) {  // [input][output]
    const Index width = (block.cols() + kLanes - 1) / kLanes * kLanes;
    std::vector<double> numbers;
    for (Index i = 0; i < block.rows(); ++i)
      for (Index k = 0; k < width; ++k) numbers.push_back(k < block.cols() ? block(i, k) : 0.0);
    return numbers;
  };
  const auto at = [&](Index k) { return rows[static_cast<std::size_t>(k)]; };
  for (Index begin = 0; begin < weights.cols();) {
    Index end = begin + 1;
    while (end < weights.cols() && end - begin < kMost && at(end) == at(end - 1) + 1) ++end;
    const auto columns = weights.middleCols(begin, end - begin);
    const auto [first, last] = usedRange(weights.rows(), [&](Index i) { return !columns.row(i).isZero(0); });
    const Eigen::MatrixXd block = columns.middleRows(first, last + 1 - first);
    sums_.push_back({static_cast<int>(first), static_cast<int>(block.rows()), at(begin), static_cast<int>(block.cols()),
                     padded(block)});
    for (Index from = 0; from < block.rows(); from += kMost) {
      const Index count = std::min(kMost, block.rows() - from);
      additions_.push_back({at(begin), static_cast<int>(block.cols()), static_cast<int>(first + from),
                            static_cast<int>(count), padded(block.middleRows(from, count).transpose())});
    }
    begin = end;
  }
}

template <bool Adds>
void WeightedRows::multiply(const Product& product, const double* inputs, double* outputs) noexcept {
  using Quad = Lanes<kLanes>;
  withFixedSize(product.quads(), [&]<int Quads>() noexcept {
    Quad sum[Quads];
    for (Quad& s : sum) s = Quad(0.0);
    const double* weights = product.weights.data();
    for (int i = 0; i < product.inputs; ++i, weights += kLanes * Quads) {
      const Quad input(inputs[product.input + i]);
      for (int q = 0; q < Quads; ++q) sum[q] += input * Quad::from(weights + kLanes * q);
    }
    double numbers[kLanes * Quads];
    for (int q = 0; q < Quads; ++q) sum[q].to(numbers + kLanes * q);
    double* const to = outputs + product.output;
    for (int k = 0; k < product.outputs; ++k) to[k] = Adds ? to[k] + numbers[k] : numbers[k];
  });
}

void WeightedRows::sum(const double* coordinates, double* of_rows) const noexcept {
  for (const Product& product : sums_) multiply<false>(product, coordinates, of_rows);
}

void WeightedRows::add(const double* of_rows, double* coordinates) const noexcept {
  for (const Product& product : additions_) multiply<true>(product, of_rows, coordinates);
}

}  // namespace tactus::rt
