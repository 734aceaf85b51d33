// What a vehicle adds to a Model: constants of tyres with slip, of friction and brakes, of powertrains and of the
// surface of a road. Validated, never written after buildModel().
#pragma once

#include "rt/model/magic_formula.h"

#include <Eigen/Core>

#include <cstdint>
#include <vector>

namespace tactus::rt {

/// Values over a rectangle, row by row along the road; empty if the road has none.
struct SurfaceGrid {
  double along = 0, across = 0, spacing = 1;  ///< first point and spacing, m
  int rows = 0, columns = 0;
  std::vector<double> values;
};

struct BrushGrip {
  double longitudinal_stiffness, cornering_stiffness, friction, load_exponent, contact_half_length;
};

/// The Magic Formula with what is worked out of its coefficients at set-up.
struct MagicFormulaGrip {
  MagicFormula c;
  double peak_ratio, peak_angle;  ///< slip at the peak of each force, nominal load: ratio; tangent of the angle
};

enum class GripKind : std::uint8_t { kBrush, kMagicFormula };

/// A wheel on a road. It is a load on one body, with a internal states: how far its tread is dragged along and across.
struct SlipTyre {
  int road, body;
  Eigen::Vector3d centre, axis;  ///< body axes, m; unit vector
  double radius, rolling_radius, stiffness, damping, nominal_load;
  double relaxation[2];  ///< longitudinal, lateral, m
  double rolling_resistance, standstill_damping;
  bool mirrored;
  GripKind kind;
  BrushGrip brush;
  MagicFormulaGrip magic;
  int internal_states;  ///< first of kSlipTyreInternalStates values in State
};
/// Deflection of the tread along and across, m; their rates at the end of the last step, m/s.
inline constexpr int kSlipTyreInternalStates = 4;

/// Dry friction on the angle or the travel of a joint; a brake where actuators scale its limit.
struct JointFriction {
  int joint;
  double limit;      ///< N m or N; of a brake at full input
  double stiffness;  ///< before it slides, N m/rad or N/m
  bool along_axis, brake;
  std::vector<int> actuators;  ///< of a brake: their sum scales the limit
  int internal_states;         ///< one value in State: the coordinate at which it would carry nothing
};

struct Powertrain {
  int carrier;                                           ///< body
  std::vector<int> joints;                               ///< of the driven wheels
  std::vector<double> speeds, full_torque, zero_torque;  ///< rad/s, N m
  double final_ratio, efficiency;
  std::vector<int> throttle, ratio;  ///< actuators; their sums count
};

}  // namespace tactus::rt
