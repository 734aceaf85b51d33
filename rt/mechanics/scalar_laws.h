// Linear laws of rows that follow each other, one law a row, such as those of the springs of a modal body: their
// constants lie side by side, so that a compiler takes the rows in vectors. The numbers are those of one law after the
// other, bit by bit.
#pragma once

#include "rt/model/compliant_law.h"

#include <cstddef>
#include <vector>

namespace tactus::rt {

struct Model;

class ScalarLaws {
 public:
  ScalarLaws() = default;
  /// @param rows  of the Model: those with a linear law of one row and no input are taken
  ScalarLaws(const Model& model, std::vector<int> rows);

  bool isEmpty() const noexcept { return law_.empty(); }
  bool has(int law) const noexcept;
  /// Whether one of them has a damper.
  bool damped() const noexcept { return damped_; }

  // All arrays below are of all rows of the Model, unless a line says otherwise. None may overlap another one.

  /// Takes over E and E K of each law, which are of all laws of the Model.
  /// @rt no allocation, no throw, fixed work
  void take(const std::vector<Matrix6d>& compliance, const std::vector<Matrix6d>& elastic_share) noexcept;

  /// E (lambda - force), with the force of compliantForce(): ali3p (28).
  /// @rt no allocation, no throw, fixed work
  void left(const double* phi, const double* rates, const double* lambda, double* to) const noexcept;

  /// lambda += sign C rate
  /// @rt no allocation, no throw, fixed work
  void addDamping(double sign, const double* rates, double* lambda) const noexcept;

  /// E K ((phi - start) / dt - rate), twice: ali3p (29), k = 1.
  /// @rt no allocation, no throw, fixed work
  void beginFilter(double dt, const double* phi, const double* start, const double* rates, double* filtered,
                   double* to) const noexcept;

  /// E K (E solution + filtered), in the place of both: ali3p (29), k = 2, 3.
  /// @rt no allocation, no throw, fixed work
  void continueFilter(double* filtered, double* solution) const noexcept;

  /// Sum of C rate^2, W.
  /// @rt no allocation, no throw, fixed work
  double dissipated(const double* rates) const noexcept;

 private:
  /// Rows that follow each other.
  struct Run {
    int row, count;
    std::size_t first;  ///< into the arrays below
  };

  template <class F>
  void forEachRun(F&& f) const noexcept;

  std::vector<Run> runs_;
  std::vector<int> law_;  ///< of each row, into Model::compliant_laws
  std::vector<double> K_, C_, rest_, preload_, E_, share_;
  bool damped_ = false;
};

}  // namespace tactus::rt
