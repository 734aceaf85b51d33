#include "server/record/scene_message.h"

#include "rt/model/model.h"
#include "server/record/scene_joints.h"
#include "server/record/scene_roads.h"
#include "server/record/scene_shapes.h"
#include "server/record/scene_values.h"

#include <map>
#include <string>

namespace tactus::server {
namespace {

/// The entities of a scene by the names of their frames.
class Entities {
 public:
  Entities(foxglove::SceneUpdate& update, std::uint64_t time_ns) : update_(update), time_ns_(time_ns) {}

  /// A new entity in a frame. A body carries its shapes.
  foxglove::SceneEntity& add(const std::string& id, const std::string& frame) {
    index_.emplace(id, update_.entities_size());
    foxglove::SceneEntity& entity = *update_.add_entities();
    scene::setTime(*entity.mutable_timestamp(), time_ns_);
    entity.set_frame_id(frame);
    entity.set_id(id);
    entity.set_frame_locked(frame != scene::kWorld);
    return entity;
  }

  /// The entity of a body, also of a composite element; that of the world for "ground". Made when it is needed.
  foxglove::SceneEntity& of(const std::string& body) {
    const auto found = index_.find(body);
    if (found != index_.end()) return *update_.mutable_entities(found->second);
    return add(body, body.empty() || body == "ground" ? scene::kWorld : body);
  }

 private:
  foxglove::SceneUpdate& update_;
  std::uint64_t time_ns_;
  std::map<std::string, int> index_;
};

}  // namespace

foxglove::SceneUpdate sceneOf(const v1::Model& model, std::uint64_t time_ns) {
  foxglove::SceneUpdate update;
  Entities entities(update, time_ns);
  const Attachments attachments(model);
  for (const v1::Body& body : model.bodies()) {
    foxglove::SceneEntity& entity = entities.of(body.name());
    for (const v1::Visual& visual : body.visuals()) addShape(model, visual, entity);
    if (body.visuals().empty() && !addTyres(model, body.name(), entity)) addBody(body, attachments, entity);
  }
  addJoints(model, attachments, [&](const std::string& body) -> foxglove::SceneEntity& { return entities.of(body); });
  for (const v1::Road& road : model.roads()) addRoad(road, entities.add(road.name(), scene::kWorld));
  return update;
}

void writeFrames(const rt::Model& model, const rt::Snapshot& snapshot, std::uint64_t time_ns,
                 foxglove::FrameTransforms& out) {
  const rt::StateView state(rt::StateLayout(model), snapshot.state.data());
  const int bodies = static_cast<int>(model.body_names.size());
  while (out.transforms_size() < bodies) out.add_transforms();
  for (int i = 0; i < bodies; ++i) {
    foxglove::FrameTransform& frame = *out.mutable_transforms(i);
    scene::setTime(*frame.mutable_timestamp(), time_ns);
    frame.set_parent_frame_id(scene::kWorld);
    frame.set_child_frame_id(model.body_names[static_cast<std::size_t>(i)]);
    scene::set(*frame.mutable_translation(), Eigen::Vector3d(state.r(i)));
    const Eigen::Vector4d p = state.p(i);  // scalar first
    scene::set(*frame.mutable_rotation(), Eigen::Quaterniond(p[0], p[1], p[2], p[3]));
  }
}

}  // namespace tactus::server
