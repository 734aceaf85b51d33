// Beams as composites: nodes, elements, mounts, findings.
// Covers: rt/model/elements/beam_mount.cpp
#include "rt/model/elements/beam.h"

#include "rt/model/elements/beam_element.h"
#include "rt/model/expand.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

constexpr double kRounding = 1e-13;  // turned and normalized vectors: a few roundings

const BeamMaterialSpec kSteel{207e9, 0.3, 7800};

/// The sample with a steel bar of four elements and 2 m from ground at (0, 0, 5) along x.
ModelSpec sampleWithBeam() {
  ModelSpec spec = sampleModel();
  BeamSpec beam;
  beam.points = {{{0, 0, 5}, 0}, {{2, 0, 5}, 0}};
  beam.elements = 4;
  beam.across = Vector3d(0, 3, 0);
  beam.stations = {{0, RectangleSectionSpec{0.02, 0.04}}};
  beam.material = kSteel;
  beam.mounts = {{0, kGroundName}};
  spec.composites = {{"bar", "front", beam}};
  return spec;
}

BeamSpec& beamOf(ModelSpec& spec) {
  return std::get<BeamSpec>(spec.composites[0].kind);
}

const BodySpec& bodyOf(const ModelSpec& expanded, const std::string& name) {
  for (const BodySpec& body : expanded.bodies)
    if (body.name == name) return body;
  FAIL("no body " << name);
  return expanded.bodies.front();
}

const BeamElementSpec& elementOf(const ModelSpec& expanded, const std::string& name) {
  for (const ForceSpec& force : expanded.forces)
    if (force.name == name) return std::get<BeamElementSpec>(force.kind);
  FAIL("no element " << name);
  return std::get<BeamElementSpec>(expanded.forces.front().kind);
}

/// At the first point of the beam.
BodySpec turningHub() {
  BodySpec hub = sampleBody("hub", {0, 0, 5});
  hub.velocity = {0, 0, 1};
  hub.angular_velocity = {0, 0, 10};
  hub.orientation = {0, 0, 1, 0};  // half a turn about y: 10 rad/s about -z of the world
  return hub;
}

}  // namespace

TEST_CASE("a beam becomes nodes with the mass of their half elements, and elements between them", "[rt][model][beam]") {
  const ModelSpec spec = sampleWithBeam();
  REQUIRE(checkModel(spec).empty());
  const ModelSpec expanded = expand(spec);
  REQUIRE(expanded.bodies.size() == spec.bodies.size() + 4);  // node 0 is ground
  const double mass = 7800 * 0.02 * 0.04 * 2;
  const BodySpec &second = bodyOf(expanded, "bar.2"), &last = bodyOf(expanded, "bar.4");
  CHECK(second.mass == Approx(mass / 4));
  CHECK(last.mass == Approx(mass / 8));
  CHECK((second.position - Vector3d(1, 0, 5)).norm() < kRounding);
  CHECK((last.position - Vector3d(2 - 0.5 / 6, 0, 5)).norm() < kRounding);
  // Axis 2 along y: the height stands along z.
  CHECK(second.inertia(1, 1) == Approx(mass / 4 * 0.04 * 0.04 / 12));
  CHECK(second.inertia(2, 2) == Approx(mass / 4 * 0.02 * 0.02 / 12));
  CHECK(second.inertia(0, 0) == Approx(second.inertia(1, 1) + second.inertia(2, 2)));

  const BeamElementSpec &first = elementOf(expanded, "bar.element_1"), &end = elementOf(expanded, "bar.element_4");
  CHECK(first.body_1 == kGroundName);
  CHECK(first.body_2 == "bar.1");
  CHECK((first.point_1 - Vector3d(0, 0, 5)).norm() < kRounding);
  CHECK((end.point_2 - Vector3d(0.5 / 6, 0, 0)).norm() < kRounding);
  const Model model = buildModel(spec);
  for (const CompliantLaw& law : {model.compliant_laws.end()[-4], model.compliant_laws.back()}) {
    CHECK(law.rows == 6);
    CHECK((law.rest.head<3>() - Vector3d(0.5, 0, 0)).norm() < kRounding);
    CHECK(law.rest.tail<3>().norm() < kRounding);
    CHECK(law.K(0, 0) == Approx(207e9 * 0.02 * 0.04 / 0.5));
  }
}

TEST_CASE("stations taper a beam, and damping is a time or a ratio", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec& beam = beamOf(spec);
  GeneralSectionSpec thick;
  thick.stiffness = 2 * Eigen::MatrixXd::Identity(6, 6);
  thick.mass = 4;
  thick.inertia = {2, 1, 1};
  GeneralSectionSpec thin = thick;
  thin.stiffness *= 0.5;
  thin.mass = 2;
  beam.stations = {{0.25, thick}, {0.75, thin}};
  beam.material.reset();
  beam.damping_time = 0.25;
  beam.damping_ratio = 0.02;
  beam.damping_angular_frequency = 0.16;
  REQUIRE(checkModel(spec).empty());
  const ModelSpec expanded = expand(spec);
  // Elements count at their middle: at 1/8, 3/8, 5/8, 7/8 of the beam.
  CHECK(elementOf(expanded, "bar.element_1").stiffness(0, 0) == 2);
  CHECK(elementOf(expanded, "bar.element_2").stiffness(0, 0) == Approx(1.75));
  CHECK(elementOf(expanded, "bar.element_4").stiffness(0, 0) == 1);
  CHECK(elementOf(expanded, "bar.element_4").damping_time == Approx(0.25 + 2 * 0.02 / 0.16));
  CHECK(bodyOf(expanded, "bar.2").mass == Approx(3 * 0.5));
}

TEST_CASE("a beam along an arc is strained evenly, one with a corner is straight on both sides", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec& beam = beamOf(spec);
  beam.across = Vector3d(0, 0, 1);
  beam.points.clear();
  for (int k = 0; k <= 4; ++k) {
    const double angle = 0.2 * k;
    beam.points.push_back({{std::sin(angle), 1 - std::cos(angle), 5}, 0});
  }
  REQUIRE(checkModel(spec).empty());
  const Model arc = buildModel(spec);
  const auto rest = [](const Model& model, int element) { return model.compliant_laws.end()[element - 5].rest; };
  for (const int i : {1, 2, 3, 4}) {
    CHECK((rest(arc, i) - rest(arc, 1)).norm() < kRounding);
    CHECK(rest(arc, i)[0] == Approx(0.2));                // the length of the arc
    CHECK(rest(arc, i).tail<3>().norm() == Approx(0.2));  // its angle
    CHECK(rest(arc, i).segment<2>(1).norm() < kRounding);
  }

  beam.points = {{{0, 0, 5}, 0}, {{1, 0, 5}, 0}, {{1, 1, 5}, 0}};
  REQUIRE(checkModel(spec).empty());
  const Model corner = buildModel(spec);
  for (const int i : {1, 2, 3, 4}) {
    CHECK((rest(corner, i).head<3>() - Vector3d(0.5, 0, 0)).norm() < kRounding);
    CHECK(rest(corner, i).tail<3>().norm() < kRounding);
  }

  // Pre-twist.
  beam.points = {{{0, 0, 5}, 0}, {{2, 0, 5}, 0.8}};
  const Model twisted = buildModel(spec);
  CHECK((rest(twisted, 2).tail<3>() - Vector3d(0.2, 0, 0)).norm() < kRounding);
}

TEST_CASE("mounts hold nodes of a beam where they are", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec& beam = beamOf(spec);
  beam.mounts = {
      {0, kGroundName, BeamMountKind::kRevolute, {0, 0, 2}}, {2, "arm"}, {4, "rod", BeamMountKind::kSpherical}};
  REQUIRE(checkModel(spec).empty());
  const ModelSpec expanded = expand(spec);
  REQUIRE(expanded.joints.size() == spec.joints.size() + 3);
  const JointSpec* mounts = &expanded.joints[spec.joints.size()];
  CHECK(mounts[0].name == "bar.mount_0");
  CHECK(std::get<RevoluteSpec>(mounts[0].kind).point_2.isApprox(Vector3d(-0.5 / 6, 0, 0)));  // round-off
  CHECK(mounts[1].body_1 == "arm");
  CHECK(std::holds_alternative<WeldSpec>(mounts[1].kind));
  for (int k = 0; k < 3; ++k) {
    CAPTURE(k);
    // Both points coincide as declared.
    const auto pose = [&](const std::string& name) {
      return name == kGroundName ? DeclaredPose() : DeclaredPose(bodyOf(expanded, name));
    };
    std::visit(
        [&]<typename Spec>(const Spec& kind) {
          if constexpr (requires {
                          kind.point_1;
                          kind.point_2;
                        })
            CHECK((pose(mounts[k].body_1).toWorld(kind.point_1) - pose(mounts[k].body_2).toWorld(kind.point_2)).norm() <
                  kRounding);
        },
        mounts[k].kind);
  }
  CHECK(buildModel(spec).bodyCount() == static_cast<int>(spec.bodies.size()) + 5);
}

TEST_CASE("a mount with an offset holds its joint by rigid arms of both sides", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  const Vector3d offset(0.1, -0.2, 0.3), joint = Vector3d(2, 0, 5) + offset;
  for (const BeamMountKind kind : {BeamMountKind::kRigid, BeamMountKind::kSpherical, BeamMountKind::kRevolute}) {
    CAPTURE(static_cast<int>(kind));
    beamOf(spec).mounts = {{0, kGroundName}, {4, "rod", kind, {0, 1, 0}, offset}};
    REQUIRE(checkModel(spec).empty());
    const ModelSpec expanded = expand(spec);
    const DeclaredPose rod(bodyOf(expanded, "rod")), node(bodyOf(expanded, "bar.4"));
    std::visit(
        [&]<typename Spec>(const Spec& of) {
          if constexpr (requires {
                          of.point_1;
                          of.point_2;
                        }) {
            CHECK((rod.toWorld(of.point_1) - joint).norm() < kRounding);
            CHECK((node.toWorld(of.point_2) - joint).norm() < kRounding);
          }
        },
        expanded.joints.back().kind);
  }
}

TEST_CASE("nodes of a beam move with the body that mounts it rigidly", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  spec.bodies.push_back(turningHub());
  beamOf(spec).mounts = {{4, "arm", BeamMountKind::kSpherical}, {0, "hub"}};
  const ModelSpec expanded = expand(spec);
  const BodySpec& tip = bodyOf(expanded, "bar.4");
  CHECK((tip.velocity - Vector3d(0, -10 * tip.position[0], 1)).norm() < kRounding * 20);
  const Vector3d omega = DeclaredPose(tip).rotation * tip.angular_velocity;
  CHECK((omega - Vector3d(0, 0, -10)).norm() < kRounding * 10);
  // Ground holds a beam at rest.
  beamOf(spec).mounts.front() = {4, kGroundName};
  CHECK(bodyOf(expand(spec), "bar.2").velocity.isZero(0));
}

TEST_CASE("nodes on a joint of their mount move with its point and without the spin that the joint leaves free",
          "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  spec.bodies.push_back(turningHub());
  const auto tipWith = [&](BeamMountKind kind, const Vector3d& axis) {
    beamOf(spec).mounts = {{0, "hub", kind, axis}};
    return bodyOf(expand(spec), "bar.4");
  };
  for (const BodySpec& tip :
       {tipWith(BeamMountKind::kRevolute, {0, 0, 2}), tipWith(BeamMountKind::kSpherical, Vector3d::Zero())}) {
    CHECK((tip.velocity - Vector3d(0, 0, 1)).norm() < kRounding * 20);
    CHECK(tip.angular_velocity.norm() < kRounding * 10);
  }
  const BodySpec turning = tipWith(BeamMountKind::kRevolute, {0, 3, 0});
  CHECK((turning.velocity - Vector3d(0, -10 * turning.position[0], 1)).norm() < kRounding * 20);
}

TEST_CASE("the order of declaration does not decide how beams and struts on beams move", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  spec.bodies.push_back(turningHub());
  beamOf(spec).mounts = {{0, "hub"}};
  BeamSpec second = beamOf(spec), third = second;
  second.points = {{{2, 0, 5}, 0}, {{2, 2, 5}, 0}};
  second.across = Vector3d(0, 0, 1);
  second.mounts = {{0, "bar.4", BeamMountKind::kRevolute, {1, 0, 0}}};
  third.points = {{{2, 2, 5}, 0}, {{4, 2, 5}, 0}};
  third.mounts = {{0, "second.4"}};
  StrutSpec strut;
  strut.body_1 = "third.2";
  strut.body_2 = "bar.1";
  strut.stiffness = 1;
  strut.tube = {3, 0.01, 0.05, 0.2};
  strut.rod = {1, 0.002, 0.03, 0.25};
  spec.composites.insert(spec.composites.end(), {{"second", "", second}, {"third", "", third}, {"strut", "", strut}});
  REQUIRE(checkModel(spec).empty());
  const ModelSpec ordered = expand(spec);
  // All of them turn with the hub: the hinge along x leaves its spin about z no freedom.
  for (const BodySpec& body : ordered.bodies) {
    if (body.name.find('.') == std::string::npos) continue;
    CAPTURE(body.name);
    const Vector3d expected(10 * body.position[1], -10 * body.position[0], 1);
    CHECK((body.velocity - expected).norm() < kRounding * 100);
  }
  std::reverse(spec.composites.begin(), spec.composites.end());
  const ModelSpec reversed = expand(spec);
  REQUIRE(reversed.bodies.size() == ordered.bodies.size());
  for (const BodySpec& body : ordered.bodies) {
    CAPTURE(body.name);
    CHECK(bodyOf(reversed, body.name).velocity == body.velocity);
    CHECK(bodyOf(reversed, body.name).angular_velocity == body.angular_velocity);
  }
}

TEST_CASE("beams that hold each other in a ring are at rest", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec second = beamOf(spec);
  beamOf(spec).mounts = {{4, "second.0"}};
  second.mounts = {{4, "bar.0"}};
  spec.composites.push_back({"second", "", second});
  for (const BodySpec& body : expand(spec).bodies)
    if (body.name.find('.') != std::string::npos) CHECK(body.velocity.isZero(0));
}

TEST_CASE("a mount holds a node of another beam, declared before or behind it", "[rt][model][beam]") {
  for (const BeamMountKind kind : {BeamMountKind::kRigid, BeamMountKind::kSpherical, BeamMountKind::kRevolute})
    for (const bool behind : {true, false}) {
      CAPTURE(static_cast<int>(kind), behind);
      ModelSpec spec = sampleWithBeam();
      BeamSpec on = beamOf(spec);
      on.points = {{{2, 0, 5}, 0}, {{4, 0, 5}, 0}};
      on.mounts = {{0, "bar.4", kind, {0, 0, 3}}};
      spec.composites.insert(behind ? spec.composites.end() : spec.composites.begin(), {"on", "", on});
      REQUIRE(checkModel(spec).empty());
      const ModelSpec expanded = expand(spec);
      REQUIRE(expanded.joints.size() == spec.joints.size() + 1);
      const JointSpec& mount = expanded.joints.back();
      CHECK(mount.name == "on.mount_0");
      CHECK(mount.body_1 == "bar.4");
      CHECK(mount.body_2 == "on.0");
      // Both points lie on the axis. A rigid mount makes one beam of both: their masses end where the node is.
      const double inside = kind == BeamMountKind::kRigid ? 0 : 0.5 / 6;
      CHECK((bodyOf(expanded, "bar.4").position - Vector3d(2 - inside, 0, 5)).norm() < kRounding);
      CHECK((bodyOf(expanded, "on.0").position - Vector3d(2 + inside, 0, 5)).norm() < kRounding);
      std::visit(
          [&]<typename Spec>(const Spec& joint) {
            if constexpr (requires {
                            joint.point_1;
                            joint.point_2;
                          }) {
              CHECK((joint.point_1 - Vector3d(inside, 0, 0)).norm() < kRounding);
              CHECK((joint.point_2 - Vector3d(-inside, 0, 0)).norm() < kRounding);
            }
          },
          mount.kind);
      CHECK(buildModel(spec).bodyCount() == static_cast<int>(spec.bodies.size()) + 9);
    }
}

TEST_CASE("a mount that finds no body is a finding at the mount", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec on = beamOf(spec);
  on.points = {{{2, 0, 5}, 0}, {{4, 0, 5}, 0}};
  spec.composites.push_back({"on", "", on});
  const auto refused = [&spec](std::vector<BeamMountSpec> mounts, const std::string& path, const std::string& text) {
    std::get<BeamSpec>(spec.composites[1].kind).mounts = std::move(mounts);
    TACTUS_REQUIRE_FINDING(spec, path, text);
  };
  const std::string path = "composites[1].beam.mounts[0]";
  refused({{0, "bar.5"}}, path + ".body", "must be the name of a body");  // the beam ends at node 4
  refused({{0, "bar.0"}}, path + ".body", "must be the name of a body");  // ground holds it
  refused({{0, "br.4", BeamMountKind::kSpherical}}, path + ".body", "must be the name of a body");
  refused({{0, "on.0"}}, path, "differ");  // the node itself
}

TEST_CASE("each bad value of a beam is a finding at the beam", "[rt][model][beam]") {
  const auto refused = [](const std::function<void(BeamSpec&)>& change, const std::string& field,
                          const std::string& text) {
    ModelSpec spec = sampleWithBeam();
    change(beamOf(spec));
    CAPTURE(field);
    TACTUS_REQUIRE_FINDING(spec, "composites[0].beam" + field, text);
  };
  refused([](BeamSpec& b) { b.points.pop_back(); }, ".points", "at least 2");
  refused([](BeamSpec& b) { b.points[1] = b.points[0]; }, ".points[1].position", "apart");
  refused([](BeamSpec& b) { b.points.push_back({{1, 0, 5}, 0}); }, ".points[2].position", "fold");
  refused(
      [](BeamSpec& b) {
        b.points = {{{0, 0, 5}, 0}, {{1.1, 0, 5}, 0}, {{1.1, 0, 6}, 0}};
      },
      ".points[1].position", "on a node");
  refused([](BeamSpec& b) { b.elements = 0; }, ".elements", "1 to 2048");
  refused([](BeamSpec& b) { b.points[1].twist = 5; }, ".elements", "twist");
  refused([](BeamSpec& b) { b.across = Vector3d(1, 0, 0); }, ".across", "along the beam");
  refused([](BeamSpec& b) { b.stations.clear(); }, ".stations", "at least one");
  refused([](BeamSpec& b) { b.stations.push_back(b.stations[0]); }, ".stations[1].place", "above that");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, RectangleSectionSpec{-1, 2}}};
      },
      ".stations[0].rectangle.width", "above zero");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, TubeSectionSpec{1, 2}}};
      },
      ".stations[0].tube.inner_radius", "below outer_radius");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, BoxSectionSpec{0.1, 0.2, 0.06}}};
      },
      ".stations[0].box.thickness", "below half");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, ISectionSpec{0.1, 0.2, 0.1, 0.02}}};
      },
      ".stations[0].i_section.flange", "below half");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, ChannelSectionSpec{0.1, 0.2, 0.1, 0.02}}};
      },
      ".stations[0].channel.flange", "below half");
  refused(
      [](BeamSpec& b) {
        b.stations = {{0, ChannelSectionSpec{0.1, 0.2, 0.01, 0.1}}};
      },
      ".stations[0].channel.web", "below the width");
  refused([](BeamSpec& b) { b.mounts[0].offset.x() = std::nan(""); }, ".mounts[0].offset", "finite");
  refused([](BeamSpec& b) { b.material->young = 0; }, ".material.young", "above zero");
  refused([](BeamSpec& b) { b.material.reset(); }, ".material", "must be given");
  refused([](BeamSpec& b) { b.damping_ratio = 0.1; }, ".damping_angular_frequency", "together");
  refused([](BeamSpec& b) { b.mounts[0].node = 7; }, ".mounts[0].node", "must be from 0");
  refused([](BeamSpec& b) { b.mounts[0].body = "nobody"; }, ".mounts[0].body", "");
  refused([](BeamSpec& b) { b.mounts.push_back({0, "arm"}); }, ".mounts[1].node", "held twice");
  refused([](BeamSpec& b) { b.mounts.push_back({1, kGroundName}); }, ".mounts[0].node", "neighbor");
  refused([](BeamSpec& b) { b.mounts = {{4, kGroundName, BeamMountKind::kRevolute}}; }, ".mounts[0].axis", "");

  GeneralSectionSpec section{Eigen::MatrixXd::Identity(6, 6), 1, {2, 1, 1}};
  const auto refusedSection = [&](const std::function<void(GeneralSectionSpec&)>& change, const std::string& field,
                                  const std::string& text) {
    GeneralSectionSpec changed = section;
    change(changed);
    refused([&](BeamSpec& b) { b.stations = {{0, changed}}; }, ".stations[0].general" + field, text);
  };
  refusedSection([](GeneralSectionSpec& s) { s.stiffness(2, 2) = 0; }, ".stiffness", "above zero on the diagonal");
  refusedSection([](GeneralSectionSpec& s) { s.stiffness(3, 3) = -1; }, ".stiffness", "above zero on the diagonal");
  refusedSection([](GeneralSectionSpec& s) { s.stiffness(0, 4) = s.stiffness(4, 0) = 1.5; }, ".stiffness",
                 "positive definite");
  refusedSection([](GeneralSectionSpec& s) { s.stiffness(0, 4) = 0.5; }, ".stiffness", "symmetric");
  refusedSection([](GeneralSectionSpec& s) { s.stiffness = Eigen::MatrixXd::Identity(3, 3); }, ".stiffness", "6 or 36");
  refusedSection([](GeneralSectionSpec& s) { s.inertia = {1, 3, 1}; }, ".inertia", "sum of the other two");
  refusedSection([](GeneralSectionSpec& s) { s.inertia[1] = 0; }, ".inertia", "above zero");
}

TEST_CASE("findings of a beam come all at once, and a coarse arc is a warning", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  BeamSpec& beam = beamOf(spec);
  beam.material->density = -1;
  beam.mounts.push_back({9, "arm"});
  beam.stations.push_back({0, CircleSectionSpec{0}});
  CHECK(checkModel(spec).size() == 4);  // density, node, place, radius

  ModelSpec coarse = sampleWithBeam();
  std::get<BeamSpec>(coarse.composites[0].kind).across = Vector3d(0, 0, 1);
  auto& points = std::get<BeamSpec>(coarse.composites[0].kind).points;
  points.clear();
  for (int k = 0; k <= 4; ++k) points.push_back({{std::sin(0.7 * k), 1 - std::cos(0.7 * k), 5}, 0});
  const std::vector<Finding> findings = checkModel(coarse);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].severity == Severity::kWarning);
  CHECK(findings[0].path == "composites[0].beam.elements");
}

TEST_CASE("a polyline with too few elements for its turn is a finding, but for corners at nodes", "[rt][model][beam]") {
  ModelSpec spec = sampleModel();
  BeamSpec beam = std::get<BeamSpec>(sampleWithBeam().composites[0].kind);
  beam.across = Vector3d(0, 0, 1);
  const auto findingsOf = [&](std::vector<BeamPointSpec> points, int elements) {
    beam.points = std::move(points);
    beam.elements = elements;
    spec.composites = {{"bar", "", beam}};
    return checkModel(spec);
  };
  const auto circle = [](double turn, int spans) {
    std::vector<BeamPointSpec> points;
    for (int k = 0; k <= spans; ++k)
      points.push_back({{std::sin(turn * k / spans), 1 - std::cos(turn * k / spans), 5}, 0});
    return points;
  };
  const auto refused = [&](const std::vector<BeamPointSpec>& points, int elements, const std::string& rule) {
    const std::vector<Finding> findings = findingsOf(points, elements);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].severity == Severity::kError);
    CHECK(findings[0].path == "composites[0].beam.elements");
    CHECK_THAT(findings[0].rule, Catch::Contains(rule));
  };
  CHECK(findingsOf(circle(3, 16), 16).empty());
  refused(circle(3, 16), 2, "turns by");              // no point has a corner, the chords have one
  refused(circle(3, 16), 1, "would stand for 2.99");  // a half circle cut off
  refused(circle(6.2832, 16), 1, "would stand for");  // both nodes at one place
  const std::vector<BeamPointSpec> corner = {{{0, 0, 5}, 0}, {{1, 0, 5}, 0}, {{1, 1, 5}, 0}};
  CHECK(findingsOf(corner, 2).empty());
}

TEST_CASE("a node that is held several times is one finding with the names of all its mounts", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  const auto refused = [&spec](std::vector<BeamMountSpec> mounts, const std::string& field, const std::string& rule) {
    beamOf(spec).mounts = std::move(mounts);
    const std::vector<Finding> findings = checkModel(spec);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].path == "composites[0].beam" + field);
    CHECK_THAT(findings[0].rule, Catch::Contains(rule));
  };
  const auto pin = BeamMountKind::kSpherical;
  refused({{0, kGroundName}, {4, "arm", pin}, {0, kGroundName}, {0, kGroundName, pin}}, ".mounts[3].node",
          "held twice: mounts[0] and mounts[2] hold it, too");
  refused({{4, "arm", pin}, {4, "arm", pin}, {4, "arm"}, {4, "arm", pin}}, ".mounts[3].node",
          "held twice: mounts[0], mounts[1] and mounts[2] hold it, too");
  refused({{0, "arm", pin}, {0, kGroundName}}, ".mounts[1].node", "held twice: mounts[0] holds it, too");
  // A body beside them that holds the node once is not named.
  refused({{0, kGroundName, pin}, {0, "arm", pin}, {0, "arm", pin}}, ".mounts[2].node",
          "held twice: mounts[1] holds it, too");
}

TEST_CASE("an element of a beam has findings of its own", "[rt][model][beam]") {
  ModelSpec spec = sampleModel();
  BeamElementSpec element;
  element.body_1 = "arm";
  element.body_2 = kGroundName;
  element.point_2 = {0.25, 0.5, 0.125};
  element.length = 1;
  element.stiffness = Eigen::MatrixXd::Identity(6, 6);
  const std::string path = "forces[" + std::to_string(spec.forces.size()) + "].beam_element";
  spec.forces.push_back({"wire", "", element});
  REQUIRE(checkModel(spec).empty());
  const auto of = [](ModelSpec& s) -> BeamElementSpec& { return std::get<BeamElementSpec>(s.forces.back().kind); };
  ModelSpec bad = spec;
  of(bad).body_2 = "arm";
  TACTUS_REQUIRE_FINDING(bad, path + ".body_2", "must differ");
  bad = spec;
  of(bad).length = 0;
  TACTUS_REQUIRE_FINDING(bad, path + ".length", "above zero");
  bad = spec;
  of(bad).stiffness(5, 5) = 0;
  TACTUS_REQUIRE_FINDING(bad, path + ".stiffness", "diagonal");
  bad = spec;
  of(bad).orientation_1 = {0, 0, 0, 1};
  TACTUS_REQUIRE_FINDING(bad, path + ".orientation_2", "1.57 rad");
  bad = spec;
  of(bad).damping_time = -1;
  TACTUS_REQUIRE_FINDING(bad, path + ".damping_time", "not be below zero");
}

TEST_CASE("a small description cannot stand for more bodies than a model has", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  beamOf(spec).elements = 2048;
  beamOf(spec).damping_time = 1e-3;
  while (spec.composites.size() < 40) {
    spec.composites.push_back(spec.composites.front());
    spec.composites.back().name += std::to_string(spec.composites.size());
  }
  Expansion expansion(spec);
  expansion.run();
  CHECK(expansion.tooLarge());
  CHECK(expansion.spec().bodies.size() <= kMaxBodies + 2048);
  TACTUS_REQUIRE_FINDING(spec, "composites", "at most 4096 bodies");
}

TEST_CASE("mounts of beams count as joints of a model, which has at most 16384", "[rt][model][beam]") {
  ModelSpec spec = sampleWithBeam();
  const std::size_t declared = spec.joints.size();
  beamOf(spec).elements = 1;
  beamOf(spec).mounts.clear();
  for (int i = 0; i < 8192; ++i) beamOf(spec).mounts.push_back({i % 2, "arm", BeamMountKind::kSpherical});
  // A node that one body holds 4096 times is one finding, as short as one of a few mounts.
  const std::vector<Finding> held = checkModel(spec);
  REQUIRE(held.size() == 2);
  CHECK(held[0].path == "composites[0].beam.mounts[8190].node");
  CHECK(held[0].rule ==
        "must not be held twice: mounts[0], mounts[2], mounts[4], mounts[6], mounts[8], mounts[10], mounts[12], "
        "mounts[14] and 4087 more hold it, too");

  for (std::size_t i = 0; i < beamOf(spec).mounts.size(); ++i) {
    const std::string body = 'b' + std::to_string(i / 2);
    beamOf(spec).mounts[i].body = body;
    if (i % 2 == 0 && spec.bodies.size() < 4000) spec.bodies.push_back(sampleBody(body, {0, 0, 5}));
  }
  beamOf(spec).mounts.resize(7900);
  CHECK(checkModel(spec).empty());
  spec.composites.push_back(spec.composites.front());
  spec.composites.back().name = "second";
  CHECK(checkModel(spec).empty());
  spec.composites.push_back(spec.composites.front());
  spec.composites.back().name = "third";
  const std::vector<Finding> findings = checkModel(spec);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].path == "composites");
  CHECK(findings[0].value == "more than " + std::to_string(16384 - declared) + " joints as parts");
  CHECK(findings[0].rule.find("at most 16384 joints") != std::string::npos);

  spec.composites.resize(1);
  beamOf(spec).mounts.resize(16385, {0, "arm"});
  TACTUS_REQUIRE_FINDING(spec, "composites[0].beam.mounts", "must be at most 16384");
}
