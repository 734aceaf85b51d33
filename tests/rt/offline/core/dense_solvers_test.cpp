#include "rt/offline/core/dense_solvers.h"

#include "rt/math/symmetric_eigen.h"

#include <catch2/catch.hpp>

#include <random>

using namespace tactus::rt::offline;
using tactus::rt::LuFactors;

namespace {

MatrixXd randomMatrix(int rows, int columns, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  MatrixXd A(rows, columns);
  for (int c = 0; c < columns; ++c)
    for (int r = 0; r < rows; ++r) A(r, c) = normal(random);
  return A;
}

/// Largest entry of a difference.
double distance(const MatrixXd& A, const MatrixXd& B) {
  REQUIRE(A.rows() == B.rows());
  REQUIRE(A.cols() == B.cols());
  return A.size() == 0 ? 0 : (A - B).cwiseAbs().maxCoeff();
}

/// Of rank 2.
MatrixXd deficient() {
  return randomMatrix(5, 2, 3) * randomMatrix(2, 4, 4);
}

}  // namespace

// Tolerances: round-off of some ten operations on numbers of size one, times a condition below 100.

TEST_CASE("LU factors solve for vectors and matrices, and invert", "[rt][offline]") {
  const MatrixXd A = randomMatrix(6, 6, 1), X = randomMatrix(6, 3, 2);
  const LuFactors lu(A);
  CHECK(distance(lu.solve(MatrixXd(A * X)), X) < 1e-12);
  CHECK(distance(lu.solve(VectorXd(A * X.col(0))), X.col(0)) < 1e-12);
  CHECK(distance(lu.inverse() * A, MatrixXd::Identity(6, 6)) < 1e-12);
}

TEST_CASE("Cholesky factors solve for a positive definite matrix", "[rt][offline]") {
  const MatrixXd R = randomMatrix(5, 5, 5), A = R.transpose() * R + MatrixXd::Identity(5, 5);
  const VectorXd x = randomMatrix(5, 1, 6);
  CHECK(distance(choleskySolve(A, A * x), x) < 1e-12);
}

TEST_CASE("a pivoted QR factorization reveals the rank and reproduces the matrix", "[rt][offline]") {
  const MatrixXd A = deficient();
  PivotedQr qr;
  qr.setThreshold(1e-9);
  qr.compute(A);
  CHECK(qr.rank() == 2);
  const MatrixXd Q = qr.Q(), R = qr.R().triangularView<Eigen::Upper>();
  CHECK(distance(Q.transpose() * Q, MatrixXd::Identity(5, 5)) < 1e-13);
  CHECK(distance(Q * R, MatrixXd(A * qr.P())) < 1e-12);
  CHECK(distance(qr.transposedQTimes(A), Q.transpose() * A) < 1e-13);
  const MatrixXd B = randomMatrix(2, 3, 7), X = qr.solveTransposedR(B);
  CHECK(distance(R.topLeftCorner(2, 2).transpose() * X, B) < 1e-12);
}

TEST_CASE("a least-norm solution is met by the matrix and orthogonal to its null space", "[rt][offline]") {
  const MatrixXd A = deficient(), B = A * randomMatrix(4, 2, 8), X = leastNormSolution(A, B);
  CHECK(distance(A * X, B) < 1e-12);
  CHECK(distance(leastNormSolution(A, VectorXd(B.col(0))), X.col(0)) < 1e-12);
  const MatrixXd V = singularValues(A).V;
  CHECK((V.rightCols(2).transpose() * X).norm() < 1e-12);
}

// A sanitizer of undefined behavior fails if a solver refers to a number of an empty matrix.
TEST_CASE("no right side has no solution: every solver returns a matrix without columns", "[rt][offline]") {
  const MatrixXd A = randomMatrix(5, 4, 12), none(5, 0);
  PivotedQr qr;
  qr.compute(A);
  const auto isEmpty = [](const MatrixXd& X, int rows) { return X.rows() == rows && X.cols() == 0; };
  CHECK(isEmpty(qr.solve(none), 4));
  CHECK(isEmpty(qr.solveTransposedR(MatrixXd(4, 0)), 4));
  CHECK(isEmpty(qr.transposedQTimes(none), 5));
  CHECK(isEmpty(leastNormSolution(A, none), 4));
  CHECK(isEmpty(LuFactors(randomMatrix(5, 5, 13)).solve(none), 5));
}

TEST_CASE("singular values and eigenvalues reproduce their matrices", "[rt][offline]") {
  const MatrixXd A = randomMatrix(4, 4, 9);
  const SingularValues svd = singularValues(A);
  CHECK(distance(svd.U * svd.sigma.asDiagonal() * svd.V.transpose(), A) < 1e-13);
  const tactus::rt::SymmetricEigen eigen = tactus::rt::symmetricEigen(A + A.transpose());
  CHECK(distance(eigen.vectors * eigen.values.asDiagonal() * eigen.vectors.transpose(), A + A.transpose()) < 1e-12);
  CHECK(spectralRadius(A + A.transpose()) == Approx(eigen.values.cwiseAbs().maxCoeff()).epsilon(1e-12));
}

TEST_CASE("matrices without rows or columns have singular values, too", "[rt][offline]") {
  const SingularValues none = singularValues(MatrixXd(0, 0));
  CHECK(none.U.size() + none.V.size() + none.sigma.size() == 0);
  const SingularValues tall = singularValues(MatrixXd(3, 0));
  CHECK(distance(tall.U, MatrixXd::Identity(3, 3)) == 0);
  CHECK(tall.V.size() + tall.sigma.size() == 0);
  CHECK(spectralRadius(MatrixXd(0, 0)) == 0);
}

TEST_CASE("an orthogonal factor spans the columns, and full pivoting puts the largest entry first", "[rt][offline]") {
  const MatrixXd A = randomMatrix(5, 2, 10), Q = orthogonalFactor(A);
  CHECK(distance(Q.transpose() * Q, MatrixXd::Identity(5, 5)) < 1e-13);
  CHECK((Q.rightCols(3).transpose() * A).norm() < 1e-13);
  MatrixXd B = MatrixXd::Ones(2, 3);
  B(1, 2) = 5;
  CHECK(fullPivots(B).indices()[0] == 2);
}
