// Modes of a linear system: eigenvalues of A, and how the bodies move in each of them.
//
//   lambda = -zeta omega +- i omega sqrt(1 - zeta^2),   omega = |lambda|,   zeta = -Re(lambda) / |lambda|   (11)
#pragma once

#include "rt/offline/analysis/linear_system.h"

#include <complex>
#include <string>
#include <vector>

namespace tactus::rt::offline {

enum class ModeKind {
  kOscillation,  ///< a pair of complex eigenvalues; the mode with the positive imaginary part
  kDecay,        ///< a real eigenvalue below zero
  kGrowth,       ///< a real eigenvalue above zero
  kRigid,        ///< zero: a motion that nothing brings back, or at a constant rate
};

struct Mode {
  ModeKind kind = ModeKind::kOscillation;
  std::complex<double> eigenvalue;  ///< 1/s
  double omega = 0;                 ///< rad/s, undamped
  double damping = 0;               ///< zeta; below zero: the mode grows
  /// Motion of all bodies, six values a body: translation, m, and rotation, rad, world axes. The largest value is 1.
  Eigen::VectorXcd shape;
  Eigen::VectorXcd state;  ///< the eigenvector in the states of the system, on the scale of the shape
};

/// "oscillation", "growing oscillation", "decay", "growth", "rigid motion".
const char* toString(const Mode& mode);

/// The modes in the order of |lambda|. Work rises with the cube of the number of states.
/// @throws Error if the eigenvalues do not converge
std::vector<Mode> modesOf(const LinearSystem& system);

/// The largest rate of change of w and m at the point and of the rates of drives there and a little later: below a
/// tolerance, the point is an equilibrium or a steady motion, and its modes describe all motions beside it.
struct Unrest {
  double rate = 0;     ///< m/s^2, rad/s^2 or the unit of m a second
  int state = -1;      ///< whose rate it is; -1 of a drive, and without states
  std::string drive;   ///< whose rate changes by it; empty: that of a state
  bool moves = false;  ///< whether w or the rate of a drive is not zero: a motion, not a pose
};
Unrest unrestOf(const LinearSystem& system);

}  // namespace tactus::rt::offline
