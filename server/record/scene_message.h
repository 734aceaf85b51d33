// Messages of Foxglove for recordings: the shapes that a model declares, and the frames of its bodies in a tick.
#pragma once

#include "rt/state/snapshot.h"

#include "foxglove/scene.pb.h"
#include "tactus/v1/model.pb.h"

#include <cstdint>

namespace tactus::server {

/// Frames that one second of simulated time has about, as many as a picture can show.
inline constexpr double kSceneFramesPerSecond = 60;

/// An entity for each body of the model, in the frame of the body: its visuals; without them its tyre, or else the box
/// that has its mass and inertia. Then an entity for each road, in the frame "world". What runs from body to body is in
/// SceneLines.
/// @param time_ns  of the message, since 1970
foxglove::SceneUpdate sceneOf(const v1::Model& model, std::uint64_t time_ns);

/// Overwrites `out` with the frames of all bodies in the frame "world". Frames that are in `out` already keep their
/// memory.
void writeFrames(const rt::Model& model, const rt::Snapshot& snapshot, std::uint64_t time_ns,
                 foxglove::FrameTransforms& out);

}  // namespace tactus::server
