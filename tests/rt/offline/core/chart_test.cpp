#include "rt/offline/core/chart.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "tests/rt/offline/core/dense_values.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace tactus::rt;
using namespace tactus::rt::offline;
using tactus::tests::JointMix;
using tactus::tests::largest;
using tactus::tests::randomVector;

TEST_CASE("a chart returns the motion that it was given, also far from its reference", "[rt][offline]") {
  const Model model = buildModel(tactus::tests::randomTree(5, JointMix::kMixed, 711));
  const EquationsOfMotion system(model, declaredInput(model));
  std::mt19937 random(713);
  const MotionPoint reference = system.pointOf(initialState(model).state, 0);
  const Chart chart(system, reference);
  const VectorXd y = 0.8 * randomVector(system.size(), random);
  MotionPoint point = chart.placeAt(y);
  point.velocity = randomVector(system.size(), random);
  point.acceleration = randomVector(system.size(), random);
  const ChartPoint c = chart.coordinatesOf(point);
  // Round-off of rotations by up to some rad and back; accelerations take one product more.
  CHECK(largest(c.y - y) < 1e-13);
  const MotionPoint back = chart.motionOf(c);
  // Round-off, as above.
  CHECK(largest(back.position - point.position) < 1e-13);
  CHECK(largest(back.velocity - point.velocity) < 1e-13);
  CHECK(largest(back.acceleration - point.acceleration) < 1e-12);
  for (std::size_t i = 0; i < point.orientation.size(); ++i)
    CHECK((back.orientation[i] - point.orientation[i]).norm() < 1e-13);
}

TEST_CASE("the rates of chart coordinates are the derivatives of the coordinates", "[rt][offline]") {
  // A body that turns at a steady rate about a fixed world axis, seen from a chart at another orientation.
  const Vector3d omega(0.7, -1.1, 0.4);
  const Vector4d reference = Vector4d(0.9, 0.1, -0.3, 0.2).normalized(),
                 start = Vector4d(0.8, 0.4, 0.1, -0.3).normalized();
  const auto orientation = [&](double t) -> Vector4d {
    Vector4d turn;
    turn << std::cos(0.5 * omega.norm() * t), std::sin(0.5 * omega.norm() * t) * omega.normalized();
    return product(turn, start);
  };
  const auto g = [&](double t) { return parametersOf(orientation(t), reference); };
  const double h = 1e-4;
  const Vector3d gd = parameterRate(g(0), omega);
  // Central differences with h = 1e-4: truncation h^2, some 1e-8.
  CHECK((gd - (g(h) - g(-h)) / (2 * h)).norm() < 1e-7);
  // omega = G gd and alpha = G gdd + (dG gd) gd = 0.
  CHECK((rateMatrix(g(0)) * gd - omega).norm() < 1e-14);
  const Vector3d gdd = (g(h) - 2 * g(0) + g(-h)) / (h * h);
  CHECK((rateMatrix(g(0)) * gdd + rateMatrixDerivative(g(0), gd) * gd).norm() < 1e-6);
  // The derivative of G^-1 omega by g.
  for (int k = 0; k < 3; ++k) {
    const Vector3d e = h * Vector3d::Unit(k);
    const Vector3d difference = (parameterRate(g(0) + e, omega) - parameterRate(g(0) - e, omega)) / (2 * h);
    CHECK((parameterRateDerivative(g(0), omega).col(k) - difference).norm() < 1e-7);  // as above
  }
}
