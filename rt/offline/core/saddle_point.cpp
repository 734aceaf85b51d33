#include "rt/offline/core/saddle_point.h"

#include "rt/offline/core/stepper.h"

#include <utility>
#include <vector>

namespace tactus::rt::offline {

namespace {

/// Up to this size a dense factorization is faster.
constexpr Eigen::Index kDenseSize = 150;

}  // namespace

VectorXd rowCompliances(const Sparse& H, const Sparse& mass, double relative) {
  const VectorXd diagonal = mass.diagonal();
  VectorXd compliances = VectorXd::Zero(H.rows());
  // A coordinate without mass has no compliance of its own; the rows tie it to those that have.
  for (int c = 0; c < H.outerSize(); ++c)
    for (Sparse::InnerIterator h(H, c); h; ++h)
      if (diagonal[c] > 0) compliances[h.row()] += h.value() * h.value() / diagonal[c];
  return relative * compliances;
}

Option relativeCompliance() {
  return number("relative_compliance", "1e-9", 0, 1e-3,
                "compliance of a row divided by that of its bodies; keeps redundant and singular rows solvable");
}

SaddlePoint::SaddlePoint() = default;
SaddlePoint::~SaddlePoint() = default;

void SaddlePoint::factor(const Sparse& A, const Sparse& H, const Sparse& P, const VectorXd& compliances) {
  const Eigen::Index n = A.rows(), m = H.rows();
  is_dense_ = n + m <= kDenseSize;
  if (is_dense_) {
    MatrixXd all = MatrixXd::Zero(n + m, n + m);
    all.topLeftCorner(n, n) = A;
    all.bottomLeftCorner(m, n) = P;
    all.topRightCorner(n, m) = H.transpose();
    all.bottomRightCorner(m, m).diagonal() = -compliances;
    dense_.compute(all);
    return;
  }
  std::vector<Eigen::Triplet<double>> entries;
  for (int c = 0; c < n; ++c) {
    for (Sparse::InnerIterator a(A, c); a; ++a) entries.emplace_back(a.row(), c, a.value());
    for (Sparse::InnerIterator h(H, c); h; ++h) entries.emplace_back(c, n + h.row(), h.value());
    for (Sparse::InnerIterator p(P, c); p; ++p) entries.emplace_back(n + p.row(), c, p.value());
  }
  for (Eigen::Index r = 0; r < m; ++r) entries.emplace_back(n + r, n + r, -compliances[r]);
  Sparse all(n + m, n + m);
  all.setFromTriplets(entries.begin(), entries.end());
  // The order of elimination depends on the pattern alone.
  std::vector<int> pattern(all.outerIndexPtr(), all.outerIndexPtr() + all.cols() + 1);
  pattern.insert(pattern.end(), all.innerIndexPtr(), all.innerIndexPtr() + all.nonZeros());
  if (pattern != pattern_) sparse_.analyzePattern(all);
  pattern_ = std::move(pattern);
  sparse_.factorize(all);
  if (sparse_.info() != Eigen::Success) throw StepFailure("the linear system of a step is singular");
}

VectorXd SaddlePoint::solve(const VectorXd& right) const {
  return is_dense_ ? dense_.solve(right) : VectorXd(sparse_.solve(right));
}

void settleAccelerations(const DynamicSystem& system, MotionPoint& point, SaddlePoint& solver) {
  constexpr double kCompliance = 1e-9;
  const Eigen::Index n = system.size(), m = system.rows();
  const Sparse M = system.mass(point), H = system.jacobian(point);
  solver.factor(M, H, H, rowCompliances(H, M, kCompliance));
  point.acceleration = VectorXd::Zero(n);
  VectorXd right(n + m);
  right << -system.residual(point), system.gamma(point);
  VectorXd x = solver.solve(right);
  const VectorXd left = right.tail(m) - H * x.head(n);
  right << VectorXd::Zero(n), left;
  x += solver.solve(right);
  point.acceleration = x.head(n);
  point.lambda = x.tail(m);
  point.internal_rate = system.internalStateRates(point);
}

void settleAccelerations(const DynamicSystem& system, MotionPoint& point) {
  SaddlePoint solver;
  settleAccelerations(system, point, solver);
}

}  // namespace tactus::rt::offline
