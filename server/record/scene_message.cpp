#include "server/record/scene_message.h"

#include "rt/model/model.h"
#include "server/record/scene_roads.h"
#include "server/record/scene_shapes.h"
#include "server/record/scene_values.h"

#include <string>

namespace tactus::server {
foxglove::SceneUpdate sceneOf(const v1::Model& model, std::uint64_t time_ns) {
  foxglove::SceneUpdate update;
  for (const v1::Body& body : model.bodies()) {
    foxglove::SceneEntity& entity = *update.add_entities();
    scene::setTime(*entity.mutable_timestamp(), time_ns);
    entity.set_frame_id(body.name());
    entity.set_id(body.name());
    entity.set_frame_locked(true);
    for (const v1::Visual& visual : body.visuals()) addShape(model, visual, entity);
    if (body.visuals().empty() && !addTyres(model, body.name(), entity)) addInertiaBox(body, entity);
  }
  for (const v1::Road& road : model.roads()) {
    foxglove::SceneEntity& entity = *update.add_entities();
    scene::setTime(*entity.mutable_timestamp(), time_ns);
    entity.set_frame_id(scene::kWorld);
    entity.set_id(road.name());
    addRoad(road, entity);
  }
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
