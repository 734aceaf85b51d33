// Springs with curves, stops, one side and inputs: slopes, energy, signs, loads.
// Covers: rt/mechanics/compliant_loads.cpp, rt/model/elements/spring_law.cpp
#include "rt/mechanics/elements/spring.h"
#include "rt/model/model.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/loop/tick_loop.h"
#include "rt/mechanics/compliant_loads.h"
#include "rt/mechanics/initial_state.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <optional>
#include <random>

using namespace tactus;
using namespace tactus::tests;
using rt::Vector3d;

namespace {

struct Case {
  std::string name;
  rt::TranslationalSpringSpec spring;
};

/// Between 0.4 m and 1.6 m every branch of these is met; the free length is 1 m.
std::vector<Case> everySpring() {
  rt::TranslationalSpringSpec plain;
  plain.body_1 = "m0_brick";
  plain.body_2 = "m1_brick";
  plain.point_1 = {0.1, 0.2, 0};
  plain.point_2 = {0, -0.1, 0.15};
  plain.stiffness = 40;
  plain.damping = 3;
  plain.free_length = 1;
  std::vector<Case> all = {{"plain", plain}};
  const auto add = [&](const std::string& name, auto change) {
    all.push_back({name, plain});
    change(all.back().spring);
  };
  using S = rt::TranslationalSpringSpec&;
  add("curves", [](S s) {
    s.stiffness = s.damping = 0;
    s.preload = 2;
    s.law.stiffness_curve = {{-0.4, -0.1, 0.05, 0.3}, {-30, -3, 1, 25}};
    s.law.damping_curve = {{-1, -0.2, 0, 0.5, 1}, {-5, -3, 0, 1, 1.5}};
  });
  add("stops", [](S s) {
    s.law.minimum_stop = {0.7, 300, 1.5, 4};
    s.law.maximum_stop = {1.2, 500, 2, 0};
  });
  add("pull", [](S s) {
    s.law.only = rt::SpringSide::kPull;
    s.preload = -3;
  });
  add("push", [](S s) {
    s.law.only = rt::SpringSide::kPush;
    s.law.maximum_stop = {1.3, 200, 1, 1};
  });
  return all;
}

rt::ModelSpec specOf(const Case& c, bool with_inputs = false) {
  rt::ModelSpec spec = together({freeBody(0), freeBody(0)});
  spec.bodies[1].position = Vector3d(0.7, 0.8, -0.3);
  rt::ForceSpec force;
  force.name = "spring";
  force.kind = c.spring;
  spec.forces = {force};
  if (!with_inputs) return spec;
  auto& spring = std::get<rt::TranslationalSpringSpec>(spec.forces[0].kind);
  spring.free_length.reset();
  spring.preload = 0;
  for (const auto& [name, quantity, initial] : {std::tuple("free", rt::SpringQuantity::kFreeLength, 0.9),
                                                std::tuple("set", rt::SpringQuantity::kPreload, 1.5)}) {
    if (quantity == rt::SpringQuantity::kPreload && spring.law.only != rt::SpringSide::kBoth) continue;
    rt::ActuatorSpec actuator;
    actuator.name = name;
    actuator.initial = initial;
    actuator.kind = rt::SpringInputSpec{"spring", quantity};
    spec.actuators.push_back(actuator);
  }
  return spec;
}

constexpr double kStep = 1e-6;
/// Central differences at this step, but for the one point in a thousand where a branch begins.
constexpr double kTolerance = 1e-4;

}  // namespace

TEST_CASE("slopes and energy of every spring agree with differences", "[rt][mechanics][elements]") {
  for (const Case& c : everySpring())
    for (const bool with_inputs : {false, true}) {
      INFO(c.name << (with_inputs ? " with inputs" : ""));
      const rt::Model model = rt::buildModel(specOf(c, with_inputs));
      const rt::CompliantLaw& law = model.compliant_laws[0];
      const double input[] = {0.9, 1.5};
      const auto at = [&](double value, double rate) {
        return rt::SpringRow::evaluate({model, law, nullptr, input}, value, rate);
      };
      const auto energyAt = [&](double value) {
        return rt::SpringRow::storedEnergy({model, law, nullptr, input}, &value);
      };
      for (double value = 0.4013; value < 1.6; value += 0.0371)
        for (const double rate : {-0.73, -0.11, 0.0, 0.27, 1.3}) {
          CAPTURE(value, rate);
          const rt::SpringForce f = at(value, rate);
          const double by_value = (at(value + kStep, rate).total - at(value - kStep, rate).total) / (2 * kStep);
          CHECK(f.by_value == Approx(by_value).epsilon(0).margin(kTolerance));
          const double energy = (energyAt(value + kStep) - energyAt(value - kStep)) / (2 * kStep);
          CHECK(f.elastic == Approx(energy).epsilon(0).margin(kTolerance));
          // A damper that turns with the rate has its slope on either side of rest.
          if (rate != 0)
            CHECK(f.by_rate == Approx((at(value, rate + kStep).total - at(value, rate - kStep).total) / (2 * kStep))
                                   .epsilon(0)
                                   .margin(kTolerance));
          // Dampers take energy.
          CHECK((f.total - f.elastic - f.set) * rate >= -1e-12);
        }
    }
}

TEST_CASE("one-sided springs and stops never act to the other side", "[rt][mechanics][elements]") {
  for (const Case& c : everySpring()) {
    const rt::Model model = rt::buildModel(specOf(c));
    for (double value = 0.4; value < 1.6; value += 0.01)
      for (const double rate : {-20.0, -1.0, 1.0, 20.0}) {
        const double total =
            rt::SpringRow::evaluate({model, model.compliant_laws[0], nullptr, nullptr}, value, rate).total;
        CAPTURE(c.name, value, rate, total);
        if (c.name == "pull") CHECK(total >= 0);
        // The push spring holds up to 1.3 m.
        if (c.name == "push") CHECK((value > 1.3 ? total : -total) >= 0);
        if (c.name != "stops") continue;
        const double without = 40 * (value - 1) + 3 * rate;
        if (value < 0.7) CHECK(total <= without);
        if (value > 1.2) CHECK(total >= without);
        if (value > 0.7 && value < 1.2) CHECK(total == Approx(without));
      }
  }
}

TEST_CASE("loads of every spring: third law, and derivatives against differences", "[rt][mechanics][elements]") {
  std::mt19937 random(811);
  std::normal_distribution<double> normal;
  const auto any = [&] { return Vector3d(normal(random), normal(random), normal(random)); };
  using Motions = std::vector<rt::BodyMotion>;
  for (const Case& c : everySpring()) {
    INFO(c.name);
    const rt::Model model = rt::buildModel(specOf(c, true));
    const double input[] = {0.9, 1.5};
    for (int repeat = 0; repeat < 6; ++repeat) {
      Motions motions(2);
      for (rt::BodyMotion& m : motions) {
        m.r = 0.5 * any();
        m.R = Eigen::AngleAxisd(normal(random), any().normalized()).toRotationMatrix();
        m.v = any();
        m.omega_w = any();
      }
      const auto loads = [&](const Motions& at) {
        std::vector<rt::Load> sum(2);
        double lambda[1];
        rt::addCompliantLoad(model, model.joints[0], at.data(), nullptr, input, lambda, sum.data());
        Eigen::VectorXd all(12);
        all << sum[0].force, sum[0].torque, sum[1].force, sum[1].torque;
        return all;
      };
      const Eigen::VectorXd all = loads(motions);
      // Round-off of loads up to 1e3 N.
      CHECK((all.segment<3>(0) + all.segment<3>(6)).norm() < 1e-12);
      const Vector3d moment = motions[0].r.cross(Vector3d(all.segment<3>(0))) + all.segment<3>(3) +
                              motions[1].r.cross(Vector3d(all.segment<3>(6))) + all.segment<3>(9);
      CHECK(moment.norm() < 1e-11);  // round-off of loads up to 1e3 N with arms of 1 m

      const rt::CompliantDerivatives d =
          rt::differentiateCompliantLoad(model, model.joints[0], motions.data(), nullptr, input);
      for (int k = 0; k < 12; ++k) {
        Motions moved[2] = {motions, motions}, faster[2] = {motions, motions};
        for (int s = 0; s < 2; ++s) {
          const double h = s == 0 ? kStep : -kStep;
          rt::BodyMotion& m = moved[s][static_cast<std::size_t>(k / 6)];
          if (k % 6 < 3)
            m.r += h * Vector3d::Unit(k % 3);
          else
            m.R = Eigen::AngleAxisd(h, Vector3d::Unit(k % 3)).toRotationMatrix() * m.R;
          rt::BodyMotion& f = faster[s][static_cast<std::size_t>(k / 6)];
          (k % 6 < 3 ? f.v : f.omega_w) += h * Vector3d::Unit(k % 3);
        }
        // The derivative is of H^T lambda, the opposite of the load.
        CHECK((d.by_position.col(k) + (loads(moved[0]) - loads(moved[1])) / (2 * kStep)).norm() < 1e-3);
        CHECK((d.by_velocity.col(k) + (loads(faster[0]) - loads(faster[1])) / (2 * kStep)).norm() < 1e-3);
      }
    }
  }
}

TEST_CASE("a spring of zero rate and zero damping has no effect on the motion", "[rt][mechanics]") {
  // A sweep of a parameter may reach zero: a valid model comes of it.
  Case none{"none", everySpring().front().spring};
  none.spring.stiffness = none.spring.damping = 0;
  const rt::Model with = rt::buildModel(specOf(none));
  rt::ModelSpec bare = specOf(none);
  bare.forces.clear();
  const rt::Model without = rt::buildModel(bare);
  const auto end = [](const rt::Model& model) {
    const rt::Plan plan = rt::compilePlan(model);
    rt::TickLoop loop(model, plan, rt::chooseSettings(model), rt::initialState(model).state);
    for (int k = 0; k < 500; ++k) REQUIRE(loop.tick() == rt::TickStatus::kOk);
    return loop.state();
  };
  const rt::State a = end(with), b = end(without);
  for (int i = 0; i < with.bodyCount(); ++i) {
    // The tangent has a rate of 1e-6 N/m beside masses of some kg: nothing above round-off.
    CHECK((a.view().r(i) - b.view().r(i)).norm() < 1e-12);
    CHECK((a.view().v(i) - b.view().v(i)).norm() < 1e-12);
  }
  CHECK(std::abs(a.view().lambda()[0]) < 1e-12);  // N; round-off
}

TEST_CASE("a spring with a stop that it never reaches moves as the spring alone", "[rt][mechanics][elements]") {
  // 1 kg on 1000 N/m, 5 mm about a length of 1 m. The stop has 1000 N at 1 mm, with any exponent.
  const auto end = [](const std::optional<rt::StopSpec>& stop, double stiffness) {
    rt::ModelSpec spec = together({freeBody(0)});
    spec.gravity = Vector3d::Zero();
    spec.bodies[0].mass = 1;
    spec.bodies[0].position = {1.005, 0, 0};
    spec.bodies[0].velocity = spec.bodies[0].angular_velocity = Vector3d::Zero();
    rt::TranslationalSpringSpec spring;
    spring.body_1 = "ground";
    spring.body_2 = spec.bodies[0].name;
    spring.stiffness = stiffness;
    spring.free_length = 1;
    spring.law.maximum_stop = stop;
    spec.forces = {{"spring", "", spring}};
    Simulation run(spec, settingsFor(1e-3, 2));
    for (int k = 0; k < 500; ++k) REQUIRE(run.step().status == rt::TickStatus::kOk);
    return run.state();
  };
  for (const double stiffness : {1000.0, 0.0})
    for (const double exponent : {1.0, 1.5, 3.0, 4.0, 5.0}) {
      CAPTURE(stiffness, exponent);
      const rt::State with_stop = end(rt::StopSpec{1.02, 1000 / std::pow(1e-3, exponent), exponent, 0}, stiffness);
      const rt::State without = end({}, stiffness);
      const rt::StateView a = with_stop.view(), b = without.view();
      CHECK(Vector3d(a.r(0)) == Vector3d(b.r(0)));
      CHECK(Vector3d(a.v(0)) == Vector3d(b.v(0)));
    }
}

TEST_CASE("a body bounces off a stop alone, whatever its exponent", "[rt][mechanics][elements]") {
  for (const double exponent : {1.0, 1.5, 3.0, 5.0}) {
    CAPTURE(exponent);
    rt::ModelSpec spec = together({freeBody(0)});
    spec.gravity = Vector3d::Zero();
    spec.bodies[0].mass = 1;
    spec.bodies[0].position = {1, 0, 0};
    spec.bodies[0].velocity = {0.5, 0, 0};
    spec.bodies[0].angular_velocity = Vector3d::Zero();
    rt::TranslationalSpringSpec spring;
    spring.body_1 = "ground";
    spring.body_2 = spec.bodies[0].name;
    // 100 N at 1 cm: the body of 0.125 J goes in by some mm, for some tens of ms.
    spring.law.maximum_stop = rt::StopSpec{1.02, 100 / std::pow(1e-2, exponent), exponent, 0};
    spec.forces = {{"stop", "", spring}};
    Simulation run(spec, settingsFor(1e-3, 2));
    for (int k = 0; k < 200; ++k) REQUIRE(run.step().status == rt::TickStatus::kOk);
    const rt::StateView s = run.state().view();
    CHECK(s.r(0)[0] < 1);
    // Steps of 1 ms in a contact of some tens of ms: second order.
    CHECK(s.v(0)[0] == Approx(-0.5).epsilon(1e-2));
  }
}
