#include "server/import/mjcf_geom.h"

#include "server/import/placements.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace tactus::server {
namespace {

using Eigen::Vector3d;

// The viewer of MuJoCo hides groups above this one; models keep shapes for contacts there.
constexpr int kLastShownGroup = 2;

/// A geom as it is read: kind, half lengths as MJCF counts them, and frame.
struct Shape {
  std::string type;
  Vector3d size = Vector3d::Zero();
  Placement placement;
};

/// How many numbers of `size` a type needs; with fromto the length comes from there.
int sizesOf(const std::string& type, bool fromto) {
  if (type == "sphere") return 1;
  if (type == "capsule" || type == "cylinder") return fromto ? 1 : 2;
  return fromto ? 1 : 3;
}

Shape readShape(const MjcfElement& geom, const MjcfCompiler& compiler) {
  Shape shape;
  shape.type = geom.text("type", geom.has("mesh") ? "mesh" : "sphere");
  static constexpr std::array<const char*, 5> kSolid = {"sphere", "capsule", "cylinder", "box", "ellipsoid"};
  const bool solid = std::find(kSolid.begin(), kSolid.end(), shape.type) != kSolid.end();
  const auto ends = solid && shape.type != "sphere" ? geom.numbers("fromto", 6, 6) : std::nullopt;
  shape.placement = geom.placement(compiler);
  if (!solid) return shape;
  const int needed = sizesOf(shape.type, ends.has_value());
  if (const auto size = geom.numbers("size", 1, 3))
    for (std::size_t i = 0; i < size->size(); ++i) shape.size[static_cast<int>(i)] = (*size)[i];
  if (ends) {
    const Vector3d from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
    const double half = (to - from).norm() / 2;
    if (!(half > 0))
      geom.node().error("fromto", "must be two points that are apart");
    else
      shape.placement = {(from + to) / 2, rotationFromZ(from - to)};
    const bool round = shape.type == "capsule" || shape.type == "cylinder";
    shape.size = round ? Vector3d(shape.size[0], half, 0) : Vector3d(shape.size[0], shape.size[0], half);
  }
  for (int i = 0; i < needed; ++i)
    if (!(shape.size[i] > 0)) {
      geom.node().refuse(geom.node().has("size") ? *geom.node().text("size") : "no size",
                         "a " + shape.type + " must have a size of " + std::to_string(needed) +
                             (needed == 1 ? " number" : " numbers") + " above zero");
      shape.size = Vector3d::Ones();
      break;
    }
  return shape;
}

double volumeOf(const Shape& shape) {
  const Vector3d& s = shape.size;
  if (shape.type == "sphere") return ellipsoidVolume(Vector3d::Constant(s[0]));
  if (shape.type == "capsule") return capsuleVolume(s[0], 2 * s[1]);
  if (shape.type == "cylinder") return cylinderVolume(s[0], 2 * s[1]);
  if (shape.type == "box") return boxVolume(2 * s);
  return ellipsoidVolume(s);
}

MassProperties massOf(const Shape& shape, double mass) {
  const Vector3d& s = shape.size;
  if (shape.type == "sphere") return ellipsoidMass(mass, Vector3d::Constant(s[0]));
  if (shape.type == "capsule") return capsuleMass(mass, s[0], 2 * s[1]);
  if (shape.type == "cylinder") return cylinderMass(mass, s[0], 2 * s[1]);
  if (shape.type == "box") return boxMass(mass, 2 * s);
  return ellipsoidMass(mass, s);
}

std::optional<rt::VisualShapes> visualOf(const Shape& shape, const MjcfElement& geom, const MjcfAssets& assets) {
  const Vector3d& s = shape.size;
  if (shape.type == "sphere") return rt::SphereVisualSpec{s[0]};
  if (shape.type == "capsule") return rt::CapsuleVisualSpec{s[0], 2 * s[1]};
  if (shape.type == "cylinder") return rt::CylinderVisualSpec{s[0], 2 * s[1]};
  if (shape.type == "box") return rt::BoxVisualSpec{2 * s};
  if (shape.type == "ellipsoid") {
    geom.node().report().approximated(geom.node().place(), LossEffect::kPicture,
                                      "an ellipsoid is drawn as a sphere of the same volume");
    return rt::SphereVisualSpec{std::cbrt(s.prod())};
  }
  const auto mesh = assets.meshes.find(geom.text("mesh", ""));
  if (shape.type != "mesh" || mesh == assets.meshes.end()) return std::nullopt;
  const Vector3d& scale = mesh->second.scale;
  if (scale[0] != scale[1] || scale[0] != scale[2] || !(scale[0] > 0)) {
    geom.node().report().dropped(geom.node().place(), LossEffect::kPicture, "a mesh has one scale, above zero");
    return std::nullopt;
  }
  return rt::MeshVisualSpec{mesh->second.file, scale[0]};
}

void readColor(const MjcfElement& geom, const MjcfAssets& assets, rt::VisualSpec& visual) {
  std::optional<std::vector<double>> rgba = geom.numbers("rgba", 4, 4);
  const auto material = assets.colors.find(geom.text("material", ""));
  if (!rgba && material != assets.colors.end()) rgba = material->second;
  if (!rgba) return;
  visual.color = Vector3d((*rgba)[0], (*rgba)[1], (*rgba)[2]).cwiseMax(0).cwiseMin(1);
  visual.opacity = std::clamp((*rgba)[3], 0.0, 1.0);
}

}  // namespace

MjcfGeom readGeom(const MjcfElement& geom, const MjcfCompiler& compiler, const MjcfAssets& assets) {
  MjcfGeom made;
  const XmlNode& node = geom.node();
  node.markRead();
  const Shape shape = readShape(geom, compiler);
  const bool touches = geom.number("contype", 1) != 0 || geom.number("conaffinity", 1) != 0;
  if (touches) node.report().dropped(node.place(), LossEffect::kMotion, "contacts are not simulated");
  for (const char* of_contact : {"condim", "friction", "solref", "solimp", "solmix", "margin", "gap", "priority"})
    geom.text(of_contact);
  const int group = static_cast<int>(geom.number("group", 0));
  const std::optional<double> mass = geom.number("mass");
  const double density = geom.number("density", 1000);
  if (mass && *mass < 0) node.error("mass", "must not be below zero");
  const bool counts = group >= compiler.first_inertia_group && group <= compiler.last_inertia_group;

  if (shape.type == "plane" || shape.type == "hfield") {
    node.dropped(LossEffect::kNothing, "a " + shape.type + " is for contacts");
    return made;
  }
  if (shape.type == "mesh" || shape.type == "sdf") {
    if (counts && mass.value_or(density) > 0 && compiler.inertia_from != MjcfCompiler::InertiaFrom::kInertial)
      made.mass.mass = -1;  // not known: the reader of the body says so if it needs it
  } else if (counts) {
    made.mass = massOf(shape, mass.value_or(density * volumeOf(shape))).in(shape.placement);
  }
  if (group > kLastShownGroup) {
    node.report().dropped(node.place(), LossEffect::kPicture, "a shape of a group above 2, which MuJoCo does not show");
    return made;
  }
  rt::VisualSpec visual;
  visual.name = node.text("name", "");
  visual.position = shape.placement.position;
  visual.orientation = quaternionOf(shape.placement.rotation);
  readColor(geom, assets, visual);
  const std::optional<rt::VisualShapes> drawn = visualOf(shape, geom, assets);
  if (!drawn) return made;
  visual.shape = *drawn;
  made.visual = std::move(visual);
  return made;
}

}  // namespace tactus::server
