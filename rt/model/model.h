// The constants of a mechanism: flat arrays and indices, validated, shared, never written after buildModel().
#pragma once

#include "rt/model/elements/elements.h"
#include "rt/model/limits.h"
#include "rt/model/model_spec.h"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

/// The constraint primitives of which every joint is made ([RN] section 3; signs and scaling are ours).
enum class PrimitiveKind : std::uint8_t {
  kPoint,     ///< 3 rows: x_1 - x_2 = 0
  kDistance,  ///< 1 row:  (d.d - L^2) / (2 L) = 0, d = x_2 - x_1
  kDot1,      ///< 1 row:  a_1 . a_2 = 0
  kDot2,      ///< 1 row:  a_1 . d = 0
  kLength,    ///< 1 row:  |d|
  kAngle,     ///< 1 row:  angle from b_1 to b_2 about a_1, plus length; a_1 and a_2 are parallel
  kTwist,     ///< 1 row:  (a_1 . a_2 - b_1 . b_2) / 2
  kRolling,   ///< 1 row:  t_1 . d - length - rho_1 angle, as of kAngle
  kGear,      ///< 1 row:  rho_1 angle_1 + rho_2 angle_2, from d to b_1 and from d to b_2 about a_1, normal to all
  kSection,   ///< 6 rows: motion from a section of a beam to the next one; a and b are axes 1 and 2 of the sections
};

/// Maximum number of rows of one primitive.
inline constexpr int kMaxPrimitiveRows = 6;

constexpr int rowsOf(PrimitiveKind kind) noexcept {
  return kind == PrimitiveKind::kSection ? 6 : kind == PrimitiveKind::kPoint ? 3 : 1;
}

/// What the rows of a joint have to satisfy.
enum class LawKind : std::uint8_t {
  kRigid,      ///< phi = 0
  kDriven,     ///< phi = value of a drive
  kCompliant,  ///< lambda = preload + K (phi - rest) + C d(phi)/dt
};

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

/// The heights of a road as a disc that rolls along it follows them.
struct RoadEnvelope {
  int road;
  double radius;  ///< of the disc, m
  SurfaceGrid heights;
};

enum class DriveKind : std::uint8_t { kPolynomial, kHarmonic, kTable, kInput };

/// A function of time with two derivatives.
struct Drive {
  DriveKind kind = DriveKind::kPolynomial;
  std::vector<double> coefficients;  ///< of kPolynomial; offset, amplitude, frequency, phase of kHarmonic
  std::vector<double> times, values, second_derivatives;  ///< of kTable: points and second derivatives there
  int actuator[3] = {-1, -1, -1};                         ///< of kInput: value, rate, acceleration; -1: zero

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind);
    visit.numbers(coefficients, times, values);
    visit.structure(actuator[0], actuator[1], actuator[2]);
  }
};

/// One primitive between two bodies. Vectors are fixed in body axes (world axes on ground).
struct Primitive {
  PrimitiveKind kind;
  int body_1, body_2;                                       ///< indices, or kGround
  int row;                                                  ///< first row among all rows of the Model
  Vector3d s_1, s_2;                                        ///< points, m
  Vector3d a_1, a_2;                                        ///< unit directions
  double length;                                            ///< of kDistance, m; of kAngle, rad
  Vector3d b_1 = Vector3d::Zero(), b_2 = Vector3d::Zero();  ///< second directions of kAngle, kTwist and kSection
  int displacement = -1;  ///< of kAngle and kRolling: index of its displacement in State; of kGear the first of two
  // Of kRolling and kGear.
  Vector3d t_1 = Vector3d::Zero();  ///< way, fixed in body 1
  double rho_1 = 0, rho_2 = 0;      ///< m a radian

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind, body_1, body_2);
    visit.numbers(s_1, s_2, a_1, a_2, length, b_1, b_2);
    visit.structure(displacement);
    visit.numbers(t_1, rho_1, rho_2);
    visit.layout(row);
  }
};

/// A joint: consecutive primitives, hence consecutive rows.
struct Joint {
  JointKind kind;
  int body_1, body_2;
  int first_primitive, primitive_count;
  int first_row, row_count;
  Vector3d point_1, point_2;  ///< where its reaction is reported; zero for kDot1
  int displacement = -1;      ///< index of its angle in State, or -1
  // Of joints with an angle or a travel: unit axis; of those with an angle, the direction from which it counts.
  Vector3d axis_1, axis_2;
  Vector3d zero_1, zero_2;
  double initial_angle;
  LawKind law = LawKind::kRigid;
  int law_index = -1;                  ///< into Model::compliant_laws or Model::drives
  bool has_travel = false;             ///< point 2 travels along axis 1 from point 1
  int coupler = -1;                    ///< index into Model::couplers of a joint whose one row is a sum of terms, or -1
  int first_pair = 0, pair_count = 0;  ///< of a coupler: range of its further bodies in Model::extra_body_pairs

  bool compliant() const noexcept { return law == LawKind::kCompliant; }

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind, body_1, body_2, first_primitive, primitive_count);
    visit.numbers(axis_1, zero_1, zero_2, initial_angle);
    visit.structure(law, law_index);
    visit.layout(first_row, row_count, displacement);
  }
};

/// Two further bodies of a joint with more than two, or kGround. The Jacobian of its row for them lies behind those of
/// all rows, in the order of Model::extra_body_pairs.
struct BodyPair {
  int body_1, body_2;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.layout(body_1, body_2);
  }
};

/// The terms of a row over several bodies, whose joint has no primitives of its own: of a coupler, or of a rope.
struct Coupler {
  int joint;
  std::vector<Primitive> terms;  ///< kRolling: t_1 is ratio times the axis, or rho_1 minus the ratio; one row in all
  /// For both bodies of each term: the index among the bodies of the joint and of its extra pairs, two for each pair;
  /// -1 for ground.
  std::vector<std::array<int, 2>> places;
};

enum class ActuatorKind : std::uint8_t { kJointTorque, kBodyForce, kBodyTorque, kDriveInput, kSpringInput, kControl };

struct Actuator {
  ActuatorKind kind;
  int target;          ///< joint of kJointTorque and kSpringInput, drive of kDriveInput, -1 of kControl, else body
  Vector3d point;      ///< body axes, m
  Vector3d direction;  ///< unit vector
  Frame frame;         ///< of direction
  double minimum = -std::numeric_limits<double>::max();
  double maximum = std::numeric_limits<double>::max();
  double initial = 0;
  int order = 0;               ///< of kDriveInput: 0 value, 1 rate, 2 acceleration; else the quantity of the spec
  double safe = 0;             ///< in the safe state; within the range
  InputLossSpec on_loss = {};  ///< kDefault is resolved
  int group = 0;               ///< index into Model::groups

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.structure(kind, target);
    visit.numbers(point, direction, frame, minimum, maximum, initial);
    visit.structure(order);
    visit.numbers(safe, on_loss.action, on_loss.ramp_time, on_loss.extrapolate_ticks, on_loss.then);
  }
};

enum class SensorKind : std::uint8_t {
  kJointAngle,
  kJointRate,
  kPointPosition,
  kPointVelocity,
  kPointAcceleration,
  kAngularVelocity,
  kForceValue,
  kJointTravel,
  kJointTravelRate,
  kReactionForce,
  kReactionTorque,
  kSpecificForce
};

struct Sensor {
  SensorKind kind;
  int target;          ///< joint index for the joint and force kinds, else body index
  Vector3d point;      ///< body axes, m
  Vector3d direction;  ///< unit vector
  Frame frame;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.layout(kind, target);
  }
};

/// A number that may differ from Model to Model of one run.
struct Parameter {
  std::string name, description, unit;
  double value = 0;
  std::optional<double> minimum, maximum;
  std::vector<std::string> targets;
};

/// The elements with constants of their own are the members of ElementLists.
struct Model : ElementLists {
  std::string name, description;
  Vector3d gravity;
  std::vector<Body> bodies;
  std::vector<Joint> joints;  ///< of the file, then force elements between bodies, then drives
  std::vector<Primitive> primitives;
  std::vector<CompliantLaw> compliant_laws;
  std::vector<Drive> drives;
  std::vector<int> gears;  ///< primitives of kGear
  std::vector<Coupler> couplers;
  std::vector<BodyPair> extra_body_pairs;  ///< further bodies of rows with terms
  std::vector<RoadEnvelope> envelopes;     ///< of tyres on roads with heights
  std::vector<int> springs_with_input;     ///< joints: springs whose free length or angle is an input
  std::vector<Actuator> actuators;
  std::vector<std::string> groups;  ///< of actuators, in the order of their first actuators; at least one
  std::vector<Sensor> sensors;
  std::vector<InitialCondition> initial_conditions;  ///< [0] is the declared state
  AssemblyLimitsSpec assembly;
  SolverSpec solver;
  std::vector<Parameter> parameters;  ///< values are in the constants already; not part of the hash
  int rows = 0;                       ///< of all joints
  int displacements = 0;              ///< angles that State counts: of joints that have one, two of each gear
  int internal_states = 0;            ///< values that elements keep from tick to tick
  double length = 1;                  ///< m, a typical size of the mechanism; scales rotations in norms
  std::uint64_t hash = 0;             ///< over everything here that decides a trajectory

  std::vector<std::string> body_names, joint_names, actuator_names, sensor_names;
  std::vector<std::string> slip_tyre_names, friction_names, powertrain_names;
  std::vector<std::string> body_descriptions, joint_descriptions, actuator_descriptions, sensor_descriptions;
  std::vector<std::optional<std::string>> actuator_units;  ///< none: that of what the actuator sets
  int declared_joints = 0;  ///< the first ones of `joints`: without force elements, drives and parts of composites

  int bodyCount() const noexcept { return static_cast<int>(bodies.size()); }
  int jointCount() const noexcept { return static_cast<int>(joints.size()); }
  /// Rows of a Jacobian: each constraint row for two bodies, then one row for each extra body pair.
  std::size_t jacobianRows() const noexcept { return static_cast<std::size_t>(rows) + extra_body_pairs.size(); }
  int actuatorCount() const noexcept { return static_cast<int>(actuators.size()); }
  int groupCount() const noexcept { return static_cast<int>(groups.size()); }
};

/// Builds the constants of a mechanism from its description.
/// @throws ModelError with every finding of checkModel() that is an error
Model buildModel(const ModelSpec& spec);

/// Whether a run may go on with `b` in place of `a`: both have the same bodies, rows, displacements, force elements,
/// inputs and signals, connected in the same way; the numbers may differ.
bool sameStructure(const Model& a, const Model& b);

/// Index of a named initial condition; the empty name is the declared state.
/// @throws Error naming the nearest known one
int findInitialCondition(const Model& model, const std::string& name);

}  // namespace tactus::rt
