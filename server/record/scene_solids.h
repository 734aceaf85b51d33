// Cubes, spheres and cylinders of Foxglove in the frame of a body.
#pragma once

#include "foxglove/scene.pb.h"

#include <Eigen/Geometry>

namespace tactus::server::scene {

/// Where a solid is in the frame of its body, and its color.
struct Place {
  Eigen::Vector3d position = Eigen::Vector3d::Zero();
  Eigen::Quaterniond turn = Eigen::Quaterniond::Identity();  ///< a cylinder lies along z
  foxglove::Color color;
};

/// @param level  0 to 1: black to white
foxglove::Color grey(double level);

void addBox(const Place& place, const Eigen::Vector3d& sides, foxglove::SceneEntity& entity);
void addSphere(const Place& place, double radius, foxglove::SceneEntity& entity);
void addCylinder(const Place& place, double radius, double length, foxglove::SceneEntity& entity);

/// A cylinder around a center.
void addDisc(const Eigen::Vector3d& center, const Eigen::Vector3d& axis, double radius, double width,
             const foxglove::Color& color, foxglove::SceneEntity& entity);

/// A cylinder from point to point.
void addRod(const Eigen::Vector3d& from, const Eigen::Vector3d& to, double radius, const foxglove::Color& color,
            foxglove::SceneEntity& entity);

}  // namespace tactus::server::scene
