// Minimal coordinates: orders, constraint norms, and the continuity of the subspace.
#include "rt/offline/minimal/minimal_stepper.h"
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/integrator.h"
#include "tests/rt/offline/plain_systems.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace tactus::rt::offline;
using namespace tactus::tests;
using tactus::rt::Vector3d;

namespace {

/// A rod on a spherical joint, thrown around: three freedoms.
struct SphericalPendulum {
  tactus::rt::Model model;
  EquationsOfMotion equations;
  MotionPoint start;

  SphericalPendulum()
      : model(tactus::rt::buildModel(spec())),
        equations(model, declaredInput(model)),
        start(equations.pointOf(tactus::rt::initialState(model).state, 0)) {}

  static tactus::rt::ModelSpec spec() {
    tactus::rt::ModelSpec spec = chain(1);
    spec.bodies[0].angular_velocity = Vector3d(0, 0, 2);
    spec.bodies[0].velocity = Vector3d(0, 0, 2).cross(Vector3d(0.5, 0, 0));
    return spec;
  }
};

MotionPoint run(const DynamicSystem& system, const MotionPoint& start, const MinimalStepper::Settings& settings,
                double until, int steps) {
  MinimalStepper stepper(system, start, settings);
  for (int k = 0; k < steps; ++k) stepper.advance(until / steps);
  return stepper.point();
}

constexpr Factorization kAll[] = {Factorization::kQr, Factorization::kSvd, Factorization::kEigen};

}  // namespace

TEST_CASE("minimal coordinates keep the orders of the Runge-Kutta methods on a constrained mechanism",
          "[rt][offline][order]") {
  const SphericalPendulum pendulum;
  const MotionPoint exact =
      run(pendulum.equations, pendulum.start, {Factorization::kQr, true, &dormandPrince()}, 0.5, 800);
  for (const auto* method : {&classicalRungeKutta(), &dormandPrince()})
    for (const Factorization factorization : kAll) {
      INFO("order " << method->order << ", factorization " << static_cast<int>(factorization));
      std::vector<double> errors;
      for (const int steps : {20, 40}) {
        const MotionPoint end = run(pendulum.equations, pendulum.start, {factorization, true, method}, 0.5, steps);
        errors.push_back((end.position - exact.position).norm() + (end.velocity - exact.velocity).norm() +
                         (end.lambda - exact.lambda).norm());
      }
      CHECK(std::log2(errors[0] / errors[1]) == Approx(method->order).margin(0.4));  // the next term of the error
    }
}

TEST_CASE("minimal coordinates hold the constraints at all levels", "[rt][offline]") {
  const SphericalPendulum pendulum;
  for (const Factorization factorization : kAll)
    for (const bool continuation : {false, true}) {
      MinimalStepper stepper(pendulum.equations, pendulum.start, {factorization, continuation});
      double worst = 0;
      for (int k = 0; k < 100; ++k) {
        stepper.advance(0.01);
        const MotionPoint& p = stepper.point();
        const Sparse H = pendulum.equations.jacobian(p);
        worst = std::max({worst, pendulum.equations.constraints(p).norm(), (H * p.velocity).norm(),
                          (H * p.acceleration - pendulum.equations.gamma(p)).norm()});
      }
      CHECK(worst < 1e-11);  // the iteration ends at round-off; accelerations are up to 30 m/s^2
    }
}

TEST_CASE("continuation keeps the generalized coordinates continuous, and a new factorization does not",
          "[rt][offline]") {
  const SphericalPendulum pendulum;
  const auto largestJump = [&](double h, Factorization factorization, bool continuation) {
    MinimalStepper stepper(pendulum.equations, pendulum.start, {factorization, continuation});
    double largest = 0;
    for (double t = 0; t < 2; t += h) {
      const Eigen::MatrixXd basis = stepper.basis();
      stepper.advance(h);
      largest = tactus::rt::worst(largest, (stepper.basis() - basis).norm());
    }
    return largest;
  };
  // A continuous basis moves half as far in half the step.
  const double coarse = largestJump(0.01, Factorization::kQr, true),
               fine = largestJump(0.005, Factorization::kQr, true);
  CHECK(coarse < 0.1);
  CHECK(fine < 0.6 * coarse);
  CAPTURE(coarse, fine);
  CHECK(largestJump(0.005, Factorization::kQr, false) > 2 * fine);
  CHECK(largestJump(0.005, Factorization::kSvd, true) < 0.6 * coarse);
}

TEST_CASE("the choice of the subspace does not change the motion", "[rt][offline]") {
  const SphericalPendulum pendulum;
  const MotionPoint one = run(pendulum.equations, pendulum.start, {Factorization::kQr, true}, 1, 400);
  for (const Factorization factorization : kAll) {
    const MotionPoint other = run(pendulum.equations, pendulum.start, {factorization, false}, 1, 400);
    // The coordinates of a step differ by a turn within the subspace, to which the Runge-Kutta method is blind.
    CHECK((one.position - other.position).norm() < 1e-11);
  }
}

TEST_CASE("each factorization finds a subspace of its own, anew in each step and continued", "[rt][offline]") {
  // The columns of a new factorization are an arbitrary turn of each other; continued ones turn with the mechanism.
  const tactus::rt::Model model = tactus::rt::buildModel(doublePendulum());
  const EquationsOfMotion equations(model, declaredInput(model));
  const MotionPoint start = equations.pointOf(tactus::rt::initialState(model).state, 0);
  const auto basisAfter = [&](Factorization factorization, bool continuation) {
    MinimalStepper stepper(equations, start, {factorization, continuation});
    for (int k = 0; k < 40; ++k) stepper.advance(0.005);
    const Eigen::MatrixXd N = stepper.basis();
    const Sparse H = equations.jacobian(stepper.point());
    CHECK((H * N).norm() < 1e-7 * H.norm());  // of H^T H, half the digits are left
    CHECK((N.transpose() * N - Eigen::MatrixXd::Identity(N.cols(), N.cols())).norm() < 1e-12);  // round-off
    return N;
  };
  for (const bool continuation : {false, true}) {
    const Eigen::MatrixXd qr = basisAfter(Factorization::kQr, continuation);
    for (const Factorization factorization : {Factorization::kSvd, Factorization::kEigen}) {
      const Eigen::MatrixXd other = basisAfter(factorization, continuation);
      // Eigenvectors are another basis; the singular vectors begin with a QR factorization and may keep its columns.
      if (factorization == Factorization::kEigen) CHECK((qr - other).norm() > 0.1);
      CHECK((qr * qr.transpose() - other * other.transpose()).norm() < 1e-7);  // of the same motions, as above
    }
  }
}
