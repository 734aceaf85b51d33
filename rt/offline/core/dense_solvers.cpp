#include "rt/offline/core/dense_solvers.h"

#include "rt/error.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <cmath>

namespace tactus::rt::offline {

namespace {

/// Scales rows and columns by powers of two until they have about the same norm.
/// @returns the factors d, with diag(1/d) A diag(d) in place of A
/// @source B. N. Parlett, C. Reinsch, Balancing a matrix, Numer. Math. 13 (1969)
VectorXd balance(MatrixXd& A) {
  constexpr double kGain = 0.95;  // of a scaling that is worth it
  VectorXd d = VectorXd::Ones(A.rows());
  for (bool changed = true; changed;) {
    changed = false;
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
      const double own = std::abs(A(i, i));
      const double column = A.col(i).lpNorm<1>() - own, row = A.row(i).lpNorm<1>() - own;
      if (!(column > 0) || !(row > 0)) continue;
      const double f = std::exp2(std::round(0.5 * std::log2(row / column)));
      if (column * f + row / f >= kGain * (column + row)) continue;
      A.col(i) *= f;
      A.row(i) /= f;
      d[i] *= f;
      changed = true;
    }
  }
  return d;
}

}  // namespace

GeneralEigen generalEigen(MatrixXd A) {
  if (A.size() == 0) return {};
  const VectorXd d = balance(A);
  const Eigen::EigenSolver<MatrixXd> solver(A);
  if (solver.info() != Eigen::Success) throw Error("the eigenvalues of the linear system did not converge");
  GeneralEigen result{solver.eigenvalues(), d.asDiagonal() * solver.eigenvectors()};
  result.vectors.colwise().normalize();
  return result;
}

VectorXd choleskySolve(const MatrixXd& A, const VectorXd& b) {
  return A.llt().solve(b);
}

void PivotedQr::compute(const MatrixXd& A) {
  qr_.compute(A);
}

MatrixXd PivotedQr::Q() const {
  return qr_.householderQ() * MatrixXd::Identity(qr_.rows(), qr_.rows());
}

// A triangular solve of Eigen refers to the first number of its right sides even if there are none: the functions below
// return before.

MatrixXd PivotedQr::solve(const MatrixXd& B) const {
  if (B.cols() == 0) return MatrixXd(qr_.cols(), 0);
  return qr_.solve(B);
}

MatrixXd PivotedQr::solveTransposedR(const MatrixXd& B) const {
  if (B.cols() == 0) return B;
  const auto R = qr_.matrixR().topLeftCorner(B.rows(), B.rows()).triangularView<Eigen::Upper>();
  return R.transpose().solve(B);
}

MatrixXd PivotedQr::transposedQTimes(const MatrixXd& B) const {
  return qr_.householderQ().transpose() * B;
}

MatrixXd orthogonalFactor(const MatrixXd& A) {
  const Eigen::HouseholderQR<MatrixXd> qr(A);
  return qr.householderQ() * MatrixXd::Identity(A.rows(), A.rows());
}

LeastNorm leastNormSolution(const MatrixXd& A, const VectorXd& b, double threshold) {
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(threshold);
  factors.compute(A);
  return {factors.solve(b), factors.rank()};
}

MatrixXd choleskyFactor(const MatrixXd& A) {
  return A.llt().matrixL();
}

VectorXd leastNormSolution(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

MatrixXd leastNormSolution(const MatrixXd& A, const MatrixXd& B) {
  if (B.cols() == 0) return MatrixXd(A.cols(), 0);
  return A.completeOrthogonalDecomposition().solve(B);
}

SingularValues singularValues(const MatrixXd& A) {
  // Eigen reads the first number of an empty matrix.
  if (A.size() == 0) return {MatrixXd::Identity(A.rows(), A.rows()), MatrixXd::Identity(A.cols(), A.cols()), {}};
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

double spectralRadius(const MatrixXd& A) {
  if (A.size() == 0) return 0;
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues().cwiseAbs().maxCoeff();
}

Eigen::PermutationMatrix<Eigen::Dynamic> fullPivots(const MatrixXd& A) {
  return Eigen::FullPivLU<MatrixXd>(A).permutationQ();
}

}  // namespace tactus::rt::offline
