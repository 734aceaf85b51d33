// The rules of validity behind checkModel(), by theme. Each appends its findings; none depends on another having
// passed.
#pragma once

#include "rt/model/finding_list.h"
#include "rt/model/joint_builder.h"
#include "rt/model/model_spec.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tactus::rt::rules {

inline constexpr std::size_t kMaxBodies = 4096;
inline constexpr std::size_t kMaxJoints = 16384;
inline constexpr std::size_t kMaxSignals = 4096;  ///< actuators; sensors
inline constexpr std::size_t kMaxParameters = 256;
/// Points nearer than this leave a distance without a direction, m.
inline constexpr double kNearestPoints = 1e-9;

/// Bodies and joints by name, for references. The first of several with one name counts.
class References {
 public:
  explicit References(const ModelSpec& spec);

  const BodySpec* body(const std::string& name) const;
  const JointSpec* joint(const std::string& name) const;
  const RoadSpec* road(const std::string& name) const;

  /// A finding unless `name` is a body. `with_ground`: the world is allowed, too.
  void requireBody(const std::string& path, const std::string& name, bool with_ground, FindingList& out) const;
  /// Pose of a body, or of ground; none if the body does not exist or has no pose that can be used.
  std::optional<DeclaredPose> declaredPose(const std::string& name) const;

  /// A finding unless `name` is a drive.
  void requireDrive(const std::string& path, const std::string& name, FindingList& out) const;
  /// A finding unless `name` is a road.
  void requireRoad(const std::string& path, const std::string& name, FindingList& out) const;
  /// Distance of two points in the declared state, m; none if a body does not exist or has no pose that can be used.
  std::optional<double> declaredDistance(const std::string& body_1, const Vector3d& point_1, const std::string& body_2,
                                         const Vector3d& point_2) const;
  /// A finding unless `name` is a joint.
  void requireJoint(const std::string& path, const std::string& name, FindingList& out) const;
  /// A finding unless `name` is a force element of one row.
  void requireRowForce(const std::string& path, const std::string& name, FindingList& out) const;
  /// A finding unless `name` is a joint that has an angle.
  void requireAngle(const std::string& path, const std::string& name, FindingList& out) const;
  /// A finding unless `name` is a joint that has a travel.
  void requireTravel(const std::string& path, const std::string& name, FindingList& out) const;

 private:
  void requireCoordinate(const std::string& path, const std::string& name, const std::vector<std::string>& having,
                         const char* rule, const char* none, FindingList& out) const;

  std::vector<std::string> row_force_names_;
  std::vector<std::string> body_names_, joint_names_, angle_names_, travel_names_, drive_names_, road_names_;
  std::unordered_map<std::string, const BodySpec*> bodies_;
  std::unordered_map<std::string, const JointSpec*> joints_;
  std::unordered_map<std::string, const RoadSpec*> roads_;
};

// Values that occur everywhere.

/// @returns true if every number is finite
bool requireFinite(const std::string& path, double value, FindingList& out);
bool requireFinite(const std::string& path, const Vector3d& value, FindingList& out);
void requirePositive(const std::string& path, double value, FindingList& out);
void requireNotNegative(const std::string& path, double value, FindingList& out);
void requireWithin(const std::string& path, double value, double low, double high, FindingList& out);
void requireDirection(const std::string& path, const Vector3d& value, FindingList& out);
void requireUnitQuaternion(const std::string& path, const Vector4d& value, FindingList& out);

// The whole model: check_model.cpp.
void checkNames(const ModelSpec& spec, FindingList& out);
void checkCounts(const ModelSpec& spec, FindingList& out);
void checkGravity(const ModelSpec& spec, FindingList& out);
void checkAssemblyLimits(const ModelSpec& spec, FindingList& out);
void checkSolver(const ModelSpec& spec, FindingList& out);
void checkParameters(const ModelSpec& spec, FindingList& out);

// check_bodies.cpp
void checkBody(const std::string& path, const BodySpec& body, FindingList& out);
void checkInitialCondition(const std::string& path, const InitialConditionSpec& condition, const References& references,
                           FindingList& out);

// check_joints.cpp
bool hasAngle(const JointSpec& joint) noexcept;
bool hasTravel(const JointSpec& joint) noexcept;
void checkJoint(const std::string& path, const JointSpec& joint, const References& references, FindingList& out);

// check_couplers.cpp
void checkCouplers(const ModelSpec& spec, const References& references, FindingList& out);

// check_forces.cpp
void checkForce(const std::string& path, const ForceSpec& force, const References& references, FindingList& out);
void checkRoad(const std::string& path, const RoadSpec& road, FindingList& out);
void checkDrive(const std::string& path, const DriveSpec& drive, const References& references, FindingList& out);
/// Which actuators feed which drive.
void checkDriveInputs(const ModelSpec& spec, FindingList& out);

// check_vehicle.cpp
/// @returns false if the element is none of a vehicle's
bool checkVehicleForce(const std::string& path, const ForceSpec& force, const References& references, FindingList& out);
void checkSurfaceGrid(const std::string& path, const SurfaceGridSpec& grid, FindingList& out);
/// What vertical tyres make of heights.
void checkEnvelopes(const ModelSpec& spec, FindingList& out);
/// Which actuators feed which brakes and powertrains.
void checkControls(const ModelSpec& spec, FindingList& out);
// check_springs.cpp
void checkSpringLaw(const std::string& path, const SpringLawSpec& law, double stiffness, double damping,
                    FindingList& out);
/// Which actuators set what of which spring.
void checkSpringInputs(const ModelSpec& spec, FindingList& out);

// check_signals.cpp
void checkActuator(const std::string& path, const ActuatorSpec& actuator, const References& references,
                   FindingList& out);
void checkSensor(const std::string& path, const SensorSpec& sensor, const References& references, FindingList& out);

}  // namespace tactus::rt::rules
