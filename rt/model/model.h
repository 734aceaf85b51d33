// The constants of a mechanism: flat arrays and indices, validated, shared, never written after buildModel().
#pragma once

#include "rt/model/compliant_law.h"
#include "rt/model/drive.h"
#include "rt/model/elements/elements.h"
#include "rt/model/joint.h"
#include "rt/model/limits.h"
#include "rt/model/model_spec.h"
#include "rt/model/primitive.h"

#include <Eigen/Core>

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace tactus::rt {

/// The heights of a road as a disc that rolls along it follows them.
struct RoadEnvelope {
  int road;
  double radius;  ///< of the disc, m
  SurfaceGrid heights;
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
