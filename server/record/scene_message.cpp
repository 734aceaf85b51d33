#include "server/record/scene_message.h"

#include "rt/model/model.h"
#include "server/record/scene_shapes.h"

#include <string>

namespace tactus::server {
namespace {

constexpr const char* kWorld = "world";

void setTime(google::protobuf::Timestamp& time, std::uint64_t ns) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  time.set_seconds(static_cast<std::int64_t>(ns / kSecond));
  time.set_nanos(static_cast<std::int32_t>(ns % kSecond));
}

template <typename Message>
void set(Message& to, const Eigen::Vector3d& from) {
  to.set_x(from.x());
  to.set_y(from.y());
  to.set_z(from.z());
}

/// @param from  scalar first
void set(foxglove::Quaternion& to, const Eigen::Vector4d& from) {
  to.set_x(from[1]);
  to.set_y(from[2]);
  to.set_z(from[3]);
  to.set_w(from[0]);
}

}  // namespace

foxglove::SceneUpdate sceneOf(const v1::Model& model, std::uint64_t time_ns) {
  foxglove::SceneUpdate update;
  for (const v1::Body& body : model.bodies()) {
    foxglove::SceneEntity& entity = *update.add_entities();
    setTime(*entity.mutable_timestamp(), time_ns);
    entity.set_frame_id(body.name());
    entity.set_id(body.name());
    entity.set_frame_locked(true);
    for (const v1::Visual& visual : body.visuals()) addShape(model, visual, entity);
    if (body.visuals().empty() && !addTyres(model, body.name(), entity)) addInertiaBox(body, entity);
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
    setTime(*frame.mutable_timestamp(), time_ns);
    frame.set_parent_frame_id(kWorld);
    frame.set_child_frame_id(model.body_names[static_cast<std::size_t>(i)]);
    set(*frame.mutable_translation(), Eigen::Vector3d(state.r(i)));
    set(*frame.mutable_rotation(), Eigen::Vector4d(state.p(i)));
  }
}

}  // namespace tactus::server
