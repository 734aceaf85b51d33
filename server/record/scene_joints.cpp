#include "server/record/scene_joints.h"

#include "server/record/scene_shapes.h"
#include "server/record/scene_solids.h"
#include "server/record/scene_values.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <optional>

namespace tactus::server {
namespace {

using Eigen::Vector3d;
using google::protobuf::Message;

constexpr const char* kGround = "ground";
constexpr std::size_t kManyPoints = 5;  // a body with as many is a box around them that shows what is inside

// Of the typical size of a body.
constexpr double kLinkRadius = 0.06, kBallRadius = 0.07, kEndRadius = 0.18, kThinnest = 0.04, kMargin = 0.15;
constexpr double kPinRadius = 0.035, kPinLength = 0.3, kInnerGear = 0.1, kOuterGear = 0.09;

struct Paint {
  double red, green, blue, opacity = 1;
};
constexpr Paint kJoint{0.85, 0.33, 0.31}, kBushing{0.88, 0.63, 0.19}, kGear{0.54, 0.58, 0.65};
constexpr Paint kLink{0.6, 0.65, 0.72}, kGlass{0.6, 0.65, 0.72, 0.45};

foxglove::Color colorOf(const Paint& paint) {
  foxglove::Color color;
  scene::set(color, paint.red, paint.green, paint.blue);
  color.set_a(paint.opacity);
  return color;
}

/// The element that is set in the `kind` of a joint, a force or a composite element; null: none.
const Message* kindOf(const Message& element) {
  const auto* field =
      element.GetReflection()->GetOneofFieldDescriptor(element, element.GetDescriptor()->FindOneofByName("kind"));
  return field == nullptr ? nullptr : &element.GetReflection()->GetMessage(element, field);
}

/// Three numbers by the name of their field; none where the element has no such field. Numbers that are left out are 0.
std::optional<Vector3d> pointIn(const Message& element, const std::string& name) {
  const auto* field = element.GetDescriptor()->FindFieldByName(name);
  if (field == nullptr) return std::nullopt;
  const auto* reflection = element.GetReflection();
  Vector3d point = Vector3d::Zero();
  if (reflection->FieldSize(element, field) == 3)
    for (int k = 0; k < 3; ++k) point[k] = reflection->GetRepeatedDouble(element, field, k);
  return point;
}

std::string bodyIn(const Message& element, const std::string& name) {
  const auto* field = element.GetDescriptor()->FindFieldByName(name);
  return field == nullptr ? std::string() : element.GetReflection()->GetString(element, field);
}

/// Length of an element of a beam along the line between its points, m.
double elementOf(const v1::Beam& beam) {
  double length = 0;
  for (int k = 1; k < beam.points_size(); ++k)
    length += (scene::vectorOf(beam.points(k).position()) - scene::vectorOf(beam.points(k - 1).position())).norm();
  return length / std::max(1U, beam.elements());
}

void addGear(const v1::Joint& joint, double size, foxglove::SceneEntity& first, foxglove::SceneEntity& second) {
  const bool rack = joint.has_rack_and_pinion();
  const v1::Gear& gear = joint.gear();
  const v1::RackAndPinion& pinion = joint.rack_and_pinion();
  const Vector3d axis = scene::vectorOf(rack ? pinion.axis_1() : gear.axis_1(), Vector3d::UnitZ());
  const double inner = rack ? 0 : gear.radius_1(), outer = rack ? pinion.radius() : gear.radius_2();
  if (inner > 0) scene::addDisc(scene::vectorOf(gear.point_1()), axis, inner, kInnerGear * size, colorOf(kGear), first);
  if (outer > 0 && !gear.internal())
    scene::addDisc(scene::vectorOf(rack ? pinion.point_2() : gear.point_2()), axis, outer, kOuterGear * size,
                   colorOf(kGear), second);
}

}  // namespace

Attachments::Attachments(const v1::Model& model) {
  for (const v1::Joint& joint : model.joints())
    if (const Message* kind = kindOf(joint))
      for (const auto& [body, name] : {std::pair(joint.body_1(), "point_1"), std::pair(joint.body_2(), "point_2")})
        if (const auto point = pointIn(*kind, name)) add(body, *point);
  const auto addEnds = [&](const Message& element) {
    const Message* kind = kindOf(element);
    if (kind == nullptr) return;
    for (const std::string end : {"1", "2"})
      if (const auto point = pointIn(*kind, "point_" + end)) add(bodyIn(*kind, "body_" + end), *point);
  };
  for (const v1::Force& force : model.forces()) addEnds(force);
  for (const v1::Composite& composite : model.composites()) addEnds(composite);

  std::vector<double> sizes;
  for (const v1::Body& body : model.bodies()) {
    double reach = 0;
    for (const Vector3d& point : of(body.name())) reach = std::max(reach, point.norm());
    sizes.push_back(reach > 0 ? reach : inertiaBox(body).norm() / 2);
  }
  for (const v1::Composite& composite : model.composites())
    if (composite.has_beam()) sizes.push_back(elementOf(composite.beam()));
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::nth_element(sizes.begin(), middle, sizes.end());
  if (!sizes.empty() && *middle > 0) size_ = *middle;

  // Ropes are thin: the bodies between their ends are no longer than without them.
  for (const v1::Force& force : model.forces())
    for (const v1::RopePoint& point : force.rope().points()) add(point.body(), scene::vectorOf(point.point()));
}

void Attachments::add(const std::string& body, const Vector3d& point) {
  if (body.empty() || body == kGround) return;
  std::vector<Vector3d>& known = points_[body];
  const auto isThere = [&](const Vector3d& other) { return (other - point).norm() < 1e-9; };
  if (std::none_of(known.begin(), known.end(), isThere)) known.push_back(point);
}

const std::vector<Vector3d>& Attachments::of(const std::string& body) const {
  static const std::vector<Vector3d> none;
  const auto found = points_.find(body);
  return found == points_.end() ? none : found->second;
}

void addJoints(const v1::Model& model, const Attachments& at,
               const std::function<foxglove::SceneEntity&(const std::string&)>& entity_of) {
  const double size = at.size();
  for (const v1::Joint& joint : model.joints()) {
    const Message* kind = kindOf(joint);
    if (kind == nullptr || joint.has_distance()) continue;  // a distance is a moving line
    const auto point_1 = pointIn(*kind, "point_1"), point_2 = pointIn(*kind, "point_2");
    if (!point_1 || !point_2) continue;
    const auto axis = pointIn(*kind, "axis_1");
    if (joint.has_gear() || joint.has_rack_and_pinion())
      addGear(joint, size, entity_of(joint.body_1()), entity_of(joint.body_2()));
    else if (axis && axis->norm() > 0 && !joint.has_point_on_plane() && !joint.has_dot2())
      scene::addDisc(*point_1, *axis, kPinRadius * size, kPinLength * size, colorOf(kJoint), entity_of(joint.body_1()));
    else
      scene::addSphere({.position = *point_2, .color = colorOf(kJoint)}, kBallRadius * size, entity_of(joint.body_2()));
  }
  for (const v1::Force& force : model.forces()) {
    if (!force.has_bushing()) continue;
    const v1::Bushing& bushing = force.bushing();
    scene::addSphere({.position = scene::vectorOf(bushing.point_1()), .color = colorOf(kBushing)}, kBallRadius * size,
                     entity_of(bushing.body_1()));
  }
}

void addBody(const v1::Body& body, const Attachments& at, foxglove::SceneEntity& entity) {
  const std::vector<Vector3d>& points = at.of(body.name());
  const double size = at.size(), radius = kLinkRadius * size;
  const Vector3d sides = inertiaBox(body).cwiseMax(kThinnest * size);
  if (points.size() >= kManyPoints) {
    Eigen::AlignedBox3d around;
    for (const Vector3d& point : points) around.extend(point);
    const Vector3d margin = Vector3d::Constant(2 * kMargin * size);
    scene::addBox({.position = around.center(), .color = colorOf(kGlass)}, around.sizes() + margin, entity);
  } else if (points.size() == 2) {
    scene::addRod(points[0], points[1], radius, colorOf(kLink), entity);
  } else {
    for (const Vector3d& point : points)
      if (point.norm() > radius) scene::addRod(Vector3d::Zero(), point, radius, colorOf(kLink), entity);
    // The box of a body that is held by one point may be larger than its surroundings.
    if (points.size() == 1 && sides.norm() >= size)
      scene::addSphere({.color = colorOf(kLink)}, kEndRadius * size, entity);
    else if (points.size() <= 1)
      scene::addBox({.color = colorOf(kLink)}, sides, entity);
  }
}

}  // namespace tactus::server
