// Covers: rt/mechanics/elements/slip_tyre_lanes.cpp, rt/mechanics/elements/slip_tyre_contact.h
#include "rt/math/worst.h"
#include "rt/mechanics/elements/slip_tyre.h"
#include "rt/model/model.h"

#include "rt/mechanics/force_elements.h"
#include "tests/rt/mechanics/tyres/one_wheel.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::tests;

namespace {

/// Wheels with one law each, on one road with a slope.
rt::ModelSpec wheels(const std::vector<rt::TyreLawSpecs>& grips) {
  rt::ModelSpec spec = wheel(grips.front(), 0, 0);
  spec.roads[0].up = {0.05, -0.03, 1};
  const rt::BodySpec body = spec.bodies.front();
  const rt::SlipTyreSpec tyre = std::get<rt::SlipTyreSpec>(spec.forces.front().kind);
  spec.bodies.clear();
  spec.forces.clear();
  for (std::size_t i = 0; i < grips.size(); ++i) {
    const std::string number = std::to_string(i);
    rt::BodySpec own = body;
    own.name += number;
    own.position.y() += 2.0 * static_cast<double>(i);
    rt::SlipTyreSpec on = tyre;
    on.body = own.name;
    on.grip = grips[i];
    on.radius *= 1 + 0.01 * static_cast<double>(i);
    on.mirrored = i % 2 == 1;
    spec.bodies.push_back(own);
    spec.forces.push_back({"tyre" + number, "", on});
  }
  return spec;
}

/// Wheels that lean, steer, slip and bounce, each in its own way; `wheel` in the air.
std::vector<rt::BodyMotion> motionsOf(const rt::Model& model, int in_the_air) {
  std::vector<rt::BodyMotion> motions(model.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const double k = static_cast<double>(i);
    rt::BodyMotion& m = motions[i];
    m.r = {0.3 * k, 0.2, kRadius - 0.01 - 0.002 * k + (static_cast<int>(i) == in_the_air ? 1 : 0)};
    m.R = rt::rotationMatrix(rt::Vector4d(1, 0.06 - 0.03 * k, 0.3, 0.1 * k - 0.2).normalized());
    m.v = {12 - 3 * k, 0.7 - 0.4 * k, 0.1 * k - 0.2};
    m.omega_w = {0.4, 39 - 9 * k, 0.8};
  }
  return motions;
}

/// The largest difference of two states over the largest number of their kind: forces, or the others.
double apart(const rt::TyreState& a, const rt::TyreState& b) {
  constexpr int kNumbers = sizeof(rt::TyreState) / sizeof(double);
  const double *x = &a.deflection, *y = &b.deflection;
  double worst = 0;
  for (int k = 0; k < kNumbers; ++k) {
    if (std::isnan(x[k]) != std::isnan(y[k])) return 1;
    worst = rt::worst(worst, std::abs(x[k] - y[k]) / std::max({1.0, std::abs(x[k]), std::abs(y[k])}));
  }
  return worst;
}

void checkAgainstOneByOne(const rt::Model& model, const std::vector<rt::BodyMotion>& motions, double dt) {
  std::vector<double> internal_states(static_cast<std::size_t>(model.internal_states));
  for (std::size_t k = 0; k < internal_states.size(); ++k)
    internal_states[k] = 0.004 * std::sin(static_cast<double>(k));
  const rt::ElementInput input{nullptr, internal_states.data(), {}, dt};
  rt::ElementStates elements(model);
  rt::evaluateElements(model, motions.data(), input, elements);
  for (std::size_t i = 0; i < model.slip_tyres.size(); ++i) {
    const rt::TyreState alone = rt::SlipTyreElement::evaluate(model.slip_tyres[i], {model, motions.data(), input});
    CAPTURE(i, dt);
    // Sines and the like are within 4 units in the last place, 9e-16, of each other; slips of standing treads,
    // quotients by a small stiffness, make up to a thousand times as much of it.
    CHECK(apart(elements.of(rt::SlipTyreElement{})[i], alone) < 1e-12);
  }
}

}  // namespace

TEST_CASE("four tyres in lanes do what each does alone", "[rt][mechanics][elements]") {
  for (const auto form : {rt::MagicFormulaForm::k6, rt::MagicFormulaForm::k5})
    for (const bool is_book : {false, true}) {
      rt::MagicFormulaTyreSpec grip = is_book ? bookTyre(false) : magicFormula();
      grip.form = form;
      const rt::Model model = rt::buildModel(wheels({grip, grip, grip, grip, grip}));  // the fifth is alone
      REQUIRE(rt::SlipTyreElement::fitFour(model.slip_tyres.data()));
      for (const int in_the_air : {-1, 0, 2})
        for (const double dt : {0.0, 1e-3}) {
          CAPTURE(is_book, static_cast<int>(form), in_the_air);
          std::vector<rt::BodyMotion> motions = motionsOf(model, in_the_air);
          checkAgainstOneByOne(model, motions, dt);
          motions[1].v.z() = 1e4;  // its damper pulls harder than its spring pushes: no load
          motions[3].v.setZero();  // it stands
          motions[3].omega_w.setZero();
          motions[0].v *= -1;  // it rolls in reverse
          motions[0].omega_w *= -1;
          checkAgainstOneByOne(model, motions, dt);
        }
    }
}

TEST_CASE("a wheel in the air has no state but its distance from the road and the road's normal",
          "[rt][mechanics][elements]") {
  const rt::MagicFormulaTyreSpec grip = magicFormula();
  const rt::Model model = rt::buildModel(wheels({grip, grip, grip, grip}));
  const std::vector<rt::BodyMotion> motions = motionsOf(model, 2);
  const std::vector<double> internal_states(static_cast<std::size_t>(model.internal_states), 0.003);
  rt::ElementStates elements(model);
  rt::evaluateElements(model, motions.data(), {nullptr, internal_states.data(), {}, 1e-3}, elements);
  rt::TyreState of_air = elements.of(rt::SlipTyreElement{})[2];
  CHECK(of_air.deflection < -0.9);                          // m; it was raised by 1 m
  CHECK(of_air.normal.norm() == Approx(1).epsilon(1e-14));  // rounding
  of_air.deflection = 0;
  of_air.normal.setZero();
  CHECK(apart(of_air, rt::TyreState{}) == 0);
  CHECK(elements.of(rt::SlipTyreElement{})[1].load > 500);  // N; it is pressed in by some 10 mm
}

TEST_CASE("tyres of different laws or coefficients are evaluated one by one", "[rt][mechanics][elements]") {
  rt::MagicFormulaTyreSpec other = magicFormula();
  other.coefficients["PKY1"] = -12;
  const rt::TyreLawSpecs grip = magicFormula(), brush = everyTyre().front().grip;
  for (const std::vector<rt::TyreLawSpecs>& grips : {std::vector<rt::TyreLawSpecs>{grip, grip, other, grip},
                                                     {grip, grip, grip, brush},
                                                     {brush, brush, brush, brush}}) {
    const rt::Model model = rt::buildModel(wheels(grips));
    CHECK_FALSE(rt::SlipTyreElement::fitFour(model.slip_tyres.data()));
    checkAgainstOneByOne(model, motionsOf(model, -1), 1e-3);
  }
}
