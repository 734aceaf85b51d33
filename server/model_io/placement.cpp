#include "rt/math/shortest_rotation.h"
#include "rt/model/check_model.h"
#include "rt/model/elements/element.h"
#include "rt/model/rules.h"
#include "server/model_io/attached_vectors.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/resolve.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
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

/// The shortest rotation that puts axis 2 across axis 1, as in the cross of a universal joint.
Quaterniond crossing(const Vector3d& axis_1, const Vector3d& axis_2) {
  Vector3d across = axis_2 - axis_2.dot(axis_1) * axis_1;
  constexpr double kParallel = 1e-9;  // then any normal will do
  if (across.norm() < kParallel) across = axis_1.unitOrthogonal();
  return rt::shortestRotation(axis_2, across);
}

class Placements {
 public:
  Placements(v1::Model& model, rt::FindingList& out) : model_(model), out_(out) {
    for (int i = 0; i < model.bodies_size(); ++i) bodies_.emplace(model.bodies(i).name(), i);
    for (int i = 0; i < model.joints_size(); ++i) joints_.emplace(model.joints(i).name(), i);
  }

  /// Each body is placed once its neighbor is: it waits there.
  void run() {
    std::vector<int> queue;
    for (int i = 0; i < model_.bodies_size(); ++i)
      if (model_.bodies(i).has_placement()) queue.push_back(i);
    std::vector<std::vector<int>> waiting(static_cast<std::size_t>(model_.bodies_size()));
    for (std::size_t next = 0; next < queue.size(); ++next) {
      const int i = queue[next];
      awaited_ = -1;
      if (place(i)) {
        auto& behind = waiting[static_cast<std::size_t>(i)];
        queue.insert(queue.end(), behind.begin(), behind.end());
      } else if (awaited_ >= 0) {
        waiting[static_cast<std::size_t>(awaited_)].push_back(i);
      }
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

  /// Pose of a body that is placed, or of ground. None: awaited_ is the body that has no place yet.
  std::optional<Isometry> poseOf(const std::string& name) {
    if (name.empty() || name == rt::kGroundName) return Isometry{};
    const auto found = bodies_.find(name);
    if (found == bodies_.end()) return std::nullopt;
    const v1::Body& at = body(found->second);
    if (at.has_placement()) {
      awaited_ = found->second;
      return std::nullopt;
    }
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
    // The pose that follows would hide them.
    rt::FindingList wrong;
    for (const auto& [numbers, field] :
         {std::pair{&placement.position(), ".position"}, std::pair{&placement.point(), ".point"}})
      rt::requireFinite(pathOf(i, field), vectorOf(*numbers), wrong);
    for (const auto& [number, field] :
         {std::pair{placement.angle(), ".angle"}, std::pair{placement.travel(), ".travel"}})
      rt::requireFinite(pathOf(i, field), number, wrong);
    if (!placement.orientation().empty())
      rt::requireUnitQuaternion(pathOf(i, ".orientation"), Eigen::Vector4d(placement.orientation().data()), wrong);
    if (const auto findings = wrong.take(); !findings.empty()) {
      const rt::Finding& first = findings.front();
      out_.error(first.path, first.value, first.rule, first.hint);
      body(i).clear_placement();
      return true;
    }
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
      turn = joint.has_universal() ? crossing(*frames->axis_1, *frames->axis_2)
                                   : rt::shortestRotation(*frames->axis_2, *frames->axis_1);
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
  std::unordered_map<std::string, int> bodies_, joints_;
  int awaited_ = -1;
};

/// The bodies and joints of a model by name: the first of each name.
struct Named {
  std::unordered_map<std::string, const v1::Body*> bodies;
  std::unordered_map<std::string, const v1::Joint*> joints;

  explicit Named(const v1::Model& model) {
    for (const v1::Body& body : model.bodies()) bodies.emplace(body.name(), &body);
    for (const v1::Joint& joint : model.joints()) joints.emplace(joint.name(), &joint);
  }

  /// "b, then c, then b": where placements lead from a body, up to the eighth.
  std::string wayFrom(const std::string& body) const {
    constexpr std::size_t kMost = 8;
    std::string way, at = body;
    std::vector<std::string> seen;
    while (std::find(seen.begin(), seen.end(), at) == seen.end()) {
      if (seen.size() == kMost) return way + ", then others";
      seen.push_back(at);
      const auto found = bodies.find(at);
      if (found == bodies.end() || !found->second->has_placement()) return way;
      const v1::Placement& placement = found->second->placement();
      std::string next = placement.body();
      if (const auto joint = joints.find(placement.joint()); !placement.joint().empty() && joint != joints.end())
        next = joint->second->body_1() == at ? joint->second->body_2() : joint->second->body_1();
      way += (way.empty() ? "" : ", then ") + next;
      at = next;
    }
    return way;
  }
};

}  // namespace

void resolvePlacements(v1::Model& model, rt::FindingList& out) {
  Placements(model, out).run();
}

void refusePlacements(v1::Model& model, rt::FindingList& out) {
  const auto& bodies = model.bodies();
  if (std::none_of(bodies.begin(), bodies.end(), [](const v1::Body& body) { return body.has_placement(); })) return;
  const Named named(model);
  const auto near = [&](const auto& elements, const std::string& name, const char* further) -> std::string {
    if (!out.mayLookForNames()) return "";
    std::vector<std::string> names;
    if (*further != '\0') names.emplace_back(further);
    for (const auto& element : elements) names.push_back(element.name());
    const std::string nearest = rt::nearestName(name, names);
    return nearest.empty() ? "" : "did you mean \"" + nearest + "\"?";
  };
  for (int i = 0; i < model.bodies_size(); ++i) {
    if (!model.bodies(i).has_placement()) continue;
    const v1::Placement& placement = model.bodies(i).placement();
    const std::string path = rt::element("bodies", static_cast<std::size_t>(i)) + ".placement";
    const std::string &joint = placement.joint(), &body = placement.body();
    if (!joint.empty() && named.joints.count(joint) == 0)
      out.error(path + ".joint", rt::printed(joint), "must be a joint of the model", near(model.joints(), joint, ""));
    else if (!body.empty() && body != rt::kGroundName && named.bodies.count(body) == 0)
      out.error(path + ".body", rt::printed(body), "must be a body of the model or \"ground\"",
                near(bodies, body, rt::kGroundName));
    else
      out.error(path, rt::printed(model.bodies(i).name()), "must lead to ground or to a body with a position",
                out.mayLookForNames() ? "it is placed on " + named.wayFrom(model.bodies(i).name()) : "");
  }
  for (v1::Body& body : *model.mutable_bodies()) body.clear_placement();
}

void refuseIncludes(v1::Model& model, rt::FindingList& out) {
  for (int i = 0; i < model.includes_size(); ++i)
    out.error(rt::element("includes", static_cast<std::size_t>(i)) + ".file", rt::printed(model.includes(i).file()),
              kNoFolder, "tactus model print writes the model with its included files");
  model.clear_includes();
}

void resolve(v1::Model& model, rt::FindingList& out) {
  resolvePlacements(model, out);
  refusePlacements(model, out);
  resolveTables(model, out);
  resolveJointRates(model, resolvePointMasses(model, out), out);
}

}  // namespace tactus::server
