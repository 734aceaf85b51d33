#include "rt/math/shortest_rotation.h"
#include "rt/model/check_model.h"
#include "rt/model/elements/element.h"
#include "server/model_io/attached_vectors.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/resolve.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// What the points and axes of a joint say about its two bodies.
struct JointFrames {
  Vector3d point_1, point_2;
  std::optional<Vector3d> axis_1, axis_2;
};

Vector3d fieldOf(const google::protobuf::Message& kind, const char* name, bool& given) {
  const auto* const field = kind.GetDescriptor()->FindFieldByName(name);
  given = field != nullptr && field->is_repeated() && kind.GetReflection()->FieldSize(kind, field) == 3;
  if (!given) return Vector3d::Zero();
  Vector3d vector;
  for (int i = 0; i < 3; ++i) vector[i] = kind.GetReflection()->GetRepeatedDouble(kind, field, i);
  return vector;
}

/// None unless the kind has two points.
std::optional<JointFrames> framesOf(const v1::Joint& joint) {
  const auto& reflection = *joint.GetReflection();
  const auto* const field = reflection.GetOneofFieldDescriptor(joint, joint.GetDescriptor()->FindOneofByName("kind"));
  if (field == nullptr) return std::nullopt;
  const google::protobuf::Message& kind = reflection.GetMessage(joint, field);
  JointFrames frames;
  bool has_1 = false, has_2 = false;
  frames.point_1 = fieldOf(kind, "point_1", has_1);
  frames.point_2 = fieldOf(kind, "point_2", has_2);
  if (!has_1 || !has_2) return std::nullopt;
  const Vector3d axis_1 = fieldOf(kind, "axis_1", has_1), axis_2 = fieldOf(kind, "axis_2", has_2);
  if (has_1 && axis_1.norm() > 0) frames.axis_1 = axis_1.normalized();
  if (has_2 && axis_2.norm() > 0) frames.axis_2 = axis_2.normalized();
  return frames;
}

class Placements {
 public:
  Placements(v1::Model& model, rt::FindingList& out) : model_(model), out_(out) {
    for (int i = 0; i < model.bodies_size(); ++i) bodies_.emplace(model.bodies(i).name(), i);
    for (int i = 0; i < model.joints_size(); ++i) joints_.emplace(model.joints(i).name(), i);
  }

  void run() {
    // Each pass places the bodies whose neighbor is placed: as many passes as the longest chain has bodies.
    for (bool placed = true; placed;) {
      placed = false;
      for (int i = 0; i < model_.bodies_size(); ++i)
        if (model_.bodies(i).has_placement()) placed |= place(i);
    }
  }

 private:
  v1::Body& body(int i) { return *model_.mutable_bodies(i); }
  std::string pathOf(int i, const char* field) {
    return rt::element("bodies", static_cast<std::size_t>(i)) + ".placement" + field;
  }

  bool refuse(int i, const char* field, const std::string& value, const char* rule, const std::string& hint = {}) {
    out_.error(pathOf(i, field), value, rule, hint);
    body(i).clear_placement();
    return true;
  }

  /// Pose of a body that is placed, or of ground.
  std::optional<Isometry> poseOf(const std::string& name) {
    if (name.empty() || name == rt::kGroundName) return Isometry{};
    const auto found = bodies_.find(name);
    if (found == bodies_.end() || body(found->second).has_placement()) return std::nullopt;
    const v1::Body& at = body(found->second);
    return Isometry{vectorOf(at.position()), quaternionOf(at.orientation())};
  }

  /// @returns whether the body has no placement any more
  bool place(int i) {
    const v1::Placement& placement = body(i).placement();
    if (body(i).position_size() > 0 || body(i).orientation_size() > 0)
      return refuse(i, "", "{...}", "must not be given together with position or orientation of the body");
    for (const auto& [numbers, size, field] :
         {std::tuple{&placement.position(), 3, ".position"}, std::tuple{&placement.orientation(), 4, ".orientation"},
          std::tuple{&placement.point(), 3, ".point"}})
      if (!numbers->empty() && numbers->size() != size)
        return refuse(i, field, std::to_string(numbers->size()) + " numbers",
                      size == 3 ? "must be a list of three numbers" : "must be a list of four numbers");
    return placement.joint().empty() ? placeOnBody(i) : placeByJoint(i);
  }

  bool placeOnBody(int i) {
    const v1::Placement& placement = body(i).placement();
    if (placement.angle() != 0 || placement.travel() != 0)
      return refuse(i, placement.angle() != 0 ? ".angle" : ".travel",
                    rt::printed(placement.angle() != 0 ? placement.angle() : placement.travel()),
                    "must be given with the joint that it belongs to");
    const auto host = poseOf(placement.body());
    if (!host) return false;
    const Quaterniond turn = quaternionOf(placement.orientation());
    put(i, *host * Isometry{vectorOf(placement.position()) - turn * vectorOf(placement.point()), turn});
    return true;
  }

  bool placeByJoint(int i) {
    const v1::Placement placement = body(i).placement();
    if (!placement.body().empty() || !placement.position().empty() || !placement.point().empty())
      return refuse(i, ".joint", rt::printed(placement.joint()),
                    "must be given without body, position and point: they follow from the joint");
    const auto found = joints_.find(placement.joint());
    if (found == joints_.end()) return false;
    v1::Joint& joint = *model_.mutable_joints(found->second);
    const bool is_second = joint.body_2() == body(i).name();
    if (!is_second && joint.body_1() != body(i).name())
      return refuse(i, ".joint", rt::printed(placement.joint()), "must be a joint of this body");
    const auto frames = framesOf(joint);
    if (!frames) return refuse(i, ".joint", rt::printed(placement.joint()), "must be a joint with point_1 and point_2");
    if ((placement.angle() != 0 || placement.travel() != 0) && !frames->axis_1)
      return refuse(i, ".joint", rt::printed(placement.joint()),
                    "must be a joint with axis_1, for an angle or a travel");
    const auto other = poseOf(is_second ? joint.body_1() : joint.body_2());
    if (!other) return false;

    // Body 2 in the frame of body 1.
    Quaterniond turn = quaternionOf(placement.orientation());
    if (!is_second) turn = turn.conjugate();
    if (placement.orientation_size() == 0 && frames->axis_1 && frames->axis_2)
      turn = rt::shortestRotation(*frames->axis_2, *frames->axis_1);
    Vector3d way = Vector3d::Zero();
    if (frames->axis_1) {
      turn = Quaterniond(Eigen::AngleAxisd(placement.angle(), *frames->axis_1)) * turn;
      way = placement.travel() * *frames->axis_1;
    }
    const Isometry second{frames->point_1 + way - turn * frames->point_2, turn};
    put(i, is_second ? *other * second : *other * second.inverse());
    if (placement.angle() != 0) setInitialAngle(joint, placement.angle());
    return true;
  }

  void put(int i, const Isometry& pose) {
    setVector(pose.position, *body(i).mutable_position());
    setQuaternion(pose.rotation, *body(i).mutable_orientation());
    body(i).clear_placement();
  }

  static void setInitialAngle(v1::Joint& joint, double angle) {
    const auto& reflection = *joint.GetReflection();
    const auto* const held = reflection.GetOneofFieldDescriptor(joint, joint.GetDescriptor()->FindOneofByName("kind"));
    google::protobuf::Message& kind = *reflection.MutableMessage(&joint, held);
    const auto* const field = kind.GetDescriptor()->FindFieldByName("initial_angle");
    if (field != nullptr && kind.GetReflection()->GetDouble(kind, field) == 0)
      kind.GetReflection()->SetDouble(&kind, field, angle);
  }

  v1::Model& model_;
  rt::FindingList& out_;
  std::map<std::string, int> bodies_, joints_;
};

/// "b, then c, then b": where placements lead from a body.
std::string wayFrom(const v1::Model& model, const std::string& body) {
  std::string way;
  std::string at = body;
  std::vector<std::string> seen;
  while (std::find(seen.begin(), seen.end(), at) == seen.end()) {
    seen.push_back(at);
    const auto found =
        std::find_if(model.bodies().begin(), model.bodies().end(), [&](const v1::Body& b) { return b.name() == at; });
    if (found == model.bodies().end() || !found->has_placement()) return way;
    std::string next = found->placement().body();
    for (const v1::Joint& joint : model.joints())
      if (!found->placement().joint().empty() && joint.name() == found->placement().joint())
        next = joint.body_1() == at ? joint.body_2() : joint.body_1();
    way += (way.empty() ? "" : ", then ") + next;
    at = next;
  }
  return way;
}

}  // namespace

void resolvePlacements(v1::Model& model, rt::FindingList& out) {
  Placements(model, out).run();
}

void refusePlacements(v1::Model& model, rt::FindingList& out) {
  std::vector<std::string> bodies = {rt::kGroundName}, joints;
  for (const v1::Body& body : model.bodies()) bodies.push_back(body.name());
  for (const v1::Joint& joint : model.joints()) joints.push_back(joint.name());
  const auto known = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  const auto near = [&](const std::vector<std::string>& names, const std::string& name) {
    const std::string nearest = out.mayLookForNames() ? rt::nearestName(name, names) : "";
    return nearest.empty() ? "" : "did you mean \"" + nearest + "\"?";
  };
  for (int i = 0; i < model.bodies_size(); ++i) {
    if (!model.bodies(i).has_placement()) continue;
    const v1::Placement& placement = model.bodies(i).placement();
    const std::string path = rt::element("bodies", static_cast<std::size_t>(i)) + ".placement";
    if (!placement.joint().empty() && !known(joints, placement.joint()))
      out.error(path + ".joint", rt::printed(placement.joint()), "must be a joint of the model",
                near(joints, placement.joint()));
    else if (!placement.body().empty() && !known(bodies, placement.body()))
      out.error(path + ".body", rt::printed(placement.body()), "must be a body of the model or \"ground\"",
                near(bodies, placement.body()));
    else
      out.error(path, rt::printed(model.bodies(i).name()), "must lead to ground or to a body with a position",
                "it is placed on " + wayFrom(model, model.bodies(i).name()));
  }
  for (v1::Body& body : *model.mutable_bodies()) body.clear_placement();
}

void refuseIncludes(v1::Model& model, rt::FindingList& out) {
  for (int i = 0; i < model.includes_size(); ++i)
    out.error(rt::element("includes", static_cast<std::size_t>(i)) + ".file", rt::printed(model.includes(i).file()),
              kNoFolder,
              "tactus model print writes the model with its included files");
  model.clear_includes();
}

void resolve(v1::Model& model, rt::FindingList& out) {
  resolvePlacements(model, out);
  refusePlacements(model, out);
  resolveTables(model, out);
  resolvePointMasses(model, out);
  resolveJointRates(model, out);
}

}  // namespace tactus::server
