// When a Newton iteration may end, and when it must.
#pragma once

#include "rt/offline/stepper.h"

#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

class NewtonMonitor {
 public:
  /// @param[in] limit  increment that counts as none, m
  NewtonMonitor(double limit, int most_iterations) : limit_(limit), most_(most_iterations) {}

  /// Takes the size of an increment, m. @throws NoConvergence if it is not finite, or the last one that is allowed and
  /// still too large
  void take(double increment) {
    ++iterations_;
    converged_ = increment <= limit_;
    if (!std::isfinite(increment)) throw NoConvergence("the iteration diverges");
    if (converged_ || iterations_ < most_) return;
    std::ostringstream text;
    text << "no convergence in " << iterations_ << " iterations; the last increment was " << increment << " m";
    throw NoConvergence(text.str());
  }

  bool converged() const { return converged_; }

 private:
  double limit_;
  int most_, iterations_ = 0;
  bool converged_ = false;
};

}  // namespace tactus::rt::offline
