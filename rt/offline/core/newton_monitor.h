// When a Newton iteration may end, and when it must.
#pragma once

#include "rt/offline/core/stepper.h"

#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

class NewtonMonitor {
 public:
  /// @param[in] limit  increment that counts as none, m
  NewtonMonitor(double limit, int max_iterations) : limit_(limit), max_(max_iterations) {}

  /// Takes the size of an increment, m. Next to a singular pose round-off is magnified: increments that are small but
  /// for that, and stay as they are, end the iteration, too.
  /// @throws NoConvergence if it is not finite, or the last one that is allowed and still too large
  void take(double increment) {
    ++iterations_;
    stays_ = iterations_ > kPatience && increment > 0.5 * before_ && increment <= kMagnified * limit_;
    converged_ = increment <= limit_ || stays_;
    before_ = increment;
    if (!std::isfinite(increment)) throw NoConvergence("the iteration diverges");
    if (converged_ || iterations_ < max_) return;
    std::ostringstream text;
    text << "no convergence in " << iterations_ << " iterations; the last increment was " << increment << " m";
    throw NoConvergence(text.str());
  }

  bool converged() const { return converged_; }
  bool stays() const { return stays_; }  ///< whether round-off has ended the iteration

 private:
  static constexpr int kPatience = 10;
  static constexpr double kMagnified = 1e4;

  double limit_, before_ = 0;
  int max_, iterations_ = 0;
  bool converged_ = false, stays_ = false;
};

}  // namespace tactus::rt::offline
