// The literal algorithm of [DCA3] against published references: the oracle itself must be right before it judges.
// Covers: rt/offline/literal/literal_body.cpp
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/literal/literal_chain.h"
#include "tests/support/compare.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus::tests;
using namespace tactus::rt::offline;

namespace {

/// What a run of the literal algorithm leaves behind; energies relative to the start.
struct Run {
  bool finite = true;
  double end = 0;  ///< last time reached, s
  double lowest_energy = 0, highest_energy = 0;
  double largest_gap = 0, largest_velocity_violation = 0, largest_acceleration_violation = 0;
  double largest_kinetic = 0, time_of_largest_kinetic = 0;
  std::vector<double> t;
  std::vector<Vector3d> r, v, raw_force, force;  ///< of the last body; of joint 1
};

/// Stops when the state is not finite or the energy has risen by more than `energy_limit`.
Run run(const tactus::rt::ModelSpec& spec, const LiteralSettings& settings, double until, double energy_limit = 1e6) {
  const tactus::rt::Model model = tactus::rt::buildModel(spec);
  LiteralChain chain(model, tactus::rt::initialState(model).state, settings);
  Run out;
  const double start = chain.energy();
  const int steps = static_cast<int>(std::lround(until / settings.dt));
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) chain.step();
    const double energy = chain.energy() - start;
    if (!chain.finite() || !std::isfinite(energy) || energy > energy_limit) {
      out.finite = false;
      return out;
    }
    out.end = k * settings.dt;
    out.lowest_energy = std::min(out.lowest_energy, energy);
    out.highest_energy = std::max(out.highest_energy, energy);
    out.largest_gap = std::max(out.largest_gap, chain.largestGap());
    out.largest_velocity_violation = std::max(out.largest_velocity_violation, chain.velocityViolation());
    out.largest_acceleration_violation = std::max(out.largest_acceleration_violation, chain.accelerationViolation());
    if (chain.kineticEnergy() > out.largest_kinetic) {
      out.largest_kinetic = chain.kineticEnergy();
      out.time_of_largest_kinetic = out.end;
    }
    out.t.push_back(out.end);
    out.r.push_back(chain.r(chain.bodies() - 1));
    out.v.push_back(chain.v(chain.bodies() - 1));
    out.raw_force.push_back(chain.lambda(0));
    out.force.push_back(chain.correctedLambda(0));
  }
  return out;
}

/// The penalty that keeps alpha dt^2, and so the contraction, the same for every step.
LiteralSettings converged(double dt, double alpha_at_10_ms) {
  LiteralSettings settings;
  settings.dt = dt;
  settings.alpha = alpha_at_10_ms * (0.01 / dt) * (0.01 / dt);
  settings.iterations = 4;
  return settings;
}

double vectorError(const Run& run, const std::vector<Vector3d>& values, const Table& table, const std::string& name,
                   const std::string& unit, double t_begin, double t_end, int components) {
  std::vector<std::pair<Series, Series>> pairs;
  const char* axes[] = {"x", "y", "z"};
  for (int c = 0; c < components; ++c) {
    Series computed{run.t, {}, {}};
    for (const Vector3d& v : values) computed.value.push_back(v[c]);
    pairs.emplace_back(computed, table.series(name + "_" + axes[c] + unit));
  }
  return rError(pairs, t_begin, t_end);
}

/// An anisotropic double pendulum: body A turns about the line through its joints, B about its own.
tactus::rt::ModelSpec spinningDoublePendulum(double spin) {
  tactus::rt::ModelSpec spec = doublePendulum();
  for (auto& body : spec.bodies) body.inertia = Vector3d(0.1, 0.5, 0.55).asDiagonal();
  spec.bodies[0].angular_velocity = Vector3d(spin, 0, 0);
  spec.bodies[1].angular_velocity = Vector3d(0, 0, spin);
  return spec;
}

/// Scaled difference of a function from its linearization, for finite-difference checks.
constexpr double kStep = 1e-6;

}  // namespace

TEST_CASE("derivatives of the literal body terms agree with central differences", "[support][literal]") {
  LiteralBody body{2, Matrix3d::Zero(), Vector3d::Zero(), Vector3d::Zero()};
  body.inertia << 1.0, 0.1, -0.2, 0.1, 1.4, 0.05, -0.2, 0.05, 0.9;
  Vector7d q, qd;
  q << 0.3, -0.2, 0.5, Vector4d(0.7, -0.3, 0.5, 0.2).normalized();
  qd << 1, 2, 3, 0.5 * matrixG(q.tail<4>()).transpose() * Vector3d(3, -2, 1);
  const Vector3d s(0.4, -0.7, 0.2), gravity(0, -9.81, 0);

  for (const auto form : {PointDerivative::kPrinted, PointDerivative::kHomogeneous, PointDerivative::kAngular}) {
    const Matrix34d B = rotateDerivative(q.tail<4>(), s, form);
    Matrix34d difference;
    for (int c = 0; c < 4; ++c) {
      const Vector4d h = kStep * Vector4d::Unit(c), p = q.tail<4>();
      difference.col(c) = (rotate(p + h, s, form) - rotate(p - h, s, form)) / (2 * kStep);
    }
    // The angular form is the derivative along the unit sphere only.
    const Matrix34d along = form == PointDerivative::kAngular
                                ? Matrix34d(difference - difference * q.tail<4>() * q.tail<4>().transpose())
                                : difference;
    // Central differences with h = 1e-6: round-off 1e-10, truncation h^2.
    CHECK((B - along).norm() < 1e-8);
  }

  Matrix7d by_q = Matrix7d::Zero(), by_qd = Matrix7d::Zero();
  for (int c = 0; c < 7; ++c) {
    const Vector7d h = kStep * Vector7d::Unit(c);
    by_q.col(c) = (forces(body, q + h, qd, gravity) - forces(body, q - h, qd, gravity)) / (2 * kStep);
    by_qd.col(c) = (forces(body, q, qd + h, gravity) - forces(body, q, qd - h, gravity)) / (2 * kStep);
  }
  // As above, of forces up to 100.
  CHECK((forcesByPosition(body, qd) - by_q).norm() < 1e-7);
  CHECK((forcesByVelocity(body, q, qd) - by_qd).norm() < 1e-7);
}

TEST_CASE("literal double pendulum: order 2 in position, velocity and corrected reaction, order 1 in the raw one",
          "[validation][literal]") {
  const Table table = Table::reference("spatial_double_pendulum.csv");
  std::vector<double> position, velocity, raw, corrected;
  for (const double dt : {0.01, 0.005, 0.0025, 0.00125}) {
    const Run r = run(doublePendulum(), converged(dt, 1e10), 2);
    REQUIRE(r.finite);
    position.push_back(vectorError(r, r.r, table, "rB", "[m]", 0, 2, 3));
    velocity.push_back(vectorError(r, r.v, table, "vB", "[m/s]", 0, 2, 3));
    raw.push_back(vectorError(r, r.raw_force, table, "F1", "[N]", 0, 2, 3));
    corrected.push_back(vectorError(r, r.force, table, "F1", "[N]", 0, 2, 3));
  }
  // At 1e8 the reaction still shows the penalty: its order falls to 1.8. The next term of the error shifts the observed
  // order by up to 0.2 at these steps.
  for (const double order : observedOrders(position)) CHECK(order == Approx(2).margin(0.2));
  for (const double order : observedOrders(velocity)) CHECK(order == Approx(2).margin(0.2));
  for (const double order : observedOrders(corrected)) CHECK(order == Approx(2).margin(0.2));
  for (const double order : observedOrders(raw)) CHECK(order == Approx(1).margin(0.2));

  // Known error of the method at t = 2 s: 5.9e-4 m (norm), where it is largest.
  CHECK(position[0] < 5.95e-4);
  CHECK(position[0] > 4e-4);
}

TEST_CASE("literal double pendulum at 10 ms keeps its energy and its joints", "[validation][literal]") {
  LiteralSettings settings;
  settings.alpha = 1e9;
  const Run r = run(doublePendulum(), settings, 10);
  REQUIRE(r.finite);
  // What the method does, found with independent code: energy in [-0.0099, 0.0001] J, joints to round-off.
  CHECK(r.lowest_energy > -0.0099);
  CHECK(r.highest_energy < 1e-4);
  CHECK(r.largest_gap < 1e-14);
}

TEST_CASE("literal chain of 8: order 2 against the reference", "[validation][literal]") {
  const Table table = Table::reference("chain_8.csv");
  std::vector<double> position, velocity, corrected;
  for (const double dt : {0.01, 0.005, 0.0025, 0.00125}) {
    const Run r = run(chain(8), converged(dt, 1e10), 2);
    REQUIRE(r.finite);
    // The reference is of the tip of the last link, which moves in the plane: its center is half a link before.
    corrected.push_back(vectorError(r, r.force, table, "F1", "[N]", 0.5, 2, 2));
    const Vector3d tip_body(-5.804850875, -2.892548895, 0), tip_velocity(-2.18548658, 6.41761946, 0);
    position.push_back((r.r.back() - tip_body).norm());
    velocity.push_back((r.v.back() - tip_velocity).norm());
  }
  // The next term of the error shifts the observed order by up to 0.2 at these steps.
  for (const double order : observedOrders(position)) CHECK(order == Approx(2).margin(0.2));
  for (const double order : observedOrders(velocity)) CHECK(order == Approx(2).margin(0.2));
  for (const double order : observedOrders(corrected)) CHECK(order == Approx(2).margin(0.2));
}

TEST_CASE("literal chain of 128 at 10 ms needs the printed penalty", "[validation][literal][slow]") {
  LiteralSettings settings;
  const bool full_newton = GENERATE(false, true);
  settings.full_newton = full_newton;
  for (const double alpha : {1e6, 1e7}) {
    settings.alpha = alpha;
    const Run r = run(chain(128), settings, 10);
    CHECK_FALSE(r.finite);
    CHECK(r.end < 2);
  }

  settings.alpha = 1e9;
  const Run r = run(chain(128), settings, 10);
  REQUIRE(r.finite);
  // Print: -46.84 J at about 5.22 s, 0.06 % of the largest kinetic energy.
  CHECK(r.lowest_energy > -48);
  CHECK(r.lowest_energy < -38);
  CHECK(r.highest_energy < 0.1);
  CHECK(r.largest_kinetic == Approx(79747.6572).epsilon(1e-3));
  CHECK(r.time_of_largest_kinetic == Approx(5.22).margin(0.02));
  CHECK(r.largest_gap < 1e-7);
}

TEST_CASE("without projections the index-3 trapezoidal rule diverges; either projection keeps it stable",
          "[validation][literal]") {
  LiteralSettings settings;
  settings.alpha = 1e8;
  settings.full_newton = true;
  settings.iterations = 6;
  settings.project_velocity = settings.project_acceleration = false;
  CHECK_FALSE(run(chain(8), settings, 10).finite);

  settings.project_acceleration = true;
  const Run acceleration_only = run(chain(8), settings, 10);
  settings.project_acceleration = false;
  settings.project_velocity = true;
  const Run velocity_only = run(chain(8), settings, 10);
  settings.project_acceleration = true;
  const Run both = run(chain(8), settings, 10);
  REQUIRE(acceleration_only.finite);
  REQUIRE(velocity_only.finite);
  REQUIRE(both.finite);
  // Each projection leaves a twentieth of its violation; the bounds are twice what is seen.
  CHECK(both.largest_velocity_violation < 0.1 * acceleration_only.largest_velocity_violation);
  CHECK(both.largest_acceleration_violation < 0.1 * velocity_only.largest_acceleration_violation);
  CHECK(both.lowest_energy > acceleration_only.lowest_energy);
  CHECK(both.lowest_energy > velocity_only.lowest_energy);
}

TEST_CASE("each corrected misprint matters: the printed form fails", "[validation][literal]") {
  LiteralSettings right;
  right.alpha = 1e9;
  LiteralSettings wrong = right;

  SECTION("tangent factors exchanged") {
    wrong.misprints.swapped_factors = true;
    CHECK(run(spinningDoublePendulum(20), right, 2).finite);
    const Run r = run(spinningDoublePendulum(20), wrong, 2);
    CHECK_FALSE(r.finite);
    CHECK(r.end < 0.6);  // s, of 2 s; seen 0.05 s
  }
  SECTION("leaf bias with the other sign") {
    wrong.misprints.minus_bias = true;
    const Run r = run(doublePendulum(), wrong, 2);
    CHECK_FALSE(r.finite);
    CHECK(r.end < 0.5);  // s, of 2 s; seen 0.06 s
  }
  SECTION("current gradient beside a frozen tangent") {
    wrong.misprints.mixed_gradients = true;
    CHECK(run(spinningDoublePendulum(10), wrong, 5).highest_energy >
          100 * run(spinningDoublePendulum(10), right, 5).highest_energy);
  }
  SECTION("mu not carried from step to step") {
    right.alpha = wrong.alpha = 1e6;
    wrong.misprints.reset_mu = true;
    const double factor = run(doublePendulum(), wrong, 10).largest_gap / run(doublePendulum(), right, 10).largest_gap;
    CHECK(factor > 10);
    CHECK(factor < 60);
  }
}
