#include "rt/offline/core/dense_solvers.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/SVD>

#include <cmath>

namespace tactus::rt::offline {

void LuFactors::compute(const MatrixXd& A) {
  lu_.compute(A);
}

VectorXd LuFactors::solve(const VectorXd& b) const {
  return lu_.solve(b);
}

MatrixXd LuFactors::solve(const MatrixXd& B) const {
  return lu_.solve(B);
}

MatrixXd LuFactors::inverse() const {
  return lu_.inverse();
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

MatrixXd PivotedQr::solve(const MatrixXd& B) const {
  return qr_.solve(B);
}

MatrixXd PivotedQr::solveTransposedR(const MatrixXd& B) const {
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

VectorXd leastNormSolution(const MatrixXd& A, const VectorXd& b) {
  return A.completeOrthogonalDecomposition().solve(b);
}

MatrixXd leastNormSolution(const MatrixXd& A, const MatrixXd& B) {
  return A.completeOrthogonalDecomposition().solve(B);
}

SingularValues singularValues(const MatrixXd& A) {
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeFullU | Eigen::ComputeFullV);
  return {svd.matrixU(), svd.matrixV(), svd.singularValues()};
}

SingularValues leftSingularValues(const MatrixXd& A) {
  const Eigen::BDCSVD<MatrixXd> svd(A, Eigen::ComputeFullU);
  return {svd.matrixU(), {}, svd.singularValues()};
}

SymmetricEigen symmetricEigen(const MatrixXd& A) {
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(A);
  return {eigen.eigenvalues(), eigen.eigenvectors()};
}

double spectralRadius(const MatrixXd& A) {
  return Eigen::EigenSolver<MatrixXd>(A, false).eigenvalues().cwiseAbs().maxCoeff();
}

Eigen::PermutationMatrix<Eigen::Dynamic> fullPivots(const MatrixXd& A) {
  return Eigen::FullPivLU<MatrixXd>(A).permutationQ();
}

}  // namespace tactus::rt::offline
