#include "rt/offline/analysis/frequency_response.h"

#include "rt/offline/core/dense_solvers.h"

namespace tactus::rt::offline {

std::vector<Eigen::MatrixXcd> frequencyResponse(const LinearSystem& system, const std::vector<double>& omega,
                                                const std::function<void()>& progress) {
  const auto n = system.A.rows(), inputs = system.B.cols();
  std::vector<Eigen::MatrixXcd> responses;
  // Real and imaginary part of x side by side: -A x_r - omega x_i = B, omega x_r - A x_i = 0. analysis (12)
  MatrixXd M(2 * n, 2 * n), right = MatrixXd::Zero(2 * n, inputs);
  M << -system.A, MatrixXd::Zero(n, n), MatrixXd::Zero(n, n), -system.A;
  right.topRows(n) = system.B;
  for (const double w : omega) {
    if (progress) progress();
    M.topRightCorner(n, n).diagonal().setConstant(-w);
    M.bottomLeftCorner(n, n).diagonal().setConstant(w);
    const MatrixXd x = n > 0 && inputs > 0 ? LuFactors(M).solve(right) : right;
    Eigen::MatrixXcd G(system.D.rows(), inputs);
    G.real() = system.C * x.topRows(n) + system.D;
    G.imag() = system.C * x.bottomRows(n);
    responses.push_back(std::move(G));
  }
  return responses;
}

}  // namespace tactus::rt::offline
