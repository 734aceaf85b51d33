// Viscous drag: load, power and its part of the tangent.
#include "rt/mechanics/elements/body_drag.h"
#include "rt/model/model.h"

#include "tests/rt/mechanics/elements/direct_loads.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("drag opposes the motion of its body alone, and dissipates the power that it takes",
          "[rt][mechanics][elements]") {
  std::mt19937 random(824);
  Model model;
  model.bodies.resize(kBodies);
  model.drags = {{2, 0.5, 0.25}};
  const Motions motions = randomMotions(random);
  const Eigen::VectorXd loads = loadsOf(model, motions, {});
  CHECK((loads.segment<3>(12) + 0.5 * motions[2].v).norm() == 0);
  CHECK((loads.segment<3>(15) + 0.25 * motions[2].omega_w).norm() == 0);
  CHECK(loads.norm() == loads.segment<6>(12).norm());
  const double power = loads.segment<3>(12).dot(motions[2].v) + loads.segment<3>(15).dot(motions[2].omega_w);
  CHECK(directLoadPower(model, motions.data(), nullptr).dissipated == Approx(-power));
  CHECK(directLoadPower(model, motions.data(), nullptr).input == 0);
}

TEST_CASE("drag adds half a step of itself to the inertia of its body", "[rt][mechanics][elements]") {
  Model model;
  model.drags = {{2, 0.5, 0.25}};
  int calls = 0;
  forEachAddedInertia(model, ElementStates(model), 1e-2, [&](int body, double mass, const auto& inertia) {
    CHECK(body == 2);
    CHECK(mass == 0.5 * 1e-2 * 0.5);
    if constexpr (std::is_same_v<std::decay_t<decltype(inertia)>, double>) CHECK(inertia == 0.5 * 1e-2 * 0.25);
    ++calls;
  });
  CHECK(calls == 1);
}
