// The constants of the law of compliant rows.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cstddef>
#include <cstdint>

namespace tactus::rt {

using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;

/// offset + scale x
struct Scaling {
  double offset = 0, scale = 1;

  double operator()(double x) const noexcept { return offset + scale * x; }

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(offset, scale);
  }
};

/// A number of a row that an actuator sets; actuator -1: none.
struct InputOfRow {
  int actuator = -1;
  Scaling scaling = {};

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(actuator);
    visit.numbers(scaling);
  }
};

/// The law of compliant rows: lambda = preload + K (phi - rest) + C d(phi)/dt. Only the leading `rows` rows (and
/// columns) of each member are used. These are the constants of a linear law. If linear() is false, lawAt() of
/// mechanics/compliant_rows.h computes the law that holds at a motion.
struct CompliantLaw {
  int rows = 0;
  Matrix6d K = Matrix6d::Zero(), C = Matrix6d::Zero();
  Vector6d rest = Vector6d::Zero(), preload = Vector6d::Zero();
  int tyre = -1;  ///< index of the tyre whose law it is
  // Of the one row of a spring.
  int spring = -1;                          ///< index of the Spring whose curves and stops it has
  int free_input = -1, preload_input = -1;  ///< actuators that give rest[0] and preload[0] in place of the constants
  Scaling free_of_input, preload_of_input;  ///< from the input to rest[0] and to preload[0]
  double minimum_stiffness = 0;             ///< lower limit of the stiffness in the tangent, N/m or N m/rad
  // Of a bushing.
  std::array<int, 6> axes = {};                   ///< of its frame, of each row: 0 to 2 along, 3 to 5 about
  std::array<InputOfRow, 6> preload_of_row = {};  ///< added to preload
  bool has_input = false;                         ///< whether some row has one

  bool takesInput() const noexcept { return free_input >= 0 || preload_input >= 0; }
  bool linear() const noexcept { return tyre < 0 && spring < 0 && !takesInput(); }

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(rows);
    visit.numbers(K, C, rest, preload);
    visit.structure(tyre, spring, free_input, preload_input);
    visit.numbers(free_of_input, preload_of_input);
    for (std::size_t row = 0; has_input && row < preload_of_row.size(); ++row) preload_of_row[row].constants(visit);
  }
};

}  // namespace tactus::rt
