// The dense decompositions of the offline methods. A decomposition of Eigen is compiled anew in each source that uses
// it, for seconds each time; here each one is compiled once.
#pragma once

#include "rt/math/lu.h"
#include "rt/offline/core/motion_point.h"

#include <Eigen/LU>
#include <Eigen/QR>

namespace tactus::rt::offline {

/// Solves A x = b for a symmetric, positive definite A.
VectorXd choleskySolve(const MatrixXd& A, const VectorXd& b);

/// QR factors A P = Q R with column pivoting, which reveal the rank of A.
class PivotedQr {
 public:
  /// Pivots below this share of the largest count as zero.
  void setThreshold(double threshold) { qr_.setThreshold(threshold); }
  void compute(const MatrixXd& A);

  Eigen::Index rank() const { return qr_.rank(); }
  Eigen::Index cols() const { return qr_.cols(); }
  MatrixXd Q() const;                                      ///< square
  const MatrixXd& R() const { return qr_.matrixR(); }      ///< its lower part is not zero, but unused
  const auto& P() const { return qr_.colsPermutation(); }  ///< as a permutation of columns

  /// X with A X = B, as well as it can be met with the columns that count.
  MatrixXd solve(const MatrixXd& B) const;
  /// X with R_11^T X = B, where R_11 is the leading square of R with as many rows as B.
  MatrixXd solveTransposedR(const MatrixXd& B) const;
  MatrixXd transposedQTimes(const MatrixXd& B) const;  ///< Q^T B

 private:
  Eigen::ColPivHouseholderQR<MatrixXd> qr_;
};

/// Q of A = Q R without pivoting; square.
MatrixXd orthogonalFactor(const MatrixXd& A);

/// The smallest x with A x = b, as well as it can be met.
VectorXd leastNormSolution(const MatrixXd& A, const VectorXd& b);
MatrixXd leastNormSolution(const MatrixXd& A, const MatrixXd& B);

/// The same where pivots below `threshold` of the largest count as zero, with the number of the others.
struct LeastNorm {
  VectorXd x;
  Eigen::Index rank;
};
LeastNorm leastNormSolution(const MatrixXd& A, const VectorXd& b, double threshold);

/// A = U diag(sigma) V^T with square U and V; sigma falls.
struct SingularValues {
  MatrixXd U, V;
  VectorXd sigma;
};
SingularValues singularValues(const MatrixXd& A);  ///< by Jacobi rotations

/// Eigenvalues and eigenvectors of a square matrix, of columns of length 1. The matrix is balanced before: entries of
/// different size cost no digits.
struct GeneralEigen {
  Eigen::VectorXcd values;
  Eigen::MatrixXcd vectors;
};
/// @throws Error if the iteration does not converge
GeneralEigen generalEigen(MatrixXd A);

/// L with A = L L^T of a symmetric, positive definite matrix.
MatrixXd choleskyFactor(const MatrixXd& A);

/// The largest magnitude of the eigenvalues of a square matrix, which must not be empty.
double spectralRadius(const MatrixXd& A);

/// The permutation of columns that Gaussian elimination with full pivoting chooses.
Eigen::PermutationMatrix<Eigen::Dynamic> fullPivots(const MatrixXd& A);

}  // namespace tactus::rt::offline
