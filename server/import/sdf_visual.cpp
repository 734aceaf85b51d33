#include "server/import/sdf_visual.h"

#include "server/import/placements.h"
#include "server/import/sdf_values.h"

#include <algorithm>

namespace tactus::server {

using Eigen::Vector3d;

namespace {

bool noSize(const XmlNode& shape) {
  shape.dropped(LossEffect::kPicture, "a size must be above zero; the shape is left out");
  return false;
}

bool readShape(const XmlNode& geometry, rt::VisualSpec& visual) {
  if (const auto box = geometry.child("box")) {
    const Vector3d sides = vectorIn(*box, "size").value_or(Vector3d::Zero());
    if (!(sides.minCoeff() > 0)) return noSize(*box);
    visual.shape = rt::BoxVisualSpec{sides};
  } else if (const auto sphere = geometry.child("sphere")) {
    const double radius = numberIn(*sphere, "radius", 1);
    if (!(radius > 0)) return noSize(*sphere);
    visual.shape = rt::SphereVisualSpec{radius};
  } else if (const auto cylinder = geometry.child("cylinder")) {
    const double radius = numberIn(*cylinder, "radius", 1), length = numberIn(*cylinder, "length", 1);
    if (!(std::min(radius, length) > 0)) return noSize(*cylinder);
    visual.shape = rt::CylinderVisualSpec{radius, length};
  } else if (const auto capsule = geometry.child("capsule")) {
    const double radius = numberIn(*capsule, "radius", 1), length = numberIn(*capsule, "length", 1);
    if (!(std::min(radius, length) > 0)) return noSize(*capsule);
    visual.shape = rt::CapsuleVisualSpec{radius, length};
  } else if (const auto mesh = geometry.child("mesh")) {
    const Vector3d scale = vectorIn(*mesh, "scale").value_or(Vector3d::Ones());
    if (scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0)) {
      mesh->dropped(LossEffect::kPicture, "a mesh has one scale, above zero");
      return false;
    }
    visual.shape = rt::MeshVisualSpec{textIn(*mesh, "uri"), scale[0]};
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::optional<rt::VisualSpec> visualIn(const XmlNode& node) {
  node.markRead();
  rt::VisualSpec visual;
  const Placement placement = poseIn(node);
  visual.name = node.text("name", "");
  visual.position = placement.position;
  visual.orientation = quaternionOf(placement.rotation);
  if (const auto material = node.child("material"))
    if (const auto diffuse = material->child("diffuse"))
      if (const auto rgba = diffuse->contentNumbers(3, 4)) {
        visual.color = Vector3d((*rgba)[0], (*rgba)[1], (*rgba)[2]).cwiseMax(0).cwiseMin(1);
        if (rgba->size() == 4) visual.opacity = std::clamp((*rgba)[3], 0.0, 1.0);
      }
  const auto geometry = node.child("geometry");
  if (!geometry || !readShape(*geometry, visual)) return std::nullopt;
  return visual;
}

}  // namespace tactus::server
