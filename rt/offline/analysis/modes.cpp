#include "rt/offline/analysis/modes.h"

#include "rt/offline/core/dense_solvers.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt::offline {

namespace {

/// A double zero splits into eigenvalues of about the root of round-off, relative to the spectrum.
constexpr double kZero = 1e-7;
/// Imaginary parts below this share of an eigenvalue are round-off.
constexpr double kReal = 1e-9;
/// Velocities below this count as rest, m/s and rad/s.
constexpr double kRest = 1e-9;

/// Scales a mode to a largest displacement of 1, which is real and positive.
void normalize(Mode& mode) {
  Eigen::VectorXcd& by = mode.shape.size() > 0 && mode.shape.norm() > 0 ? mode.shape : mode.state;
  if (by.size() == 0) return;
  Eigen::Index largest = 0;
  by.cwiseAbs().maxCoeff(&largest);
  const std::complex<double> scale = by[largest];
  if (std::abs(scale) == 0) return;
  mode.shape /= scale;
  mode.state /= scale;
}

}  // namespace

const char* toString(const Mode& mode) {
  switch (mode.kind) {
    case ModeKind::kOscillation: return mode.damping < -1e-6 ? "growing oscillation" : "oscillation";
    case ModeKind::kDecay: return "decay";
    case ModeKind::kGrowth: return "growth";
    case ModeKind::kRigid: break;
  }
  return "rigid motion";
}

std::vector<Mode> modesOf(const LinearSystem& system) {
  std::vector<Mode> modes;
  const GeneralEigen eigen = generalEigen(system.A);
  const double largest = eigen.values.size() > 0 ? eigen.values.cwiseAbs().maxCoeff() : 0;
  for (Eigen::Index k = 0; k < eigen.values.size(); ++k) {
    const std::complex<double> lambda = eigen.values[k];
    Mode mode;
    mode.eigenvalue = lambda;
    mode.omega = std::abs(lambda);
    mode.damping = mode.omega > 0 ? -lambda.real() / mode.omega : 0;  // analysis (11)
    if (mode.omega <= kZero * largest)
      mode.kind = ModeKind::kRigid;
    else if (std::abs(lambda.imag()) <= kReal * mode.omega)
      mode.kind = lambda.real() < 0 ? ModeKind::kDecay : ModeKind::kGrowth;
    else if (lambda.imag() < 0)
      continue;  // its conjugate stands for both
    mode.state = eigen.vectors.col(k);
    mode.shape = system.motion * mode.state.head(system.coordinates);
    normalize(mode);
    modes.push_back(std::move(mode));
  }
  std::stable_sort(modes.begin(), modes.end(), [](const Mode& a, const Mode& b) { return a.omega < b.omega; });
  return modes;
}

Unrest unrestOf(const LinearSystem& system) {
  Unrest unrest;
  for (Eigen::Index k = system.coordinates; k < system.rate.size(); ++k) {
    if (unrest.state >= 0 && std::abs(system.rate[k]) <= unrest.rate) continue;
    unrest.rate = std::abs(system.rate[k]);
    unrest.state = static_cast<int>(k);
  }
  if (system.driven.acceleration > unrest.rate)
    unrest = {system.driven.acceleration, -1, system.driven.accelerating, false};
  unrest.moves = system.driven.rate > kRest ||
                 (system.coordinates > 0 &&
                  system.state.segment(system.coordinates, system.coordinates).lpNorm<Eigen::Infinity>() > kRest);
  return unrest;
}

}  // namespace tactus::rt::offline
