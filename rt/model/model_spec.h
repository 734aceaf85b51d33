// The editable description of a mechanism, as read from a file: names, optional members, nothing derived.
// Members are named as in proto/tactus/v1/model.proto, so that a Finding can quote its path.
#pragma once

#include "rt/model/joint_spec.h"
#include "rt/model/vehicle_spec.h"

#include <Eigen/Core>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus::rt {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

/// The name that stands for the world in joints.
inline constexpr const char* kGroundName = "ground";

struct BodySpec {
  std::string name;
  std::string description;
  double mass = 0;                               ///< kg
  Matrix3d inertia = Matrix3d::Zero();           ///< about the centre of mass, body axes, kg m^2
  Vector3d position = Vector3d::Zero();          ///< centre of mass, world, m
  Vector4d orientation = Vector4d(1, 0, 0, 0);   ///< unit quaternion, scalar first, body to world
  Vector3d velocity = Vector3d::Zero();          ///< of the centre of mass, world, m/s
  Vector3d angular_velocity = Vector3d::Zero();  ///< body axes, rad/s
};

enum class Frame { kWorld, kBody };

// Force elements. Those between two bodies enter the equations as rows of finite compliance.

/// Points of a curve, x rising: monotone cubic Hermite between them, straight beyond the ends with the slope there.
struct CurveSpec {
  std::vector<double> x, y;
};

/// The sign of the force to which a spring is limited: positive tension pulls.
enum class SpringSide { kBoth, kPush, kPull };

/// A stop that a spring meets at one end of its way: stiffness p^exponent + damping dp/dt, p how far it is pressed in
/// (m or rad), and never below zero.
struct StopSpec {
  double position = 0;  ///< length or angle at which it begins, m or rad
  double stiffness = 0, exponent = 1, damping = 0;
};

/// What a spring may have beyond constants. A curve stands in place of the constant.
struct SpringLawSpec {
  std::optional<CurveSpec> stiffness_curve;  ///< force over elongation, N over m; N m over rad
  std::optional<CurveSpec> damping_curve;    ///< force over rate, N over m/s; N m over rad/s
  SpringSide only = SpringSide::kBoth;       ///< of spring and damper; the stops act besides
  std::optional<StopSpec> minimum_stop, maximum_stop;
};

/// Along the line between two points: tension = preload + stiffness (length - free_length) + damping d(length)/dt.
struct TranslationalSpringSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  double stiffness = 0;               ///< N/m
  double damping = 0;                 ///< N s/m
  std::optional<double> free_length;  ///< m; default: the distance in the declared state
  double preload = 0;                 ///< N, tension
  SpringLawSpec law = {};
};
/// About the axis of a joint that has an angle.
struct RotationalSpringSpec {
  std::string joint;
  double stiffness = 0;   ///< N m/rad
  double damping = 0;     ///< N m s/rad
  double free_angle = 0;  ///< rad
  double preload = 0;     ///< N m
  SpringLawSpec law = {};
};
/// Three or six rows: displacement of point 2 from point 1 along the axes of a frame on body 1, then the turning of
/// body 2 about them, sin(angle) times the axis; both count from the declared state for the turning, from coinciding
/// points for the displacement.
struct BushingSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector4d orientation = Vector4d(1, 0, 0, 0);  ///< of the frame, in body 1 (world axes on ground)
  Eigen::MatrixXd stiffness, damping;           ///< 3 x 3 or 6 x 6, symmetric; N/m, N, N m/rad and their rates
};
/// Resists the motion of one body: force -linear v, torque -angular omega.
struct BodyDragSpec {
  std::string body;
  double linear = 0;   ///< N s/m
  double angular = 0;  ///< N m s/rad
};

/// Load of a wheel that does not spin, normal to the road: stiffness and damping of what a disc of `radius` is pressed
/// into the profile of the road, never below zero.
struct VerticalTyreSpec {
  std::string road;
  std::string body;
  Vector3d centre = Vector3d::Zero();  ///< of the wheel, body axes, m
  double radius = 0;                   ///< m
  double stiffness = 0;                ///< N/m
  double damping = 0;                  ///< N s/m
};

/// A torsion bar between two joints that have an angle: torque on body 2 of joint 1 = -(stiffness w + damping dw/dt)
/// with the twist w = angle_1 - ratio angle_2 - free_twist, and -ratio times it on body 2 of joint 2.
struct AntiRollBarSpec {
  std::string joint_1, joint_2;
  double stiffness = 0;              ///< N m/rad
  double damping = 0;                ///< N m s/rad
  double ratio = 1;                  ///< -1 where both arms turn opposite ways when both wheels rise
  std::optional<double> free_twist;  ///< rad; default: that of the declared state
};

/// Air on a body: density area / 2 (-drag |u| u - side |u| (u . across) across + lift |u|^2 up) at a point that moves
/// at u against the wind.
struct AirLoadSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();   ///< body axes, m
  double area = 0;                     ///< m^2
  double density = 1.225;              ///< kg/m^3
  double drag = 0, lift = 0;           ///< coefficients
  Vector3d up = Vector3d::Zero();      ///< of the lift, body axes
  Vector3d wind = Vector3d::Zero();    ///< world, m/s
  double side = 0;                     ///< coefficient
  Vector3d across = Vector3d::Zero();  ///< of the side force, body axes
};

struct ForceSpec {
  std::string name;
  std::string description;
  std::variant<TranslationalSpringSpec, RotationalSpringSpec, BushingSpec, BodyDragSpec, VerticalTyreSpec,
               AntiRollBarSpec, AirLoadSpec, SlipTyreSpec, JointFrictionSpec, BrakeSpec, PowertrainSpec>
      kind;
};

/// Half a cylinder that lies across a road.
struct HalfCylinderSpec {
  double position = 0;  ///< of its axis along the road, m from the origin
  double radius = 0;    ///< m
};

/// A plane, fixed in the world, with obstacles on it.
struct RoadSpec {
  std::string name;
  std::string description;
  Vector3d origin = Vector3d::Zero();  ///< a point of the plane, m
  Vector3d up = Vector3d::Zero();      ///< normal of the plane
  Vector3d along = Vector3d::Zero();   ///< direction in which the road runs; its part in the plane counts
  std::vector<HalfCylinderSpec> half_cylinders;
  double friction = 1;                       ///< factor on the friction of tyres
  std::optional<SurfaceGridSpec> heights;    ///< above the plane, m
  std::optional<SurfaceGridSpec> frictions;  ///< factors on `friction`
};

// Drives: a coordinate that follows a function of time, with its rate and acceleration.

struct DrivenAngleSpec {
  std::string joint;
};
struct DrivenDistanceSpec {
  std::string body_1, body_2;
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
struct DrivenTravelSpec {
  std::string joint;
};

/// c0 + c1 t + c2 t^2 + ...
struct PolynomialSpec {
  std::vector<double> coefficients;
};
/// offset + amplitude sin(angular_frequency t + phase)
struct HarmonicSpec {
  double offset = 0, amplitude = 0, angular_frequency = 0, phase = 0;
};
/// Cubic spline through points, at rest at both ends and beyond them.
struct TableSpec {
  std::vector<double> times, values;
};
/// Value, rate and acceleration come from the actuators that name the drive.
struct InputFunctionSpec {};

struct DriveSpec {
  std::string name;
  std::string description;
  std::variant<DrivenAngleSpec, DrivenDistanceSpec, DrivenTravelSpec> target;
  std::variant<PolynomialSpec, HarmonicSpec, TableSpec, InputFunctionSpec> function;
};

struct JointTorqueSpec {
  std::string joint;
};
struct BodyForceSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;
};
struct BodyTorqueSpec {
  std::string body;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;
};

enum class DriveQuantity { kValue, kRate, kAcceleration };
struct DriveInputSpec {
  std::string drive;
  DriveQuantity quantity = DriveQuantity::kValue;
};

enum class SpringQuantity { kFreeLength, kPreload };
/// Sets the free length (of a rotational spring the free angle) or the preload of a spring, or that of a bushing's
/// axis.
struct SpringInputSpec {
  std::string spring;
  SpringQuantity quantity = SpringQuantity::kFreeLength;
  double scale = 1, offset = 0;  ///< what is set is offset + scale value
  int axis = 0;                  ///< of a bushing: 1 to 3 along an axis of its frame, 4 to 6 about one
};

/// What an actuator does when its controller falls silent. kDefault: kRamp where a safe value is declared, else kHold.
enum class LossAction { kDefault, kHold, kZero, kRamp, kExtrapolate, kFault };

struct InputLossSpec {
  LossAction action = LossAction::kDefault;
  double ramp_time = 0;       ///< to the safe value, s
  int extrapolate_ticks = 0;  ///< of kExtrapolate
  LossAction then = LossAction::kDefault;
};

inline constexpr const char* kDefaultGroup = "inputs";

struct ActuatorSpec {
  std::string name;
  std::string description;
  std::string group;  ///< that one controller drives; empty: kDefaultGroup
  std::optional<double> minimum, maximum;
  double initial = 0;
  std::optional<double> safe;  ///< in the safe state; default: 0, or `initial` where 0 is out of range
  InputLossSpec on_loss = {};
  std::variant<JointTorqueSpec, BodyForceSpec, BodyTorqueSpec, DriveInputSpec, SpringInputSpec, ControlSpec> kind;
};

struct JointAngleSpec {
  std::string joint;
};
struct JointRateSpec {
  std::string joint;
};
enum class PointQuantity { kPosition, kVelocity, kAcceleration };
struct PointMotionSpec {
  PointQuantity quantity = PointQuantity::kPosition;
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;
};
struct AngularVelocitySpec {
  std::string body;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;
};

/// Tension or torque of a spring, or load of a tyre.
struct ForceValueSpec {
  std::string force;
};
struct JointTravelSpec {
  std::string joint;
  bool rate = false;
};
/// Component of the reaction on body 2, at the joint's point there.
struct JointReactionSpec {
  std::string joint;
  bool torque = false;
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;  ///< kBody: body 2
};
/// Acceleration of a point less gravity: what an accelerometer, or a driver, feels.
struct SpecificForceSpec {
  std::string body;
  Vector3d point = Vector3d::Zero();
  Vector3d direction = Vector3d::Zero();
  Frame frame = Frame::kWorld;
};

struct SensorSpec {
  std::string name;
  std::string description;
  std::variant<JointAngleSpec, JointRateSpec, PointMotionSpec, AngularVelocitySpec, ForceValueSpec, JointTravelSpec,
               JointReactionSpec, SpecificForceSpec>
      kind;
};

struct BodyStateSpec {
  std::string body;
  std::optional<Vector3d> position;
  std::optional<Vector4d> orientation;
  std::optional<Vector3d> velocity;
  std::optional<Vector3d> angular_velocity;
};

struct InitialConditionSpec {
  std::string name;
  std::string description;
  std::vector<BodyStateSpec> bodies;
};

/// How far an initial state may be moved to satisfy the constraints.
struct AssemblyLimitsSpec {
  double position = 0.01;  ///< m and rad
  double velocity = 0.1;   ///< m/s and rad/s
};

/// What the author of a model recommends.
struct SolverSpec {
  double period = 1e-3;           ///< s
  std::optional<int> iterations;  ///< default: 2 up to 2 ms, 3 above
  double relative_compliance = 1e-8;
  bool third_order = false;  ///< extrapolate each step from one whole and two half steps
  /// Gyroscopic part of the tangent; default: where a body spins fast for the period in a named initial condition
  std::optional<bool> gyroscopic_tangent;
};

/// A number of the description that may be changed while it runs. What its targets are is known where files are read.
struct ParameterSpec {
  std::string name;
  std::string description;
  std::string unit;
  std::optional<double> minimum, maximum;
  std::vector<std::string> targets;  ///< paths in the model message
  std::optional<double> value;       ///< of its targets; none if they cannot be found
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
};

}  // namespace tactus::rt
