// Values of sensors.
#include "rt/mechanics/sensors.h"
#include "rt/model/model.h"

#include "rt/mechanics/initial_state.h"
#include "rt/mechanics/joint_constraints.h"
#include "tests/rt/mechanics/equipped_tree.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;
using namespace tactus::tests;

TEST_CASE("sensors of velocity and acceleration give the rates of position and velocity", "[rt][mechanics]") {
  const Model model = buildModel(equipped());
  const State state = initialState(model).state;
  const auto values = [&](double t) {
    // Constant accelerations from the initial state: a Taylor series of each body's motion.
    State moved = state;
    for (int i = 0; i < model.bodyCount(); ++i) {
      moved.r(i) += t * state.view().v(i) + 0.5 * t * t * state.view().a(i);
      moved.v(i) += t * state.view().a(i);
      const Vector4d p = state.view().p(i);
      moved.p(i) = (p + t * rateOf(p, state.view().omega(i)) +
                    0.5 * t * t * secondRateOf(p, state.view().omega(i), state.view().alpha(i)))
                       .normalized();
      moved.omega(i) += t * state.view().alpha(i);
    }
    const std::vector<BodyMotion> motions = motionsOf(moved);
    for (const Joint& j : model.joints)
      if (j.displacement >= 0)
        moved.jointDisplacements()[j.displacement] =
            unwrapAngle(jointAngle(j, motions.data()), state.view().jointDisplacements()[j.displacement]);
    std::vector<double> v;
    for (const Sensor& s : model.sensors) v.push_back(sensorValue(model, s, moved.view(), motions.data()));
    return v;
  };
  const double h = 1e-5;
  const std::vector<double> before = values(-h), now = values(0), after = values(h);
  // Truncation h^2, and round-off 1e-16 / h.
  CHECK(now[1] == Approx((after[0] - before[0]) / (2 * h)).epsilon(1e-6));  // rate of the angle
  CHECK(now[3] == Approx((after[2] - before[2]) / (2 * h)).epsilon(1e-6));  // velocity of the position
  CHECK(now[4] == Approx((after[3] - before[3]) / (2 * h)).epsilon(1e-5));  // acceleration of the velocity
  CHECK(now[5] == Approx(double(state.view().omega(model.bodyCount() - 1)[1])));
}
