// Any topology: random mechanisms against dense index-1 integration by independent code.
#include "tests/support/random_mechanisms.h"
#include "rt/math/worst.h"
#include "tests/support/reference_trajectory.h"
#include "tests/validation/acceptance.h"

using namespace tactus;
using namespace tactus::tests;

namespace {

constexpr double kEnd = 0.5;
constexpr int kSamples = 25;

struct Errors {
  double position = 0, velocity = 0, force = 0;
};

/// Errors of one run at the samples of the reference; forces of joints whose second body moves.
Errors errorsOf(const rt::ModelSpec& spec, const DenseMechanism& mechanism, const ReferenceTrajectory& reference,
                double dt) {
  const Recording run = record(spec, settingsFor(dt), kEnd, {"*"});
  REQUIRE(run.ok);
  Errors errors;
  const auto compare = [&run](const std::string& stem, const Vector3d& expected, std::size_t k, double& worst) {
    for (int c = 0; c < 3; ++c) {
      const std::vector<double>& values = run[stem + '.' + "xyz"[c]];
      worst = rt::worst(worst, std::abs(values.at(k) - expected[c]));
    }
  };
  for (std::size_t s = 0; s < reference.t.size(); ++s) {
    const auto k = static_cast<std::size_t>(std::lround(reference.t[s] / dt));
    for (std::size_t i = 0; i < spec.bodies.size(); ++i) {
      compare(spec.bodies[i].name + ".r", reference.states[s].r[i], k, errors.position);
      compare(spec.bodies[i].name + ".v", reference.states[s].v[i], k, errors.velocity);
    }
    for (std::size_t j = 0; j < spec.joints.size(); ++j) {
      if (spec.joints[j].body_2 == rt::kGroundName) continue;
      const JointReaction reaction = mechanism.reaction(static_cast<int>(j), reference.states[s], reference.lambda[s]);
      compare(spec.joints[j].name + ".force", reaction.force, k, errors.force);
    }
  }
  return errors;
}

/// Order 2 in position, velocity and, where the reactions are unique, force.
void checkOrder(const rt::ModelSpec& spec, bool unique_reactions) {
  INFO(spec.name);
  const DenseMechanism mechanism(spec);
  std::vector<double> times;
  for (int i = 0; i <= kSamples; ++i) times.push_back(kEnd * i / kSamples);
  const ReferenceTrajectory reference = integrate(mechanism, times);
  std::vector<double> position, velocity, force;
  for (const double dt : {0.01, 0.005, 0.0025, 0.00125}) {
    const Errors errors = errorsOf(spec, mechanism, reference, dt);
    position.push_back(errors.position);
    velocity.push_back(errors.velocity);
    force.push_back(errors.force);
  }
  // 5 m of fall and 3 rad/s of spin: an error above this is not one of discretization, whatever its order.
  CHECK(position.front() < 0.02);
  checkOrderTwo(position);
  checkOrderTwo(velocity);
  if (unique_reactions) checkOrderTwo(force);
}

}  // namespace

TEST_CASE("random trees converge with order 2 to the dense index-1 reference", "[validation][random]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    for (const JointMix mix : {JointMix::kSpherical, JointMix::kHinged, JointMix::kMixed}) {
      CAPTURE(seed, static_cast<int>(mix));
      checkOrder(randomTree(5, mix, seed), true);
    }
    checkOrder(randomChain(5, 5, seed), true);
  }
}

TEST_CASE("random closed loops converge with order 2 to the dense index-1 reference", "[validation][random]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    checkOrder(randomLoop(4, 2, seed), true);
    checkOrder(randomLoop(6, 5, seed), true);
    checkOrder(planarLoop(4, seed), false);
  }
}

TEST_CASE("hubs and separate mechanisms converge with order 2 to the dense index-1 reference", "[validation][random]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    CAPTURE(seed);
    checkOrder(star(6, JointMix::kHinged, seed % 2 == 0, seed), true);
    checkOrder(star(6, JointMix::kMixed, true, seed), true);
    checkOrder(hubWithLoops(3, seed), true);
    checkOrder(together({doublePendulum(), freeBody(4), randomLoop(3, 1, seed), ladder(1)}), false);
  }
}

TEST_CASE("mechanisms of any topology do not depend on the order of listing", "[validation][random]") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    checkOrderOfListing(randomTree(8, JointMix::kMixed, seed), settingsFor(0.01));
    checkOrderOfListing(randomLoop(6, 3, seed), settingsFor(0.01));
    checkOrderOfListing(planarLoop(5, seed), settingsFor(0.01));
    checkOrderOfListing(star(7, JointMix::kHinged, true, seed), settingsFor(0.01));
    checkOrderOfListing(hubWithLoops(3, seed), settingsFor(0.01));
  }
}

TEST_CASE("mechanisms of any topology hold their joints for ten seconds at 1 ms", "[validation][random]") {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    for (const rt::ModelSpec& spec :
         {randomTree(6, JointMix::kHinged, seed), randomLoop(5, 2, seed), planarLoop(3, seed), hubWithLoops(2, seed)}) {
      CAPTURE(seed, spec.name);
      const Recording run = record(spec, settingsFor(1e-3), 10, {"energy.*"});
      REQUIRE(run.ok);
      checkConstraintNorms(run);
      const std::vector<double>& kinetic = run["energy.kinetic"];
      const double scale = *std::max_element(kinetic.begin(), kinetic.end());
      // A thousandth of the energy that moves: discretization at 1 ms, no loss and no gain that grows.
      CHECK(run.lowestChange("energy.total") > -1e-3 * scale);
      CHECK(run.highestChange("energy.total") < 1e-3 * scale);
    }
  }
}

TEST_CASE("reactions of redundant rows do not drift at 1 ms", "[validation][random]") {
  // A four-bar in general orientation: the share of each joint is not unique, but it may not grow with time.
  const rt::ModelSpec spec = planarLoop(3, 7);
  const Recording run = record(spec, settingsFor(1e-3), 30, {"joint_*"});
  REQUIRE(run.ok);
  double worst_early = 0, worst_late = 0;
  for (const rt::JointSpec& joint : spec.joints) {
    for (const std::string part : {".force.x", ".force.y", ".force.z", ".torque.x", ".torque.y", ".torque.z"}) {
      const std::vector<double>& v = run[joint.name + part];
      for (std::size_t k = 0; k < v.size(); ++k) {
        double& worst = run.t[k] < 2 ? worst_early : worst_late;
        worst = rt::worst(worst, std::abs(v[k]));
      }
    }
  }
  // The first two seconds hold a whole swing.
  CHECK(worst_late < 1.1 * worst_early);
}
