// Ropes: block and tackle against the closed form, energy, slack, third law, derivatives against differences, findings.
// Covers: rt/mechanics/compliant_loads.cpp
#include "rt/model/elements/rope.h"

#include "rt/math/worst.h"
#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/energy.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"
#include "tests/support/simulation.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace tactus;
using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

constexpr double kG = 9.81;
const Vector3d kNone = Vector3d::Zero();

BodySpec weight(const std::string& name, double mass, double height) {
  BodySpec body = sampleBody(name, {0, 0, height});
  body.mass = mass;
  return body;
}

/// A load on `falls` parts of a rope, alternately over a block on the load and one on the ceiling, with a counterweight
/// at its end. All on one line; a rope under a load as in the closed form is stretched so far that nothing vibrates.
ModelSpec tackle(int falls, double load, double counterweight, double stiffness, double tension) {
  ModelSpec spec;
  spec.name = "tackle";
  spec.gravity = Vector3d(0, 0, -kG);
  spec.bodies = {weight("load", load, -3), weight("counterweight", counterweight, -2)};
  RopeSpec rope;
  rope.points.push_back({"ground", kNone});
  for (int fall = 0; fall < falls; ++fall) rope.points.push_back({fall % 2 == 0 ? "load" : "ground", kNone});
  rope.points.push_back({"counterweight", kNone});
  rope.stiffness = stiffness;
  rope.free_length = 3.0 * falls + 2 - tension / stiffness;
  spec.forces = {{"rope", "", rope}};
  return spec;
}

/// Points of one rope on four bodies that move anyhow, one of them met twice.
ModelSpec anyhow(bool with_ground) {
  ModelSpec spec;
  spec.name = "anyhow";
  spec.gravity = kNone;
  for (const char* name : {"a", "b", "c", "d"}) {
    spec.bodies.push_back(sampleBody(name, {static_cast<double>(spec.bodies.size()), 0, 0}));
  }
  RopeSpec rope;
  rope.points = {{"a", {0.1, 0.2, 0}}, {"b", {0, -0.3, 0.1}}, {"c", {0.2, 0, 0}}, {"b", {0.1, 0.1, -0.2}}};
  if (with_ground) rope.points.push_back({"ground", {0, 2, 0}});
  rope.points.push_back({"d", {0, 0.2, 0.3}});
  rope.stiffness = 40;
  rope.damping = 3;
  rope.free_length = 0.1;
  spec.forces = {{"rope", "", rope}};
  return spec;
}

using Motions = std::vector<BodyMotion>;

Motions anyMotions(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  Motions motions(4);
  for (BodyMotion& m : motions) {
    m.r = any();
    m.R = Eigen::AngleAxisd(normal(random), any().normalized()).toRotationMatrix();
    m.v = 0.3 * any();
    m.omega_w = 0.3 * any();
  }
  return motions;
}

Eigen::VectorXd ropeLoadsAt(const Model& model, const Motions& motions) {
  std::vector<Load> loads(motions.size());
  double lambda[1];
  addCompliantLoad(model, model.joints[0], motions.data(), nullptr, nullptr, lambda, loads.data());
  Eigen::VectorXd all(6 * motions.size());
  for (std::size_t i = 0; i < loads.size(); ++i)
    all.segment<6>(static_cast<Eigen::Index>(6 * i)) << loads[i].force, loads[i].torque;
  return all;
}

}  // namespace

TEST_CASE("a block and tackle moves with the acceleration and the tension of its closed form", "[rt][model]") {
  for (const int falls : {2, 4}) {
    constexpr double kLoad = 50, kCounter = 30;
    // The rope keeps its length: the counterweight sinks `falls` times as far as the load rises.
    const double rise = (falls * kCounter - kLoad) * kG / (kLoad + falls * falls * kCounter);
    const double tension = kCounter * (kG - falls * rise);
    CAPTURE(falls, rise, tension);
    const ModelSpec spec = tackle(falls, kLoad, kCounter, 1e6, tension);
    const auto run = tests::record(spec, tests::settingsFor(1e-3), 0.5,
                                   {"load.r.z", "counterweight.r.z", "rope.tension", "rope.length", "rope.power"});
    REQUIRE(run.ok);
    for (std::size_t k = 0; k < run.t.size(); ++k) {
      const double moved = 0.5 * rise * run.t[k] * run.t[k];
      // A constant acceleration is exact in the trapezoidal rule; what is left is round-off over 500 steps.
      REQUIRE(run["load.r.z"][k] == Approx(-3 + moved).epsilon(0).margin(1e-9));
      REQUIRE(run["counterweight.r.z"][k] == Approx(-2 - falls * moved).epsilon(0).margin(1e-9));
      REQUIRE(run["rope.tension"][k] == Approx(tension).epsilon(1e-6));
      REQUIRE(run["rope.length"][k] == Approx(3.0 * falls + 2).epsilon(0).margin(1e-9));
    }
  }
}

TEST_CASE("a rope that swings and tightens keeps energy, and its damper accounts for what is lost", "[rt][model]") {
  for (const double damping : {0.0, 40.0}) {
    ModelSpec spec = tackle(2, 20, 15, 5e3, 0);
    spec.bodies[1].position += Vector3d(0.5, 0, 0);  // the counterweight swings
    std::get<RopeSpec>(spec.forces[0].kind).damping = damping;
    const auto run = tests::record(spec, tests::settingsFor(5e-4), 1.5, {"energy.*"});
    REQUIRE(run.ok);
    const double scale = std::abs(run["energy.potential"].front());
    double worst = 0;
    for (const double total : run["energy.total"])
      worst = tactus::rt::worst(worst, std::abs(total - run["energy.total"].front()));
    CAPTURE(damping, worst, scale);
    CHECK(worst < 2e-4 * scale);  // of order dt^2 at the rope's own frequency
    CHECK((run["energy.dissipated"].back() > 1e-3 * scale) == (damping > 0));
  }
}

TEST_CASE("a slack rope carries nothing and lets its bodies fly", "[rt][model]") {
  ModelSpec spec = tackle(2, 20, 15, 1e5, 0);
  std::get<RopeSpec>(spec.forces[0].kind).free_length = 12;  // 4 m of slack: the bodies fall freely
  const auto run = tests::record(spec, tests::settingsFor(1e-3), 0.4, {"load.r.z", "rope.tension", "energy.total"});
  REQUIRE(run.ok);
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    REQUIRE(run["rope.tension"][k] == Approx(0).margin(1e-9));  // round-off of a row that keeps a millionth
    REQUIRE(run["load.r.z"][k] == Approx(-3 - 0.5 * kG * run.t[k] * run.t[k]).epsilon(0).margin(1e-9));
  }
  // Afterward it tightens, and never pushes.
  const auto later = tests::record(spec, tests::settingsFor(1e-4), 1.5, {"rope.tension"});
  REQUIRE(later.ok);
  double largest = 0;
  for (const double tension : later["rope.tension"]) {
    REQUIRE(tension > -1e-2);  // the iteration ends a little off the law where the rope goes slack
    largest = tactus::rt::worst(largest, tension);
  }
  CHECK(largest > 100);
}

TEST_CASE("the loads of a rope obey the third law", "[rt][model]") {
  const Model model = buildModel(anyhow(false));
  REQUIRE(model.joints.size() == 1);
  std::mt19937 random(17);
  for (int repeat = 0; repeat < 20; ++repeat) {
    const Motions motions = anyMotions(random);
    const Eigen::VectorXd loads = ropeLoadsAt(model, motions);
    Vector3d force = kNone, moment = kNone;
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const Vector3d f = loads.segment<3>(static_cast<Eigen::Index>(6 * i));
      force += f;
      moment += motions[i].r.cross(f) + loads.segment<3>(static_cast<Eigen::Index>(6 * i + 3));
    }
    // Round-off of sums of about 500 N.
    CHECK(force.norm() < 1e-11);
    CHECK(moment.norm() < 1e-11);
  }
}

TEST_CASE("derivatives of a rope's loads equal differences", "[rt][model]") {
  for (const bool with_ground : {false, true}) {
    const Model model = buildModel(anyhow(with_ground));
    std::mt19937 random(29);
    for (int repeat = 0; repeat < 6; ++repeat) {
      const Motions motions = anyMotions(random);
      Eigen::MatrixXd by_position = Eigen::MatrixXd::Zero(24, 24), by_velocity = by_position;
      for (const BodyLoadDerivative& d :
           differentiateCompliantCoupler(model, model.joints[0], motions.data(), nullptr, nullptr)) {
        by_position.block<6, 6>(6 * d.loaded, 6 * d.moved) += d.by_position;
        by_velocity.block<6, 6>(6 * d.loaded, 6 * d.moved) += d.by_velocity;
      }
      const double h = 1e-6;
      for (int k = 0; k < 24; ++k) {
        Motions moved[2] = {motions, motions}, faster[2] = {motions, motions};
        for (int s = 0; s < 2; ++s) {
          const double step = s == 0 ? h : -h;
          BodyMotion &m = moved[s][static_cast<std::size_t>(k / 6)], &f = faster[s][static_cast<std::size_t>(k / 6)];
          if (k % 6 < 3)
            m.r += step * Vector3d::Unit(k % 3);
          else
            m.R = Eigen::AngleAxisd(step, Vector3d::Unit(k % 3)).toRotationMatrix() * m.R;
          (k % 6 < 3 ? f.v : f.omega_w) += step * Vector3d::Unit(k % 3);
        }
        // The derivative is of H^T lambda, the opposite of the load; differences of some 500 N over 2e-6.
        CHECK((by_position.col(k) + (ropeLoadsAt(model, moved[0]) - ropeLoadsAt(model, moved[1])) / (2 * h)).norm() <
              1e-3);
        CHECK((by_velocity.col(k) + (ropeLoadsAt(model, faster[0]) - ropeLoadsAt(model, faster[1])) / (2 * h)).norm() <
              1e-3);
      }
    }
  }
}

TEST_CASE("ropes: each bad value gets its finding", "[rt][model]") {
  const auto refused = [](auto&& change, const std::string& field, const std::string& rule) {
    ModelSpec spec = sampleModel();
    RopeSpec rope;
    rope.points = {{"ground", {0, 3, 0}}, {"arm", kNone}, {"ground", {1, 3, 0}}, {"bob", kNone}};
    rope.stiffness = 1e4;
    change(rope);
    spec.forces = {{"hoist", "", rope}};
    TACTUS_REQUIRE_FINDING(spec, "forces[0].rope" + field, rule);
  };
  refused([](RopeSpec& r) { r.points.resize(1); }, ".points", "2 to 16");
  refused(
      [](RopeSpec& r) {
        while (r.points.size() < 17) r.points.push_back(r.points[r.points.size() - 2]);
      },
      ".points", "2 to 16");
  refused([](RopeSpec& r) { r.points[2].body = "arm"; }, ".points[2].body", "differ");
  refused([](RopeSpec& r) { r.points[1].body = "amr"; }, ".points[1].body", "name of a body");
  refused([](RopeSpec& r) { r.points[1].point[0] = NAN; }, ".points[1].point", "finite");
  refused([](RopeSpec& r) { r.points[2].point = {0.5, 0, 0}; }, ".points[2]", "apart");
  refused([](RopeSpec& r) { r.stiffness = 0; }, ".stiffness", "above zero");
  refused([](RopeSpec& r) { r.damping = -1; }, ".damping", "below zero");
  refused([](RopeSpec& r) { r.free_length = 0; }, ".free_length", "above zero");
}

TEST_CASE("a rope takes its length in the declared state for the natural one, and a sensor reads its tension",
          "[rt][model]") {
  ModelSpec spec = tackle(2, 20, 15, 1e5, 0);
  std::get<RopeSpec>(spec.forces[0].kind).free_length.reset();
  spec.sensors = {{"cell", "", ForceValueSpec{"rope"}}};
  const Model model = buildModel(spec);
  CHECK(model.compliant_laws.at(0).rest[0] == Approx(8));
  const auto run = tests::record(spec, tests::settingsFor(1e-3), 0.1, {"cell", "rope.tension"});
  CHECK(run["cell"] == run["rope.tension"]);
}
