#include "rt/model/elements/beam.h"

#include "rt/math/euler_parameters.h"
#include "rt/model/check_fields.h"
#include "rt/model/directions.h"
#include "rt/model/elements/beam_element.h"
#include "rt/model/elements/beam_mount.h"
#include "rt/model/expand.h"
#include "rt/model/rules.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {
namespace {

/// Turn of the axis from one node to the next that costs accuracy, rad.
constexpr double kCoarse = 0.5;

/// Section axes: 1 along the tangent, 2 nearest to `across`, both then turned by the twist.
Matrix3d sectionFrame(const Vector3d& tangent, const Vector3d& across, double twist) {
  Matrix3d frame;
  frame.col(0) = unitVector(tangent);
  frame.col(1) = unitVector<Vector3d>(across - across.dot(frame.col(0)) * frame.col(0));
  frame.col(2) = frame.col(0).cross(frame.col(1));
  return frame * Eigen::AngleAxisd(twist, Vector3d::UnitX()).toRotationMatrix();
}

Vector4d quaternionOf(const Matrix3d& frame) {
  const Eigen::Quaterniond q(frame);
  return unitVector<Vector4d>({q.w(), q.x(), q.y(), q.z()});
}

Vector3d acrossOf(const BeamSpec& spec, const BeamShape& shape) {
  return spec.across ? unitVector(*spec.across) : perpendicularTo(shape.chords.front());
}

double dampingTime(const BeamSpec& spec) {
  return spec.damping_time +
         (spec.damping_angular_frequency ? 2 * spec.damping_ratio / *spec.damping_angular_frequency : 0.0);
}

/// Whether points and number of elements make a line at all. Findings go to `at`.
bool checkLine(const BeamSpec& spec, const FindingPlace& at) {
  bool fits = true;
  if (spec.points.size() < 2) {
    at.error(".points", std::to_string(spec.points.size()) + " elements", "must be at least 2 elements");
    fits = false;
  }
  for (std::size_t i = 0; i < spec.points.size(); ++i) {
    const std::string path = '.' + element("points", i) + ".position";
    if (!spec.points[i].position.allFinite()) return false;
    if (i == 0) continue;
    const Vector3d along = spec.points[i].position - spec.points[i - 1].position;
    if (along.norm() <= kNearestPoints) {
      at.error(path, printed(spec.points[i].position), "must be apart from the point before",
               "a part of a beam needs a length");
      fits = false;
    } else if (i > 1 && fits) {
      const double turn = angleBetween(spec.points[i - 1].position - spec.points[i - 2].position, along);
      if (turn > 2.6) {  // 150 degrees: the two parts lie on each other
        at.error(path, "a turn of " + printed(turn) + " rad at the point before",
                 "must not fold the beam back: at most 2.6 rad", "join two beams instead");
        fits = false;
      }
    }
  }
  if (spec.elements < 1 || spec.elements > kMaxBeamElements) {
    at.error(".elements", std::to_string(spec.elements), "must be from 1 to " + std::to_string(kMaxBeamElements));
    fits = false;
  }
  return fits;
}

/// Nodes at which a polyline has a corner. Corners beside nodes are findings, without a value.
std::optional<std::vector<bool>> cornersOf(const BeamSpec& spec, const BeamShape& shape, const FindingPlace& at) {
  bool fits = true;
  std::vector<bool> corners(shape.nodes.size(), false);
  for (std::size_t i = 1; i + 1 < spec.points.size() && spec.curve == BeamCurve::kPolyline; ++i) {
    const double turn = angleBetween(spec.points[i].position - spec.points[i - 1].position,
                                     spec.points[i + 1].position - spec.points[i].position);
    if (turn < kBeamCorner) continue;
    const double node = shape.places[i] / shape.spacing;
    if (std::abs(node - std::round(node)) > 1e-6) {  // digits of coordinates in a file
      at.error('.' + element("points", i) + ".position", "a corner at " + printed(node) + " element lengths",
               "must lie on a node where the beam turns by more than 1 rad", "change `elements`");
      fits = false;
    } else {
      corners[static_cast<std::size_t>(std::lround(node))] = true;
    }
  }
  return fits ? std::optional(std::move(corners)) : std::nullopt;
}

/// Whether the elements follow the axis: they turn by at most 1 rad but for corners at nodes, and leave no loop out.
void checkTurns(const BeamSpec& spec, const BeamShape& shape, const FindingPlace& at) {
  const std::optional<std::vector<bool>> corners = cornersOf(spec, shape, at);
  if (!corners) return;
  const std::string elements = std::to_string(spec.elements);
  double coarsest = 0;
  for (std::size_t i = 0; i < shape.turns.size(); ++i)
    if (shape.turns[i] < kBeamCorner)
      coarsest = std::max(coarsest, shape.turns[i]);
    else if (!(*corners)[i])
      return at.error(".elements", elements,
                      "must be more: the axis turns by " + printed(shape.turns[i]) + " rad an element",
                      "at most 1 rad");
  // The shortest chord for its part of the axis that is allowed: a turn of 1 rad in the middle of an element.
  for (std::size_t i = 1; i < shape.nodes.size(); ++i) {
    const double chord = (shape.nodes[i] - shape.nodes[i - 1]).norm();
    if (chord < std::cos(kBeamCorner / 2) * shape.spacing)
      return at.error(".elements", elements,
                      "must be more: an element of " + printed(chord) + " m would stand for " + printed(shape.spacing) +
                          " m of the axis",
                      "points between two nodes are cut off");
  }
  if (coarsest > kCoarse)
    at.out.warning(at.path + ".elements", elements,
                   "should be more: the axis turns by " + printed(coarsest) + " rad an element",
                   "the error falls with the square of the angle; 0.2 rad is fine");
}

void checkMesh(const BeamSpec& spec, const BeamShape& shape, const FindingPlace& at) {
  checkTurns(spec, shape, at);
  for (std::size_t i = 1; i < shape.nodes.size(); ++i)
    if (std::abs(shape.twists[i] - shape.twists[i - 1]) > kBeamCorner)
      return at.error(
          ".elements", std::to_string(spec.elements),
          "must be more: the sections twist by " + printed(shape.twists[i] - shape.twists[i - 1]) + " rad an element",
          "at most 1 rad");
  const Vector3d across = acrossOf(spec, shape);
  for (const auto& tangents : shape.tangents)
    if (across.cross(tangents[0]).norm() < 1e-3 || across.cross(tangents[1]).norm() < 1e-3)  // 0.06 degrees
      return at.error(".across", printed(across), "must not point along the beam anywhere");
}

void checkStations(const BeamSpec& spec, const FindingPlace& at) {
  if (spec.stations.empty())
    at.error(".stations", "none", "must hold at least one cross-section", "one makes the beam uniform");
  bool needs_material = false;
  for (std::size_t i = 0; i < spec.stations.size(); ++i) {
    const FindingPlace of_station = at.within('.' + element("stations", i));
    checkStation(spec.stations[i], of_station);
    needs_material = needs_material || needsMaterial(spec.stations[i].section);
    if (i > 0 && !(spec.stations[i].place > spec.stations[i - 1].place))
      of_station.error(".place", printed(spec.stations[i].place),
                       "must be above that of the station before, " + printed(spec.stations[i - 1].place));
  }
  if (needs_material && !spec.material)
    at.error(".material", "none", "must be given for a cross-section with dimensions");
}

/// Whether nothing is wrong with a beam: what is has its findings.
bool canExpand(const BeamSpec& spec, const References& references) {
  FindingList findings;
  const FindingPlace at{"", references, findings};
  BeamSpec alone = spec;
  for (BeamMountSpec& mount : alone.mounts) mount.body = kGroundName;  // bodies are looked up later
  checkFields(alone, at);
  alone.mounts = spec.mounts;
  check(alone, at);
  const std::vector<Finding> all = findings.take();
  return std::none_of(all.begin(), all.end(), [](const Finding& f) { return f.severity == Severity::kError; });
}

/// A node as a body, or ground.
struct Node {
  std::string name;
  DeclaredPose pose;
};

Vector3d toBody(const DeclaredPose& pose, const Vector3d& point) {
  return pose.rotation.transpose() * (point - pose.position);
}

/// The joint of the mount k between its body, which may be a part of another composite, and a node.
/// @param axis  point of the axis of the beam at the node, world
void addMount(const BeamSpec& spec, std::size_t k, const Node& node, const Vector3d& axis, Expansion& expansion) {
  const BeamMountSpec& mount = spec.mounts[k];
  const Vector3d point = axis + mount.offset;
  expansion.whenBodiesExist({mount.body}, [&mount, &expansion, k, node, point] {
    const auto pose = expansion.declaredPose(mount.body);
    if (!pose) return;  // the rules on references and bodies report it
    const Vector3d on_body = toBody(*pose, point), on_node = toBody(node.pose, point);
    const std::string part = "mount_" + std::to_string(k), field = '.' + element("mounts", k);
    const auto add = [&](JointKinds kind) {
      expansion.add(part.c_str(), field, mount.body, node.name, std::move(kind));
    };
    switch (mount.kind) {
      case BeamMountKind::kRigid: return add(WeldSpec{on_body, on_node});
      case BeamMountKind::kSpherical: return add(SphericalSpec{on_body, on_node});
      case BeamMountKind::kRevolute:
        return add(RevoluteSpec{on_body, on_node, pose->rotation.transpose() * mount.axis,
                                node.pose.rotation.transpose() * mount.axis, 0});
    }
  });
}

}  // namespace

Fields BeamSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamSpec::points>("points", "Points of the axis without load, from end to end.",
                               {.rule = "at least 2; a corner of a polyline lies on a node"}),
      field<&BeamSpec::curve>("curve", "How the axis runs through the points."),
      field<&BeamSpec::elements>("elements", "Number of equal elements.", {.unit = "1", .rule = "1 to 2048"}),
      field<&BeamSpec::across>("across", "Axis 2 of each section lies nearest to this direction, world frame.",
                               {.unit = "1",
                                .otherwise = "any direction across the first element",
                                .rule = "a direction, nowhere along the beam"}),
      field<&BeamSpec::stations>("stations", "Cross-sections; one makes the beam uniform.", {.rule = "at least 1"}),
      field<&BeamSpec::material>("material", "Of the sections with dimensions.", {.otherwise = "none"}),
      field<&BeamSpec::damping_time>("damping_time", "Damping divided by stiffness.",
                                     {.unit = "s", .range = Range::kNotNegative}),
      field<&BeamSpec::damping_ratio>(
          "damping_ratio", "Damping of the free vibration with damping_angular_frequency, added to damping_time.",
          {.unit = "1", .range = Range::kNotNegative, .rule = "together with damping_angular_frequency"}),
      field<&BeamSpec::damping_angular_frequency>("damping_angular_frequency", "Where damping_ratio holds.",
                                                  {.unit = "rad/s", .range = Range::kPositive, .otherwise = "none"}),
      field<&BeamSpec::plain_shear>("plain_shear",
                                    "Whether to leave out the flexibility of bending within an element."),
      field<&BeamSpec::mounts>(
          "mounts",
          "Bodies that hold nodes. In the declared state the nodes move with the body of the first "
          "rigid mount, else of the first one, like a rigid body that does not turn in the joint of that mount."),
  };
  return kFields;
}

void check(const BeamSpec& spec, const FindingPlace& at) {
  if (spec.across) requireDirection(at.path + ".across", *spec.across, at.out);
  if ((spec.damping_ratio > 0) != spec.damping_angular_frequency.has_value())
    at.error(spec.damping_ratio > 0 ? ".damping_angular_frequency" : ".damping_ratio", "none",
             "must be given together with the other one");
  checkStations(spec, at);
  checkMounts(spec, at);
  const bool across_fits = !spec.across || (spec.across->allFinite() && spec.across->norm() > kShortestDirection);
  if (checkLine(spec, at) && across_fits) checkMesh(spec, BeamShape(spec.points, spec.curve, spec.elements), at);
}

void expand(const BeamSpec& spec, Expansion& expansion) {
  if (!canExpand(spec, expansion.references())) return;
  const BeamShape shape(spec.points, spec.curve, spec.elements);
  const Vector3d across = acrossOf(spec, shape);
  const int n = spec.elements;
  const auto at = [](int i) { return static_cast<std::size_t>(i); };
  const auto propertiesAlong = [&](double elements) {
    return propertiesAt(spec.stations, spec.material.value_or(BeamMaterialSpec()), elements / n);
  };

  const std::optional<BeamCarrier> carrier = carrierOf(spec, shape.nodes);
  const RigidMounts rigid_mounts = rigidMounts(spec);
  std::vector<Node> nodes;
  for (int i = 0; i <= n; ++i) {
    const auto rigid = rigid_mounts.find(i);
    if (rigid != rigid_mounts.end() && rigid->second->body == kGroundName) {
      nodes.push_back({kGroundName, DeclaredPose()});
      continue;
    }
    const Vector3d tangent = i < n ? shape.tangents[at(i)][0] : shape.tangents[at(n - 1)][1];
    const Matrix3d frame = sectionFrame(tangent, across, shape.twists[at(i)]);
    const double inward = i == 0 ? 1 : i == n ? -1 : 0;
    const double before = i > 0 ? shape.lengths[at(i - 1)] : 0, behind = i < n ? shape.lengths[at(i)] : 0;
    const double length = 0.5 * (before + behind);
    const SectionProperties section = propertiesAlong(i + 0.25 * inward);
    BodySpec node;
    node.mass = section.mass * length;
    node.inertia = Vector3d(section.inertia * length).asDiagonal();
    node.position = shape.nodes[at(i)];
    const std::string part = std::to_string(i);
    // A body that a mount holds rigidly is part of this end.
    if (inward != 0 && rigid == rigid_mounts.end() && !expansion.isHeldRigidly(expansion.name() + '.' + part))
      node.position += inward * length / 3 * frame.col(0);
    node.orientation = quaternionOf(frame);
    const DeclaredPose pose(node);
    nodes.push_back({expansion.add(part.c_str(), ".points", std::move(node)), pose});
    if (carrier) expansion.carry(nodes.back().name, carrier->body, carrier->seen);
  }

  for (int i = 0; i < n; ++i) {
    BeamElementSpec element;
    const Node &first = nodes[at(i)], &last = nodes[at(i + 1)];
    element.body_1 = first.name;
    element.body_2 = last.name;
    element.point_1 = toBody(first.pose, shape.nodes[at(i)]);
    element.point_2 = toBody(last.pose, shape.nodes[at(i + 1)]);
    const auto& tangents = shape.tangents[at(i)];
    element.orientation_1 =
        quaternionOf(first.pose.rotation.transpose() * sectionFrame(tangents[0], across, shape.twists[at(i)]));
    element.orientation_2 =
        quaternionOf(last.pose.rotation.transpose() * sectionFrame(tangents[1], across, shape.twists[at(i + 1)]));
    element.length = shape.lengths[at(i)];
    element.stiffness = propertiesAlong(i + 0.5).stiffness;
    element.damping_time = dampingTime(spec);
    element.plain_shear = spec.plain_shear;
    expansion.add(("element_" + std::to_string(i + 1)).c_str(), std::move(element));
  }

  for (std::size_t k = 0; k < spec.mounts.size(); ++k) {
    const Node& node = nodes[at(spec.mounts[k].node)];
    if (node.name != kGroundName) addMount(spec, k, node, shape.nodes[at(spec.mounts[k].node)], expansion);
  }
}

}  // namespace tactus::rt
