// Air on a body: directions, magnitude and power of drag, lift and side force.
#include "rt/mechanics/elements/air_load.h"
#include "rt/model/model.h"

#include "tests/rt/mechanics/elements/direct_loads.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("a side force of the air resists motion across the body alone and returns no energy",
          "[rt][mechanics][elements]") {
  Model model = directLoads(false);
  model.drags.clear();
  model.anti_roll_bars.clear();
  model.air_loads[0] = {3, Vector3d(1.5, 0, 0), Vector3d::Zero(), Vector3d::Zero(), 0, 0, 2, Vector3d(0, 1, 0)};
  Motions motions(kBodies);
  const auto loadAt = [&](const Vector3d& v) {
    motions[3].v = v;
    std::vector<Load> loads(kBodies);
    addDirectLoads(model, motions.data(), nullptr, loads.data());
    return loads[3];
  };
  CHECK(loadAt({30, 0, 0}).force.norm() == 0);
  const Load drifting = loadAt({4, 3, 0});
  CHECK((drifting.force - Vector3d(0, -2 * 5 * 3, 0)).norm() < 1e-12);  // round-off
  CHECK((drifting.torque - Vector3d(0, 0, -1.5 * 30)).norm() < 1e-12);
  CHECK(directLoadPower(model, motions.data(), nullptr).dissipated == Approx(90));
}

TEST_CASE("drag acts along the relative wind, lift along its axis, and both have their power",
          "[rt][mechanics][elements]") {
  Model model = directLoads(false);
  Motions motions(kBodies);
  motions[3].v = Vector3d(12, -1, 0.5);  // 10 m/s against the wind along x
  std::vector<Load> loads(kBodies);
  addDirectLoads(model, motions.data(), std::vector<double>{0, 0}.data(), loads.data());
  const Vector3d force(-0.7 * 100, 0.4 * 100 * 0.6, 0.4 * 100 * 0.8);
  // Round-off.
  CHECK((loads[3].force - force).norm() < 1e-12);
  CHECK((loads[3].torque - Vector3d(0.3, 0.1, -0.4).cross(force)).norm() < 1e-12);
  model.drags.clear();
  const ElementPower power = directLoadPower(model, motions.data(), nullptr);
  CHECK(power.dissipated == Approx(700));
  CHECK(power.input - power.dissipated == Approx(force.dot(motions[3].v)));
}
