// The editable description of joints. Members are named as in proto/tactus/v1/model.proto.
#pragma once

#include <Eigen/Core>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tactus::rt {

using Eigen::Vector3d;

// Points are measured from the centre of mass in body axes; on ground, from the origin in world axes.

struct SphericalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
struct RevoluteSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;
};
struct DistanceSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  std::optional<double> length;
};
struct Dot1Spec {
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
};
struct Dot2Spec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
struct PointSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
/// Points coincide, and the axes stay perpendicular.
struct UniversalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
};
/// Both axes, through the points, lie on one line.
struct CylindricalSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;
};
/// Both axes, through the points, lie on one line, and the bodies do not turn against each other.
struct PrismaticSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
};
/// Both planes, through the points and normal to the axes, are one.
struct PlanarSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double initial_angle = 0;
};
/// Points coincide, and the bodies do not turn against each other.
struct WeldSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
/// Point 2 stays on the line through point 1 along axis 1.
struct PointOnLineSpec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};
/// Point 2 stays in the plane through point 1 normal to axis 1.
struct PointOnPlaneSpec {
  Vector3d axis_1 = Vector3d::Zero(), point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
};

/// Two wheels in mesh: radius_1 (angle of body 1) + radius_2 (angle of body 2) stays, both against the line from
/// point 1 to point 2, the centres. Of internal ones body 2 is the ring. Other joints keep the axes parallel.
struct GearSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero();  ///< of both, body 1
  double radius_1 = 0, radius_2 = 0;   ///< of the pitch circles, m
  bool internal = false;
};
/// Body 1 is the rack, body 2 the pinion: travel of point 2 from point 1 along the direction, less radius times the
/// angle of body 2 against body 1, stays. Other joints keep the axis and the distance.
struct RackAndPinionSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero();       ///< of the pinion, body 1
  Vector3d direction_1 = Vector3d::Zero();  ///< of the rack's way, body 1
  double radius = 0;                        ///< m
};
/// A cylindrical joint whose travel is pitch times its turns.
struct ScrewSpec {
  Vector3d point_1 = Vector3d::Zero(), point_2 = Vector3d::Zero();
  Vector3d axis_1 = Vector3d::Zero(), axis_2 = Vector3d::Zero();
  double pitch = 0;  ///< m a turn; below zero: left-handed
};

struct CoupledCoordinateSpec {
  std::string joint;        ///< declared before the coupler
  double ratio = 0;         ///< of the sum for each rad or m
  bool along_axis = false;  ///< the travel of the joint, not its angle
};
/// The sum of ratio times coordinate over two or three joints stays as declared.
struct CouplerSpec {
  std::vector<CoupledCoordinateSpec> coordinates;
};

struct JointSpec {
  std::string name;
  std::string description;
  std::string body_1;  ///< name of a body, or kGroundName of model_spec.h; of a coupler empty
  std::string body_2;
  std::variant<SphericalSpec, RevoluteSpec, DistanceSpec, Dot1Spec, Dot2Spec, PointSpec, UniversalSpec, CylindricalSpec,
               PrismaticSpec, PlanarSpec, WeldSpec, PointOnLineSpec, PointOnPlaneSpec, GearSpec, RackAndPinionSpec,
               ScrewSpec, CouplerSpec>
      kind;
};

}  // namespace tactus::rt
