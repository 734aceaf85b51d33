// The editable description of a mechanism, as read from a file: names, optional members, nothing derived.
// Members are named as in proto/tactus/v1/model.proto, so that a Finding can quote its path.
#pragma once

#include "rt/model/elements/elements.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

// Points are measured from the center of mass in body axes; on ground, from the origin in world axes.

struct JointSpec {
  std::string name;
  std::string description;
  std::string body_1;  ///< name of a body, or kGroundName; of a coupler empty
  std::string body_2;
  JointKinds kind;

  static Fields fields();
};

struct ForceSpec {
  std::string name;
  std::string description;
  ForceKinds kind;

  static Fields fields();
};

/// A displacement that follows a function of time, with its rate and acceleration.
struct DriveSpec {
  std::string name;
  std::string description;
  DriveTargets target;
  DriveFunctions function;

  static Fields fields();
};

/// What an actuator does when its controller is lost. kDefault: kRamp where a safe value is declared, else kHold.
enum class LossAction { kDefault, kHold, kZero, kRamp, kExtrapolate, kFault };
template <>
struct ChoiceOf<LossAction> {
  static constexpr int kCount = 6, kFirst = 0;
  static constexpr bool kHasDefault = true;
};

struct InputLossSpec {
  LossAction action = LossAction::kDefault;
  double ramp_time = 0;       ///< to the safe value, s
  int extrapolate_ticks = 0;  ///< of kExtrapolate
  LossAction then = LossAction::kDefault;

  static Fields fields();
};

inline constexpr const char* kDefaultGroup = "inputs";

struct ActuatorSpec {
  std::string name;
  std::string description;
  std::string group;  ///< that one controller drives; empty: kDefaultGroup
  std::string unit;   ///< of the value; empty: that of what the actuator sets
  std::optional<double> minimum, maximum;
  double initial = 0;
  std::optional<double> safe;  ///< in the safe state; default: 0, or `initial` where 0 is out of range
  InputLossSpec on_loss = {};
  ActuatorKinds kind;

  static Fields fields();
};

/// An element that stands for several others; see expand.h.
struct CompositeSpec {
  std::string name;
  std::string description;
  CompositeKinds kind;

  static Fields fields();
};

struct SensorSpec {
  std::string name;
  std::string description;
  SensorKinds kind;

  static Fields fields();
};

/// How far an initial state may be moved to satisfy the constraints.
struct AssemblyLimitsSpec {
  double position = 0.01;  ///< m and rad
  double velocity = 0.1;   ///< m/s and rad/s

  static Fields fields();
};

/// What the author of a model recommends.
struct SolverSpec {
  double period = 1e-3;           ///< s
  std::optional<int> iterations;  ///< default: 2 up to 2 ms, 3 above
  double relative_compliance = 1e-8;
  bool third_order = false;   ///< extrapolate each step from one whole and two half steps
  bool fourth_order = false;  ///< and from three third steps; not together with third_order
  /// Gyroscopic part of the tangent; default: where a body spins fast for the period in a named initial condition
  std::optional<bool> gyroscopic_tangent;

  static Fields fields();
};

/// A number of the description that may change while a session runs. The reader of a file resolves its targets.
struct ParameterSpec {
  std::string name;
  std::string description;
  std::string unit;
  std::optional<double> minimum, maximum;
  std::vector<std::string> targets;  ///< paths in the model message
  std::optional<double> value;       ///< of its targets; none if they cannot be found

  static Fields fields();
};

struct ModelSpec {
  std::string name;
  std::string description;
  std::optional<Vector3d> gravity;  ///< world, m/s^2; must be given
  std::vector<BodySpec> bodies;
  std::vector<JointSpec> joints;
  std::vector<ForceSpec> forces;
  std::vector<DriveSpec> drives;
  std::vector<RoadSpec> roads;
  std::vector<ActuatorSpec> actuators;
  std::vector<SensorSpec> sensors;
  std::vector<InitialConditionSpec> initial_conditions;
  AssemblyLimitsSpec assembly;
  SolverSpec solver;
  std::vector<ParameterSpec> parameters;
  std::vector<CompositeSpec> composites;
  std::vector<MeshSpec> meshes;  ///< of visuals

  static Fields fields();
};

}  // namespace tactus::rt
