// Roads as shapes of Foxglove in the frame "world".
#pragma once

#include "foxglove/scene.pb.h"
#include "tactus/v1/model.pb.h"

namespace tactus::server {

/// Adds the shapes of a road: lines in its plane, its half cylinders, its heights. A grid of many points is thinned out
/// to 256 by 256 at most.
void addRoad(const v1::Road& road, foxglove::SceneEntity& entity);

}  // namespace tactus::server
