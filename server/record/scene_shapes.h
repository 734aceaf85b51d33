// Shapes of a model as primitives of Foxglove in the frame of their body.
#pragma once

#include "foxglove/scene.pb.h"
#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tactus::server {

/// Adds a declared shape. A mesh keeps the format of its file.
void addShape(const v1::Model& model, const v1::Visual& visual, foxglove::SceneEntity& entity);

/// Adds a cylinder for each tyre of a body. @returns whether there is one
bool addTyres(const v1::Model& model, const std::string& body, foxglove::SceneEntity& entity);

/// Sides of the box of even density with mass and moments of inertia of a body, m.
Eigen::Vector3d inertiaBox(const v1::Body& body);

/// Triangles that fill a polygon without crossing sides, by cutting off ears: three indices of corners for each.
/// @param outline  x and y of each corner, either way round; O(n^3) in the worst case
std::vector<std::uint32_t> trianglesOf(std::span<const double> outline);

}  // namespace tactus::server
