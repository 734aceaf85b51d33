#include "server/model_io/rated_joint.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <numbers>
#include <set>
#include <tuple>

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

/// Of all elements.
std::set<std::string> namesOf(const v1::Model& model) {
  std::set<std::string> names;
  const auto add = [&names](const auto& list) {
    for (const auto& element : list) names.insert(element.name());
  };
  add(model.bodies()), add(model.joints()), add(model.forces()), add(model.drives()), add(model.roads());
  add(model.actuators()), add(model.sensors()), add(model.composites());
  return names;
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
  out.couples = kind_case == Kind::kCoupler;
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

bool takeRate(const v1::InitialRate& rate, const std::string& path, RatedJoint& joint, rt::FindingList& out) {
  bool good = true;
  const auto refuse = [&](const char* field, const std::string& value, const std::string& rule,
                          const std::string& hint = {}) {
    out.error(path + field, value, rule, hint);
    good = false;
  };
  if (joint.angle || joint.travel) refuse(".joint", rt::printed(rate.joint()), "must be given once");
  if (!rate.has_angle() && !rate.has_travel())
    refuse("", rt::printed(rate.joint()), "must have the rate of an angle or of a travel");
  if (rate.has_angle() && !joint.has_angle)
    refuse(".angle", rt::printed(rate.angle()), "must belong to a joint with an angle",
           "such joints are revolute, cylindrical, planar, screw and rack_and_pinion");
  if (rate.has_travel() && !joint.has_travel)
    refuse(".travel", rt::printed(rate.travel()), "must belong to a joint with a travel",
           "such joints are prismatic, cylindrical, screw and point_on_line");
  for (const auto& [given, value, field] :
       {std::tuple{rate.has_angle(), rate.angle(), ".angle"}, std::tuple{rate.has_travel(), rate.travel(), ".travel"}})
    if (given && !std::isfinite(value)) refuse(field, rt::printed(value), "must be finite");
  if (rate.has_angle()) joint.angle = rate.angle();
  if (rate.has_travel()) joint.travel = rate.travel();
  const double way = joint.pitch / (2 * std::numbers::pi);
  if (way == 0 || (!joint.angle && !joint.travel)) return good;
  if (joint.angle && !joint.travel) joint.travel = way * *joint.angle;
  if (joint.travel && !joint.angle) joint.angle = *joint.travel / way;
  constexpr double kDigits = 1e-6;  // of a file
  const double wanted = way * *joint.angle;
  if (good && !(std::abs(*joint.travel - wanted) <= kDigits * std::abs(wanted)))
    refuse(".travel", rt::printed(*joint.travel), "must be that of the pitch and the angle: " + rt::printed(wanted),
           "one rate of a screw is enough");
  return good;
}

void addDrives(const std::vector<RatedJoint>& joints, const std::vector<Isometry>& poses, v1::Model& trial) {
  std::set<std::string> driven_angles, driven_travels, taken = namesOf(trial);
  for (const v1::Drive& drive : trial.drives()) {
    if (drive.has_angle()) driven_angles.insert(drive.angle().joint());
    if (drive.has_travel()) driven_travels.insert(drive.travel().joint());
  }
  const auto freeName = [&taken](std::string name) {
    while (!taken.insert(name).second) name += '_';
    return name;
  };
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const RatedJoint& joint = joints[i];
    const std::string name = trial.joints(static_cast<int>(i)).name();
    if (!isRated(joint)) continue;
    // One of a screw is enough: its travel follows from its angle.
    const bool is_screw = joint.pitch != 0, has_angle = driven_angles.count(name) > 0,
               has_travel = driven_travels.count(name) > 0;
    const bool needs_angle = joint.angle && !has_angle && !(is_screw && has_travel);
    const bool needs_travel = joint.travel && !has_travel && !(is_screw && joint.angle);
    const auto addDrive = [&](const char* begin, double value, double rate) -> v1::Drive& {
      v1::Drive& drive = *trial.add_drives();
      drive.set_name(freeName(begin + std::to_string(i)));
      drive.mutable_polynomial()->add_coefficients(value);
      drive.mutable_polynomial()->add_coefficients(rate);
      return drive;
    };
    if (needs_angle) addDrive("rate_of_joint_", joint.initial_angle, *joint.angle).mutable_angle()->set_joint(name);
    if (!needs_travel) continue;
    const Isometry first = poseOf(joint.body_1, poses), second = poseOf(joint.body_2, poses);
    const Vector3d way =
        second.position + second.rotation * joint.point_2 - first.position - first.rotation * joint.point_1;
    addDrive("rate_of_travel_", (first.rotation * joint.axis_1).dot(way), *joint.travel)
        .mutable_travel()
        ->set_joint(name);
  }
}

}  // namespace tactus::server
