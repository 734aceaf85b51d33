// gear_train and rack_steering: one freedom each, against its equation of motion in that one coordinate.
#include "rt/math/worst.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

#include <array>
#include <functional>

using namespace tactus;
using namespace tactus::tests;

namespace {

rt::DegreesOfFreedom degreesOfFreedomOf(const char* name) {
  const rt::Model model = rt::buildModel(server::openBuiltInModel(name).spec);
  return rt::countDegreesOfFreedom(model, rt::initialState(model).state);
}

/// Coordinate and rate at the end, by the classic Runge-Kutta method in small steps.
std::array<double, 2> integrate(const std::function<double(double, double)>& acceleration, double until) {
  constexpr double kStep = 1e-3;
  std::array<double, 2> x = {0, 0};
  const int steps = static_cast<int>(std::lround(until / kStep));
  for (int i = 0; i < steps; ++i) {
    const auto rate = [&](const std::array<double, 2>& at) -> std::array<double, 2> {
      return {at[1], acceleration(at[0], at[1])};
    };
    const auto moved = [&](const std::array<double, 2>& k, double h) -> std::array<double, 2> {
      return {x[0] + h * k[0], x[1] + h * k[1]};
    };
    const auto k1 = rate(x), k2 = rate(moved(k1, kStep / 2)), k3 = rate(moved(k2, kStep / 2)),
               k4 = rate(moved(k3, kStep));
    for (std::size_t j = 0; j < 2; ++j) x[j] += kStep / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return x;
}

/// One wheel of the steering: turned by the rack's way y (to the left), about a kingpin at `side` 0.7 m.
struct Wheel {
  double side;

  /// P . R(angle) a = C, with the kingpin as origin, the arm a and the inner end P of the tie rod.
  double angle(double y) const {
    const double ax = -0.15, ay = -0.08 * side, px = -0.17, py = y - 0.4 * side;
    const double declared = std::pow(px - ax, 2) + std::pow(-0.4 * side - ay, 2);
    const double A = px * ax + py * ay, B = py * ax - px * ay;
    const double C = 0.5 * (ax * ax + ay * ay + px * px + py * py - declared), middle = std::atan2(B, A);
    const double half = std::acos(C / std::hypot(A, B));
    return std::abs(middle + half) < std::abs(middle - half) ? middle + half : middle - half;
  }
  double slope(double y) const {
    constexpr double h = 1e-5;
    return (angle(y + h) - angle(y - h)) / (2 * h);
  }
};

}  // namespace

TEST_CASE("gear_train: seven bodies' worth of rows leave one freedom, two are too many", "[server][models]") {
  const rt::DegreesOfFreedom count = degreesOfFreedomOf("gear_train");
  CHECK(count.rows == 37);
  CHECK(count.redundant == 2);
  CHECK(count.count == 1);
}

TEST_CASE("gear_train turns as its one equation of motion says", "[server][models]") {
  // All inertias, the spring and the damper at the motor's shaft: the carrier turns at 0.3 of its speed, the planets at
  // -0.75, the drum at 0.6.
  const double inertia = 1.8e-4 + 0.09 * 2.4e-3 + 3 * (0.5625 * 3e-5 + 0.09 * 0.15 * 0.05 * 0.05) + 0.36 * 1.2e-2;
  const double c = 0.36 * 0.02, k = 0.36 * 0.5, end = 1.2 / k;
  const double decay = c / (2 * inertia), omega = std::sqrt(k / inertia - decay * decay);
  const auto angle = [&](double t) {
    return end * (1 - std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t)));
  };
  std::vector<double> errors;
  for (const double dt : {1e-3, 5e-4}) {
    const Recording run =
        record(server::openBuiltInModel("gear_train").spec, settingsFor(dt), 3, {"*.angle", "belt.*", "energy.*"});
    REQUIRE(run.ok);
    checkConstraintNorms(run);
    double worst = 0;
    for (std::size_t i = 0; i < run.t.size(); ++i) {
      worst = rt::worst(worst, std::abs(run["motor_shaft.angle"][i] - angle(run.t[i])));
      // rad: rows of the gears hold to 1e-9 each.
      CHECK(run["drum_shaft.angle"][i] == Approx(0.6 * run["motor_shaft.angle"][i]).epsilon(0).margin(1e-6));
    }
    errors.push_back(worst);
    CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 1e-3);  // J: an error of order 2
  }
  CHECK(errors[0] < 2e-2);  // of 13 rad, and several turns of every wheel
  CHECK(errors[0] / errors[1] == Approx(4).epsilon(0.2));
}

TEST_CASE("gear_train: the belt carries what the drum asks for", "[server][models]") {
  const Recording run = record(server::openBuiltInModel("gear_train").spec, settingsFor(1e-3), 1,
                               {"belt.torque.z", "drum.alpha.z", "drum_shaft.*", "load.*"});
  REQUIRE(run.ok);
  for (const std::size_t i : {200, 500, 900}) {
    // Drum: I alpha = tension of the belt's row - spring and damper; the belt turns the carrier with -2 of it.
    const double drum =
        1.2e-2 * run["drum.alpha.z"][i] + 0.5 * run["drum_shaft.angle"][i] + 0.02 * run["drum_shaft.rate"][i];
    CHECK(run["belt.torque.z"][i] == Approx(-2 * drum).epsilon(1e-3).margin(1e-3));
  }
}

TEST_CASE("rack_steering: one freedom, and the wheels turn as the linkage says", "[server][models]") {
  CHECK(degreesOfFreedomOf("rack_steering").count == 1);
  CHECK(degreesOfFreedomOf("rack_steering").redundant == 0);
  const Wheel left{1}, right{-1};
  const double radius = 0.008, mass = 3, column = 0.035, wheel = 1.1 + 35 * 0.05 * 0.05;
  const auto inertia = [&](double y) {
    return column / (radius * radius) + mass +
           wheel * (left.slope(y) * left.slope(y) + right.slope(y) * right.slope(y));
  };
  const auto acceleration = [&](double y, double rate) {
    constexpr double h = 1e-4;
    double force = -4 / radius - 0.5 * (inertia(y + h) - inertia(y - h)) / (2 * h) * rate * rate;
    for (const Wheel& w : {left, right}) force -= w.slope(y) * (400 * w.angle(y) + 25 * w.slope(y) * rate);
    return force / inertia(y);
  };
  const auto exact = integrate(acceleration, 2);
  std::vector<double> errors;
  for (const double dt : {1e-3, 5e-4}) {
    const Recording run = record(server::openBuiltInModel("rack_steering").spec, settingsFor(dt), 2,
                                 {"*.angle", "*.travel", "rack_force", "steer_*", "energy.*", "rack.a.y"});
    REQUIRE(run.ok);
    checkConstraintNorms(run);
    const std::vector<double>& y = run["rack_guide.travel"];
    errors.push_back(std::abs(y.back() - exact[0]));
    for (std::size_t i = 0; i < run.t.size(); i += 100) {
      // rad: rows hold to 1e-9, over levers of 0.1 m.
      CHECK(run["steer_left"][i] == Approx(left.angle(y[i])).epsilon(0).margin(1e-8));
      CHECK(run["steer_right"][i] == Approx(right.angle(y[i])).epsilon(0).margin(1e-8));
      CHECK(run["column_bearing.angle"][i] == Approx(-y[i] / radius).epsilon(0).margin(1e-7));
    }
    // It turns left, and the wheel inside the turn by more.
    CHECK(run["steer_left"].back() > run["steer_right"].back() + 0.004);
    CHECK(run["steer_right"].back() > 0.05);
    CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 1e-3);
  }
  // m of rack, the bound in gallery/README.md; order 2 with room for the next term of the error.
  CHECK(errors[0] < 2e-6);
  CHECK(errors[0] / errors[1] == Approx(4).epsilon(0.3));
}
