// The editable description of what a vehicle adds to a mechanism: tyres with slip, friction and brakes, powertrains and
// the surface of a road. Members are named as in proto/tactus/v1/model.proto.
#pragma once

#include <Eigen/Core>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus::rt {

/// Bristles on a parabolic pressure, sliding from the rear of the contact.
struct BrushTyreSpec {
  double longitudinal_stiffness = 0;  ///< dFx / d(slip ratio) at the nominal load, N
  double cornering_stiffness = 0;     ///< dFy / d(slip angle) at the nominal load, N/rad
  double friction = 0;                ///< coefficient
  double load_exponent = 1;           ///< stiffnesses go with (load / nominal load)^this
  double contact_half_length = 0;     ///< m; gives the aligning moment
};
/// Coefficients of the Magic Formula, by their names in tyre property files.
struct MagicFormulaTyreSpec {
  std::map<std::string, double> coefficients;
};

/// A wheel that rolls, brakes, drives and corners on a road.
struct SlipTyreSpec {
  std::string road;
  std::string body;
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< of the wheel, body axes, m
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();    ///< of its spin, to the left of where it rolls, body axes
  double radius = 0;                                 ///< unloaded, m
  std::optional<double> rolling_radius;              ///< m; default: the radius
  double stiffness = 0;                              ///< vertical, N/m
  double damping = 0;                                ///< vertical, N s/m
  double nominal_load = 0;                           ///< N
  double longitudinal_relaxation = 0;                ///< length, m
  double lateral_relaxation = 0;                     ///< length, m
  double rolling_resistance = 0;                     ///< moment / (load rolling_radius)
  std::optional<double> standstill_damping;          ///< N s/m; default: half the critical one
  bool mirrored = false;                             ///< a tyre measured on the other side
  std::variant<BrushTyreSpec, MagicFormulaTyreSpec> grip;
};

/// Dry friction in a joint: sticks elastically up to a limit, then slides at it.
struct JointFrictionSpec {
  std::string joint;
  double limit = 0;         ///< N m about the axis; N along it
  double elastic = 0;       ///< how far it yields before it slides, rad or m
  bool along_axis = false;  ///< acts on the travel of the joint, not on its angle
};
/// The same with a limit that follows an input from 0 to 1.
struct BrakeSpec {
  std::string joint;
  double torque = 0;   ///< at full input, N m
  double elastic = 0;  ///< rad
};

/// An engine or motor that turns wheels through one ratio and an open differential.
struct PowertrainSpec {
  std::string carrier;              ///< body that takes the reaction of the shafts
  std::vector<std::string> joints;  ///< of the driven wheels; each must have an angle
  std::vector<double> speeds;       ///< of the engine, rad/s, rising
  std::vector<double> full_torque;  ///< at full throttle, N m
  std::vector<double> zero_torque;  ///< at closed throttle, N m
  double final_ratio = 1;           ///< engine turns per wheel turn at ratio 1
  double efficiency = 1;            ///< of what drives; what brakes the engine is not divided
};

/// Values over a rectangle of a road, row by row along it.
struct SurfaceGridSpec {
  double along = 0, across = 0;  ///< of the first point, m from the origin of the road; across counts to the left
  double spacing = 0;            ///< m, both ways
  int columns = 0;               ///< points across
  std::vector<double> values;    ///< rows * columns
};

enum class ControlQuantity { kBrake, kThrottle, kRatio };
/// Feeds brakes or a powertrain.
struct ControlSpec {
  std::vector<std::string> elements;
  ControlQuantity quantity = ControlQuantity::kBrake;
};

}  // namespace tactus::rt
