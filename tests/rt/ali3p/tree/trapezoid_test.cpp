// Covers: rt/ali3p/trapezoidal_rule.h
#include "rt/ali3p/tree/trapezoid.h"

#include "rt/math/euler_parameters.h"
#include "rt/mechanics/initial_state.h"
#include "tests/rt/ali3p/tree/spinning_body.h"
#include "tests/rt/ali3p/tree/tree_problem.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::tests;
using rt::Matrix3d;
using rt::Vector3d;
using rt::Vector4d;

TEST_CASE("rates of rotation that the trapezoidal rule gives are differentiated", "[rt][ali3p]") {
  TreeProblem problem(spinningBody({0.3, 0.7, 0.5}, {40, -25, 60}), kDt);
  turn({0.02, -0.03, 0.01}, problem);  // away from where the predictor is
  const rt::TreeIterate& iterate = problem.ws.iterate;
  const rt::RotationRateDerivatives exact =
      rt::differentiateRotationRates(kDt, iterate.rotations[0], iterate.motions[0]);
  const Matrix3d omega =
      differenceQuotient(problem, 1e-5, [](const TreeProblem& p) { return p.ws.iterate.motions[0].omega_w; });
  const Matrix3d alpha =
      differenceQuotient(problem, 1e-5, [](const TreeProblem& p) { return p.ws.iterate.motions[0].alpha_w; });
  // Central differences with h = 1e-5: h^2 and round-off over h, some 1e-9.
  CHECK((exact.omega - omega).norm() < 1e-7 * omega.norm());
  CHECK((exact.alpha - alpha).norm() < 1e-7 * alpha.norm());
}

TEST_CASE("the predicted motion satisfies the trapezoidal rule", "[rt][ali3p]") {
  // Five bodies: one vector of four, and one more.
  const rt::ModelSpec spec = randomTree(5, JointMix::kMixed, 8);
  const TreeProblem problem(spec, kDt);
  const rt::State start = rt::initialState(problem.model).state;
  const rt::StateView s = start.view();
  for (int i = 0; i < problem.model.bodyCount(); ++i) {
    CAPTURE(i);
    const rt::BodyMotion& motion = problem.ws.iterate.motions[static_cast<std::size_t>(i)];
    const rt::RotationIterate& q = problem.ws.iterate.rotations[static_cast<std::size_t>(i)];
    // Tolerances: round-off of a sum of three terms, divided by dt once or twice.
    CHECK((motion.r - (s.r(i) + kDt * s.v(i) + 0.5 * kDt * kDt * s.a(i))).norm() < 1e-14);
    CHECK((motion.v - (s.v(i) + kDt * s.a(i))).norm() < 1e-14);
    CHECK((motion.r - s.r(i) - 0.5 * kDt * (s.v(i) + motion.v)).norm() < 1e-14);
    CHECK(q.p.norm() == Approx(1).epsilon(0).margin(1e-15));
    CHECK((motion.R - rt::rotationMatrix(q.p)).norm() < 1e-14);
    // p = p_prev + dt/2 (pd_prev + pd) along the tangent of the sphere: pd = E(p) omega / 2, so omega = 2 G pd.
    const Vector4d pd = (2 / kDt) * (q.p - q.p_prev) - rt::rateOf(Vector4d(s.p(i)), Vector3d(s.omega(i)));
    CHECK((q.omega - 2 * rt::multiplyG(q.p, pd)).norm() < 1e-11 * (1 + q.omega.norm()));
    CHECK((motion.omega_w - motion.R * q.omega).norm() < 1e-13 * (1 + q.omega.norm()));
  }
}

TEST_CASE("an increment moves positions, rates and multipliers together", "[rt][ali3p]") {
  TreeProblem problem(randomTree(6, JointMix::kHinged, 9), kDt);
  const rt::TreeIterate before = problem.ws.iterate;
  std::vector<double>& x = problem.ws.unknowns.values;
  for (std::size_t k = 0; k < static_cast<std::size_t>(problem.plan.unknowns()); ++k)
    x[k] = 1e-3 * std::sin(static_cast<double>(k));
  const double largest = rt::applyIncrement(problem.model, kDt, problem.ws.unknowns, problem.ws.iterate);
  double expected = 0;
  for (int i = 0; i < problem.model.bodyCount(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Vector3d dr(x[6 * k], x[6 * k + 1], x[6 * k + 2]), dphi(x[6 * k + 3], x[6 * k + 4], x[6 * k + 5]);
    const rt::BodyMotion &from = before.motions[k], &to = problem.ws.iterate.motions[k];
    // Tolerances: round-off of one sum, times 2/dt and (2/dt)^2.
    CHECK((to.r - from.r - dr).norm() < 1e-15);
    CHECK((to.v - from.v - (2 / kDt) * dr).norm() < 1e-12);
    CHECK((to.a - from.a - (4 / (kDt * kDt)) * dr).norm() < 1e-10);
    // A rotation by dphi in world axes, to second order in it.
    const Matrix3d turned = to.R * from.R.transpose() - Matrix3d::Identity();
    CHECK((Vector3d(turned(2, 1), turned(0, 2), turned(1, 0)) - dphi).norm() < 2 * dphi.squaredNorm());
    expected = std::max({expected, dr.norm(), problem.model.length * dphi.norm()});
  }
  CHECK(largest == Approx(expected).epsilon(1e-14));  // round-off of a square and its root
  const double* dlambda = problem.ws.unknowns.rows(problem.model.bodyCount());
  for (std::size_t row = 0; row < before.lambda.size(); ++row)
    CHECK(problem.ws.iterate.lambda[row] == before.lambda[row] + dlambda[row]);
}

TEST_CASE("a loaded iterate is the motion of its State", "[rt][ali3p]") {
  TreeProblem problem(randomTree(6, JointMix::kMixed, 10), kDt);
  const rt::State state = rt::initialState(problem.model).state;
  rt::loadIterate(problem.model, state, problem.ws.iterate);
  for (int i = 0; i < problem.model.bodyCount(); ++i) {
    const rt::BodyMotion& motion = problem.ws.iterate.motions[static_cast<std::size_t>(i)];
    const rt::BodyMotion expected = rt::bodyMotion(state.view(), i);
    CHECK(motion.r == expected.r);
    // Tolerances: round-off of sums of up to four products, which one side fuses.
    CHECK((motion.R - expected.R).norm() < 1e-15);
    CHECK((motion.omega_w - expected.omega_w).norm() < 1e-15 * (1 + expected.omega_w.norm()));
    CHECK((motion.alpha_w - expected.alpha_w).norm() < 1e-15 * (1 + expected.alpha_w.norm()));
  }
}
