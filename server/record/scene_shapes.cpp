#include "server/record/scene_shapes.h"

#include "server/model_io/mesh_file.h"
#include "server/record/scene_solids.h"
#include "server/record/scene_values.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tactus::server {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using scene::addCylinder;
using scene::addSphere;
using scene::Place;
using Numbers = google::protobuf::RepeatedField<double>;

constexpr double kGrey = 0.6, kRubber = 0.15;

Place placeOf(const v1::Visual& visual) {
  Place place{.color = scene::grey(kGrey)};
  place.position = scene::vectorOf(visual.position());
  if (const Numbers& p = visual.orientation(); p.size() == 4) place.turn = Quaterniond(p[0], p[1], p[2], p[3]);
  if (const Numbers& rgb = visual.color(); rgb.size() == 3) {
    place.color.set_r(rgb[0]);
    place.color.set_g(rgb[1]);
    place.color.set_b(rgb[2]);
  }
  place.color.set_a(visual.has_opacity() ? visual.opacity() : 1);
  return place;
}

void addCapsule(const Place& place, const v1::CapsuleVisual& capsule, foxglove::SceneEntity& entity) {
  addCylinder(place, capsule.radius(), capsule.length(), entity);
  for (const double side : {-0.5, 0.5}) {
    Place end = place;
    end.position += place.turn * Vector3d(0, 0, side * capsule.length());
    addSphere(end, capsule.radius(), entity);
  }
}

/// Triangles of a prism, or of a tube.
class Solid {
 public:
  Solid(const Place& place, foxglove::SceneEntity& entity) : out_(*entity.add_triangles()) {
    scene::set(*out_.mutable_pose(), place.position, place.turn);
    *out_.mutable_color() = place.color;
  }

  std::uint32_t corner(double x, double y, double z) {
    scene::set(*out_.add_points(), Vector3d(x, y, z));
    return static_cast<std::uint32_t>(out_.points_size() - 1);
  }
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (const std::uint32_t index : {a, b, c}) out_.add_indices(index);
  }
  void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangle(a, b, c);
    triangle(a, c, d);
  }

 private:
  foxglove::TriangleListPrimitive& out_;
};

void addPrism(const Place& place, const v1::PrismVisual& prism, foxglove::SceneEntity& entity) {
  Solid solid(place, entity);
  const int corners = prism.outline_size() / 2;
  const auto count = static_cast<std::uint32_t>(corners);
  for (const double side : {-0.5, 0.5})
    for (int k = 0; k < corners; ++k)
      solid.corner(prism.outline(2 * k), prism.outline(2 * k + 1), side * prism.length());
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t next = (k + 1) % count;
    solid.quad(k, next, count + next, count + k);
  }
  const std::vector<std::uint32_t> cap = trianglesOf({prism.outline().data(), static_cast<std::size_t>(2 * corners)});
  for (std::size_t k = 0; k < cap.size(); k += 3) {
    solid.triangle(cap[k], cap[k + 2], cap[k + 1]);
    solid.triangle(count + cap[k], count + cap[k + 1], count + cap[k + 2]);
  }
}

void addTube(const Place& place, const v1::TubeVisual& tube, foxglove::SceneEntity& entity) {
  constexpr std::uint32_t kSides = 40;
  Solid solid(place, entity);
  for (std::uint32_t k = 0; k < kSides; ++k) {
    const double angle = 2 * std::numbers::pi * k / kSides;
    for (const double radius : {tube.outer_radius(), tube.inner_radius()})
      for (const double side : {-0.5, 0.5})
        solid.corner(radius * std::cos(angle), radius * std::sin(angle), side * tube.length());
  }
  for (std::uint32_t k = 0; k < kSides; ++k) {
    const std::uint32_t a = 4 * k, b = 4 * ((k + 1) % kSides);  // outer low, outer high, inner low, inner high
    solid.quad(a, b, b + 1, a + 1);
    solid.quad(a + 2, a + 3, b + 3, b + 2);
    solid.quad(a, a + 2, b + 2, b);
    solid.quad(a + 1, b + 1, b + 3, a + 3);
  }
}

void addMesh(const v1::Model& model, const v1::Visual& visual, const Place& place, foxglove::SceneEntity& entity) {
  const auto mesh = std::find_if(model.meshes().begin(), model.meshes().end(),
                                 [&](const v1::Mesh& one) { return one.hash() == visual.mesh().hash(); });
  if (mesh == model.meshes().end()) return;
  foxglove::ModelPrimitive& primitive = *entity.add_models();
  scene::set(*primitive.mutable_pose(), place.position, place.turn);
  scene::set(*primitive.mutable_scale(), Vector3d::Constant(visual.mesh().has_scale() ? visual.mesh().scale() : 1));
  *primitive.mutable_color() = place.color;
  primitive.set_override_color(visual.color_size() == 3 || mesh->format() == "stl");
  primitive.set_media_type(mesh->format() == "glb"    ? "model/gltf-binary"
                           : mesh->format() == "gltf" ? "model/gltf+json"
                                                      : "model/" + mesh->format());
  primitive.set_data(meshBytes(*mesh));
}

/// A cylinder about an axis.
void addWheel(const Numbers& center, const Vector3d& axis, double radius, foxglove::SceneEntity& entity) {
  constexpr double kWidth = 0.6;  // of the radius: tyres of cars are about as wide
  scene::addDisc(scene::vectorOf(center), axis, radius, kWidth * radius, scene::grey(kRubber), entity);
}

double crossOf(std::span<const double> p, std::uint32_t a, std::uint32_t b, std::uint32_t c) {
  return (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) - (p[2 * b + 1] - p[2 * a + 1]) * (p[2 * c] - p[2 * a]);
}

}  // namespace

void addShape(const v1::Model& model, const v1::Visual& visual, foxglove::SceneEntity& entity) {
  const Place place = placeOf(visual);
  switch (visual.shape_case()) {
    case v1::Visual::kBox: return scene::addBox(place, scene::vectorOf(visual.box().sides()), entity);
    case v1::Visual::kSphere: return addSphere(place, visual.sphere().radius(), entity);
    case v1::Visual::kCylinder:
      return addCylinder(place, visual.cylinder().radius(), visual.cylinder().length(), entity);
    case v1::Visual::kCapsule: return addCapsule(place, visual.capsule(), entity);
    case v1::Visual::kTube: return addTube(place, visual.tube(), entity);
    case v1::Visual::kPrism: return addPrism(place, visual.prism(), entity);
    case v1::Visual::kMesh: return addMesh(model, visual, place, entity);
    case v1::Visual::SHAPE_NOT_SET: return;
  }
}

bool addTyres(const v1::Model& model, const std::string& body, foxglove::SceneEntity& entity) {
  bool found = false;
  for (const v1::Force& force : model.forces()) {
    if (force.has_slip_tyre() && force.slip_tyre().body() == body) {
      const v1::SlipTyre& tyre = force.slip_tyre();
      addWheel(tyre.centre(), scene::vectorOf(tyre.axis(), Vector3d::UnitY()), tyre.radius(), entity);
      found = true;
    } else if (force.has_vertical_tyre() && force.vertical_tyre().body() == body) {
      addWheel(force.vertical_tyre().centre(), Vector3d::UnitY(), force.vertical_tyre().radius(), entity);
      found = true;
    }
  }
  return found;
}

Vector3d inertiaBox(const v1::Body& body) {
  // A box of sides a, b, c and mass m has I_xx = m (b^2 + c^2) / 12, and so on.
  const auto side = [&](double sum) { return std::sqrt(std::max(0.0, 6 * sum / body.mass())); };
  const v1::Inertia& inertia = body.inertia();
  return {side(inertia.yy() + inertia.zz() - inertia.xx()), side(inertia.xx() + inertia.zz() - inertia.yy()),
          side(inertia.xx() + inertia.yy() - inertia.zz())};
}

std::vector<std::uint32_t> trianglesOf(std::span<const double> outline) {
  std::vector<std::uint32_t> left(outline.size() / 2);
  std::iota(left.begin(), left.end(), 0U);
  double area = 0;
  for (std::size_t k = 0; k < left.size(); ++k) {
    const std::size_t next = (k + 1) % left.size();
    area += outline[2 * k] * outline[2 * next + 1] - outline[2 * next] * outline[2 * k + 1];
  }
  if (area < 0) std::reverse(left.begin(), left.end());

  std::vector<std::uint32_t> triangles;
  while (left.size() >= 3) {
    const std::size_t before = left.size();
    for (std::size_t k = 0; k < left.size(); ++k) {
      const std::uint32_t a = left[(k + left.size() - 1) % left.size()], b = left[k], c = left[(k + 1) % left.size()];
      const auto inside = [&](std::uint32_t p) {
        return p != a && p != b && p != c && crossOf(outline, a, b, p) >= 0 && crossOf(outline, b, c, p) >= 0 &&
               crossOf(outline, c, a, p) >= 0;
      };
      // An ear turns left and holds no other corner; three corners on a line are cut off, too.
      const double turn = crossOf(outline, a, b, c);
      if (turn < 0 || (turn > 0 && std::any_of(left.begin(), left.end(), inside))) continue;
      if (turn > 0) triangles.insert(triangles.end(), {a, b, c});
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(k));
      break;
    }
    if (left.size() == before) break;  // sides that cross: the rest stays open
  }
  return triangles;
}

}  // namespace tactus::server
