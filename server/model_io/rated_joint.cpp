#include "server/model_io/rated_joint.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <initializer_list>

namespace tactus::server {
namespace {

using Eigen::Vector3d;

Vector3d listOf(const google::protobuf::Message& kind, const char* name) {
  const auto* const field = kind.GetDescriptor()->FindFieldByName(name);
  Vector3d vector = Vector3d::Zero();
  if (field == nullptr || !field->is_repeated() || kind.GetReflection()->FieldSize(kind, field) != 3) return vector;
  for (int i = 0; i < 3; ++i) vector[i] = kind.GetReflection()->GetRepeatedDouble(kind, field, i);
  return vector;
}

}  // namespace

RatedJoint ratedJoint(const v1::Joint& joint, const std::map<std::string, int>& bodies) {
  using Kind = v1::Joint;
  RatedJoint out;
  const auto indexOf = [&](const std::string& name) {
    const auto found = bodies.find(name);
    return found == bodies.end() ? kGroundBody : found->second;
  };
  out.body_1 = indexOf(joint.body_1());
  out.body_2 = indexOf(joint.body_2());
  const auto kind_case = joint.kind_case();
  const auto isOneOf = [&](std::initializer_list<Kind::KindCase> kinds) {
    return std::find(kinds.begin(), kinds.end(), kind_case) != kinds.end();
  };
  out.has_angle = isOneOf({Kind::kRevolute, Kind::kCylindrical, Kind::kPlanar, Kind::kScrew, Kind::kRackAndPinion});
  out.has_travel = isOneOf({Kind::kPrismatic, Kind::kCylindrical, Kind::kScrew, Kind::kPointOnLine});
  out.holds =
      isOneOf({Kind::kRevolute, Kind::kCylindrical, Kind::kPlanar, Kind::kScrew, Kind::kPrismatic, Kind::kPointOnLine,
               Kind::kSpherical, Kind::kPoint, Kind::kUniversal, Kind::kWeld, Kind::kConstantVelocity});
  if (kind_case == Kind::KIND_NOT_SET) return out;
  const auto& reflection = *joint.GetReflection();
  const google::protobuf::Message& kind = reflection.GetMessage(
      joint, reflection.GetOneofFieldDescriptor(joint, joint.GetDescriptor()->FindOneofByName("kind")));
  out.point_1 = listOf(kind, "point_1");
  out.point_2 = listOf(kind, "point_2");
  if (const Vector3d axis = listOf(kind, "axis_1"); axis.norm() > 0) out.axis_1 = axis.normalized();
  if (kind_case == Kind::kScrew) out.pitch = joint.screw().pitch();
  if (const auto* const angle = kind.GetDescriptor()->FindFieldByName("initial_angle"))
    out.initial_angle = kind.GetReflection()->GetDouble(kind, angle);
  return out;
}

}  // namespace tactus::server
