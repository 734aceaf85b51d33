// Decides when a Newton iteration ends.
#pragma once

#include "rt/offline/core/stepper.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

class NewtonMonitor {
 public:
  /// @param[in] tolerance  increment at which the iteration has converged, in lengths of the mechanism
  /// @param[in] length     of the mechanism, m; below 1 m it counts as 1 m
  NewtonMonitor(double tolerance, double length, int max_iterations)
      : limit_(tolerance * std::max(1.0, length)),
        round_off_(std::min(kMagnified * tolerance, kLargestRoundOff) * std::max(1.0, length)),
        max_(max_iterations) {}

  /// Takes the size of an increment, m. Next to a singular pose round-off is magnified: small increments that no longer
  /// shrink end the iteration, too. What a loose tolerance allows is no round-off: there the iteration may cycle.
  /// @throws NoConvergence if the increment is not finite, or too large at the last allowed iteration
  void take(double increment) {
    ++iterations_;
    stays_ = iterations_ > kPatience && increment > 0.5 * before_ && increment <= round_off_;
    converged_ = increment <= limit_ || stays_;
    before_ = increment;
    if (!std::isfinite(increment)) throw NoConvergence("the iteration diverges");
    if (converged_ || iterations_ < max_) return;
    std::ostringstream text;
    text << "no convergence in " << iterations_ << " iterations; the last increment was " << increment << " m";
    throw NoConvergence(text.str());
  }

  bool converged() const { return converged_; }
  bool stays() const { return stays_; }  ///< whether round-off ended the iteration

 private:
  static constexpr int kPatience = 10;
  /// Magnified round-off over the tolerance, and at most, in lengths of the mechanism.
  static constexpr double kMagnified = 1e4, kLargestRoundOff = 1e-6;

  double limit_, round_off_, before_ = 0;
  int max_, iterations_ = 0;
  bool converged_ = false, stays_ = false;
};

}  // namespace tactus::rt::offline
