// Beams that hold each other: two halves against the whole, a T against its closed form, hinges against joints.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/equilibrium.h"
#include "tests/support/beams.h"
#include "tests/support/compare.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

const rt::BeamMaterialSpec kSteel{207e9, 0.3, 7800};
constexpr double kHalf = 0.5;  ///< m

/// A steel beam along x from one place to another, 16 mm square.
rt::CompositeSpec along(const char* name, double from, double to, int elements, std::vector<rt::BeamMountSpec> mounts) {
  rt::BeamSpec beam;
  beam.points = {{{from, 0, 0}, 0}, {{to, 0, 0}, 0}};
  beam.elements = elements;
  beam.across = Vector3d::UnitY();
  beam.stations = {{0, rt::RectangleSectionSpec{0.016, 0.016}}};
  beam.material = kSteel;
  beam.mounts = std::move(mounts);
  return {name, "", beam};
}

rt::ModelSpec hanging(std::vector<rt::CompositeSpec> composites) {
  rt::ModelSpec spec;
  spec.name = "beams";
  spec.gravity = Vector3d(0, -kGravity, 0);
  spec.composites = std::move(composites);
  return spec;
}

/// Largest difference of the heights of two bodies over a run, over the largest fall.
double difference(const rt::ModelSpec& a, const std::string& body_a, const rt::ModelSpec& b, const std::string& body_b,
                  double until) {
  const Recording run_a = record(a, settingsFor(1e-3), until, {body_a + ".r.y"});
  const Recording run_b = record(b, settingsFor(1e-3), until, {body_b + ".r.y"});
  REQUIRE(run_a.ok);
  REQUIRE(run_b.ok);
  double largest = 0;
  for (std::size_t k = 0; k < run_a.t.size(); ++k)
    largest = rt::worst(largest, std::abs(run_a[body_a + ".r.y"][k] - run_b[body_b + ".r.y"][k]));
  return largest / -run_a.lowestChange(body_a + ".r.y");
}

}  // namespace

TEST_CASE("two half beams joined rigidly move as the whole beam, in any order of declaration", "[validation][beam]") {
  const std::vector<rt::BeamMountSpec> clamp = {{0, rt::kGroundName}}, on_first = {{0, "first.4"}};
  const rt::ModelSpec whole = hanging({along("whole", 0, 2 * kHalf, 8, clamp)});
  const rt::CompositeSpec first = along("first", 0, kHalf, 4, clamp), second = along("second", kHalf, 1, 4, on_first);
  // The weld is a row of six with the compliance of every rigid joint, 1e-8 of its bodies.
  for (const rt::ModelSpec& halves : {hanging({first, second}), hanging({second, first})})
    CHECK(difference(whole, "whole.8", halves, "second.4", 1) < 1e-6);
}

TEST_CASE("a hinge between two beams is the same as a mount and as a joint", "[validation][beam]") {
  const std::vector<rt::BeamMountSpec> clamp = {{0, rt::kGroundName}};
  const Vector3d axis = Vector3d::UnitZ();
  const rt::CompositeSpec first = along("first", 0, kHalf, 4, clamp);
  // The axis goes a sixth of an element beyond the centers of the end nodes. Axes 1, 2, 3 of the sections are those of
  // the world.
  const Vector3d end(kHalf / 4 / 6, 0, 0);
  rt::ModelSpec joined = hanging({first, along("second", kHalf, 1, 4, {})});
  for (const rt::BeamMountKind kind : {rt::BeamMountKind::kRevolute, rt::BeamMountKind::kSpherical}) {
    if (kind == rt::BeamMountKind::kRevolute)
      joined.joints = {makeJoint("hinge", "first.4", "second.0", rt::RevoluteSpec{end, -end, axis, axis, 0})};
    else
      joined.joints = {makeJoint("hinge", "first.4", "second.0", rt::SphericalSpec{end, -end})};
    const rt::ModelSpec mounted = hanging({first, along("second", kHalf, 1, 4, {{0, "first.4", kind, axis}})});
    CHECK(difference(joined, "second.4", mounted, "second.4", 0.5) < 1e-9);  // round-off of the points
  }
}

TEST_CASE("a T of beams bends and twists as its closed form", "[validation][beam]") {
  // A bar of 2 m along x between two walls carries in its middle a stem of 0.5 m along y with a weight at its end.
  const double a = 1, l = 0.5, EA = 1e8, GA = 4e7, GJ = 8e5, EI = 1e6, load = 10;
  const rt::GeneralSectionSpec section = sectionOf(EA, GA, GJ, EI, 1e-6, 1e-9);  // no weight of its own
  rt::ModelSpec spec = clampedBeam({{-a, 0, 0}, {a, 0, 0}}, 8, section);
  std::get<rt::BeamSpec>(spec.composites[0].kind).mounts.push_back({8, rt::kGroundName});
  rt::CompositeSpec stem = clampedBeam({{0, 0, 0}, {0, l, 0}}, 2, section).composites[0];
  stem.name = "stem";
  std::get<rt::BeamSpec>(stem.kind).mounts = {{0, "beam.4"}, {2, "weight"}};
  spec.composites.insert(spec.composites.begin(), stem);  // it mounts what comes behind it
  spec.bodies = {makeBody("weight", {0, l, 0})};
  spec.gravity = Vector3d(0, 0, -load);
  const rt::Model model = rt::buildModel(spec);
  const rt::offline::Equilibrium found = rt::offline::findEquilibrium(model, rt::initialState(model).state, {});
  const double bar = load * (std::pow(2 * a, 3) / (192 * EI) + 2 * a / (4 * GA));
  const double twist = load * l * a / (2 * GJ);
  const double closed_form = bar + twist * l + load * (std::pow(l, 3) / (3 * EI) + l / GA);
  CHECK(-found.state.view().r(0).z() == Approx(closed_form).epsilon(1e-6));  // of second order in an angle of 3e-6
}

TEST_CASE("a load that hangs from an offset twists its beam by the arm", "[validation][beam]") {
  const double L = 1, arm = 0.1, hook = 0.2, GA = 4e7, GJ = 8e5, EI = 1e6, load = 10;
  rt::ModelSpec spec =
      clampedBeam({Vector3d::Zero(), L * Vector3d::UnitX()}, 4, sectionOf(1e8, GA, GJ, EI, 1e-6, 1e-9));
  spec.gravity = Vector3d(0, 0, -load);
  spec.bodies = {makeBody("weight", {L, arm, -hook})};
  for (const rt::BeamMountKind kind : {rt::BeamMountKind::kSpherical, rt::BeamMountKind::kRevolute}) {
    rt::BeamMountSpec mount{4, "weight", kind, Vector3d::UnitX(), {0, arm, 0}};
    std::get<rt::BeamSpec>(spec.composites[0].kind).mounts = {{0, rt::kGroundName}, mount};
    const rt::Model model = rt::buildModel(spec);
    const rt::offline::Equilibrium found = rt::offline::findEquilibrium(model, rt::initialState(model).state, {});
    const double fall = -hook - found.state.view().r(0).z();
    const double bend = load * (std::pow(L, 3) / (3 * EI) + L / GA), twist = load * arm * L / GJ;
    CHECK(fall == Approx(bend + twist * arm).epsilon(1e-4));  // of first order in the slope of the weight, 5e-6
  }
}
