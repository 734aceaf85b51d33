// Joints, gears, bushings and links as shapes of Foxglove: what shows a mechanism whose bodies declare no shapes.
#pragma once

#include "foxglove/scene.pb.h"
#include "tactus/v1/model.pb.h"

#include <Eigen/Core>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tactus::server {

/// Where joints, forces and composite elements hold the bodies of a model.
class Attachments {
 public:
  explicit Attachments(const v1::Model& model);

  /// In the frame of the body, each once.
  const std::vector<Eigen::Vector3d>& of(const std::string& body) const;

  /// Median over the bodies of the distance of their farthest point, or of half the diagonal of their inertia box, m.
  double size() const noexcept { return size_; }

 private:
  void add(const std::string& body, const Eigen::Vector3d& point);

  std::map<std::string, std::vector<Eigen::Vector3d>> points_;
  double size_ = 1;
};

/// Adds a ball or a pin for each joint, wheels of gears, and a ball for each bushing.
/// @param entity_of  entity of a body by its name; that of the world for "ground"
void addJoints(const v1::Model& model, const Attachments& at,
               const std::function<foxglove::SceneEntity&(const std::string&)>& entity_of);

/// Adds what stands for a body without shapes of its own: links between its points, a box around many points, or the
/// box of its inertia.
void addBody(const v1::Body& body, const Attachments& at, foxglove::SceneEntity& entity);

}  // namespace tactus::server
