// Rows that are weighted sums of coordinates, and the way back: two products with a constant matrix, in vectors.
#pragma once

#include <Eigen/Core>

#include <vector>

namespace tactus::rt {

class WeightedRows {
 public:
  WeightedRows() = default;
  /// @param rows     indices, one a column of `weights`
  /// @param weights  [coordinate][row]
  WeightedRows(const std::vector<int>& rows, const Eigen::MatrixXd& weights);

  /// of_rows[row] = sum of weights times coordinates.
  /// @rt no allocation, no throw, fixed work
  void sum(const double* coordinates, double* of_rows) const noexcept;

  /// coordinates += weights times of_rows[row].
  /// @rt no allocation, no throw, fixed work
  void add(const double* of_rows, double* coordinates) const noexcept;

 private:
  static constexpr int kLanes = 4, kMostQuads = 6;

  /// Weights of some inputs for outputs that follow each other, up to kMostQuads vectors.
  struct Product {
    int input, inputs;            ///< first, and number of them
    int output, outputs;          ///< the same
    std::vector<double> weights;  ///< [input][output], whole vectors

    int quads() const noexcept { return (outputs + kLanes - 1) / kLanes; }
  };

  template <bool Adds>
  static void multiply(const Product& product, const double* inputs, double* outputs) noexcept;

  std::vector<Product> sums_, additions_;
};

}  // namespace tactus::rt
