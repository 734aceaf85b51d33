#include "rt/offline/core/motion_basis.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

#include <Eigen/LU>

using namespace tactus::rt::offline;

TEST_CASE("with small weights of translations the free coordinates of jointed bodies are rotations", "[rt][offline]") {
  const tactus::rt::Model model = tactus::rt::buildModel(tactus::tests::doublePendulum());
  const EquationsOfMotion system(model, declaredInput(model));
  const MotionPoint at = system.pointOf(tactus::rt::initialState(model).state, 0);
  const MotionBasis tangent = continuedBasis(MatrixXd(system.jacobian(at)), {}, {});
  VectorXd weights = VectorXd::Constant(system.size(), 1e-3);
  for (const int k : system.rotations()) weights.segment<3>(k).setOnes();
  const MotionBasis basis = weighedBasis(tangent, weights);
  const auto n = basis.free.cols(), rest = basis.constrained.cols();
  REQUIRE(n == tangent.free.cols());
  MatrixXd all(system.size(), n + rest);
  all << basis.free, basis.constrained;
  // Round-off of an orthonormal basis of a dozen coordinates.
  CHECK((all.transpose() * all - MatrixXd::Identity(n + rest, n + rest)).norm() < 1e-13);
  // They move with the motions that they were made of, and hardly a translation among them.
  CHECK((basis.free.transpose() * tangent.free).determinant() > 0.1);
  for (int body = 0; body < model.bodyCount(); ++body) CHECK(basis.free.middleRows<3>(6 * body).norm() < 0.01);
  // Weights that are all the same leave a basis as it was.
  const MotionBasis same = weighedBasis(tangent, VectorXd::Constant(system.size(), 3));
  CHECK((same.free - tangent.free).norm() < 1e-13);
}

TEST_CASE("a mechanism without freedoms has a weighed basis without free motions", "[rt][offline]") {
  const MotionBasis locked = continuedBasis(MatrixXd::Identity(6, 6), {}, {});
  REQUIRE(locked.free.cols() == 0);
  const MotionBasis basis = weighedBasis(locked, VectorXd::LinSpaced(6, 1, 2));
  CHECK(basis.free.cols() == 0);
  CHECK((basis.constrained - locked.constrained).norm() == 0);
}
