// [TAN] sections 3 and 6, the stiff pendulum: figures 3 to 10, 12 and 13.
#include "tests/bench/papers/stiff_pendulum.h"

#include "rt/offline/newmark/tangent_newmark.h"
#include "tests/rt/offline/plain_systems.h"

#include <algorithm>
#include <cmath>

namespace tactus::bench {

namespace {

using namespace rt::offline;
using tests::BarPendulum;

constexpr double kGravity = 9.8;

/// Newmark's rule on theta'' = T0 sin(0.1 t) - g sin theta alone: [TAN] Eqs. (13) to (20).
class ScalarPendulum {
 public:
  ScalarPendulum(const NewmarkRule& rule, double torque) : rule_(rule), torque_(torque) {}

  void advance(double h) {
    t_ += h;
    const double fixed = angle_ + h * rate_ + h * h * (0.5 - rule_.beta) * acceleration_;
    double next = fixed;
    for (int k = 0; k < 50; ++k) {
      const double miss = next - fixed - h * h * rule_.beta * accelerationAt(next);
      next -= miss / (1 + h * h * rule_.beta * kGravity * std::cos(next));
      if (std::abs(miss) < 1e-15) break;
    }
    const double acceleration = accelerationAt(next);
    rate_ += h * ((1 - rule_.alpha) * acceleration_ + rule_.alpha * acceleration);
    angle_ = next;
    acceleration_ = acceleration;
  }
  double angle() const { return angle_; }
  double reaction() const { return std::cos(angle_) * acceleration_ - std::sin(angle_) * rate_ * rate_; }

 private:
  double accelerationAt(double angle) const { return torque_ * std::sin(0.1 * t_) - kGravity * std::sin(angle); }

  NewmarkRule rule_;
  double torque_, t_ = 0, angle_ = 0, rate_ = 0, acceleration_ = 0;
};

/// The pendulum in (x, y, theta) by a method of rt/offline.
class ConstrainedPendulum {
 public:
  ConstrainedPendulum(const std::string& name, const Settings& settings, double torque) : system_(kGravity, torque) {
    const Method& method = findMethod(name);
    stepper_ = method.make(system_, system_.rest(), OptionValues(name, method.options, settings));
  }
  void advance(double h) { stepper_->advance(h); }
  double angle() const { return stepper_->point().position[2]; }
  /// Of the ground on the bar, to the right, N.
  double reaction() const { return -stepper_->point().lambda[0]; }

 private:
  BarPendulum system_;
  std::unique_ptr<Stepper> stepper_;
};

struct Swing {
  double peak = 0, end = 0;    ///< rad; s
  double force = 0, bend = 0;  ///< N: largest reaction, and largest second difference of it from step to step
  double difference = 0;       ///< rad, from the same rule on the angle alone
};

template <class Pendulum>
Swing swing(Pendulum&& pendulum, const NewmarkRule& rule, double torque, double h, double until) {
  ScalarPendulum scalar(rule, torque);
  Swing s;
  double last = 0, before = 0;
  for (long long k = 1; k <= std::llround(until / h); ++k) {
    try {
      pendulum.advance(h);
    } catch (const StepFailure&) { return s; }
    scalar.advance(h);
    const double force = pendulum.reaction();
    if (!std::isfinite(force)) return s;
    s.end = static_cast<double>(k) * h;
    s.peak = std::max(s.peak, std::abs(pendulum.angle()));
    s.force = std::max(s.force, std::abs(force));
    if (k > 1) s.bend = std::max(s.bend, std::abs(force - 2 * last + before));
    s.difference = std::max(s.difference, std::abs(pendulum.angle() - scalar.angle()));
    before = last;
    last = force;
  }
  return s;
}

struct Scheme {
  const char* name;
  NewmarkRule rule;
  std::vector<double> steps;
  const char *minimal, *classic, *tangent;  ///< figures; empty: none
};

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      {"central-difference", {0.5, 0}, {0.01, 0.1, 0.6, 0.7}, "3", "", ""},
      {"fox-goodwin", {0.5, 1.0 / 12}, {0.01, 0.1, 0.6, 0.7, 0.78, 0.79}, "4", "7", "12"},
      {"trapezoidal", {0.5, 0.25}, {0.1, 0.7, 0.79, 6}, "5", "6", "13"}};
  return all;
}

}  // namespace

void pendulumStability(const Request& request) {
  Table table(request, "stiff_pendulum", 4, Compare::kFigures, 1e-3,
              {"figure", "equations", "rule", "step_s", "end_s", "peak_rad", "verdict", "difference_rad"});
  for (const Scheme& scheme : schemes())
    for (const double h : scheme.steps) {
      if (request.brief && h < 0.5) continue;
      const auto row = [&](const char* figure, const char* equations, const Swing& s) {
        // The true peak is 0.0105372 rad; a run that ends early or swings ten times as far is unstable.
        const bool stable = s.end > 500 - 1.01 * h && s.peak < 0.105372;
        table.row({figure, equations, scheme.name, h, s.end, s.peak,
                   s.end < 500 - 1.01 * h ? "fails"
                   : stable               ? "stable"
                                          : "unstable",
                   s.difference});
      };
      row(scheme.minimal, "angle alone", swing(ScalarPendulum(scheme.rule, 0.1), scheme.rule, 0.1, h, 500));
      if (scheme.rule.beta == 0) {
        row("", "constrained central-difference",
            swing(ConstrainedPendulum("central-difference", {}, 0.1), scheme.rule, 0.1, h, 500));
        continue;
      }
      const Settings settings = {std::string("scheme=") + scheme.name};
      row(scheme.classic, "constrained newmark-classic",
          swing(ConstrainedPendulum("newmark-classic", settings, 0.1), scheme.rule, 0.1, h, 500));
      row(scheme.tangent, "constrained newmark-tangent",
          swing(ConstrainedPendulum("newmark-tangent", settings, 0.1), scheme.rule, 0.1, h, 500));
    }
}

void pendulumTorques(const Request& request) {
  Table table(request, "figures_8_to_10", 3, Compare::kFigures, 0.05,
              {"equations", "torque_N_m", "until_s", "end_s", "peak_rad", "force_x_N", "bend_of_force_N"});
  const NewmarkRule rule{0.5, 0.25};
  const Settings settings = {"scheme=trapezoidal"};
  for (const double torque : {0.1, 5.0, 6.0, 7.0, 8.0, 9.0})
    for (const double until : {125.6, 500.0}) {
      if (request.brief && (until > 200 || torque > 6)) continue;
      const auto row = [&](const char* equations, const Swing& s) {
        table.row({equations, torque, until, s.end, s.peak, s.force, s.bend});
      };
      row("angle alone", swing(ScalarPendulum(rule, torque), rule, torque, 0.1, until));
      row("newmark-classic", swing(ConstrainedPendulum("newmark-classic", settings, torque), rule, torque, 0.1, until));
      row("newmark-tangent", swing(ConstrainedPendulum("newmark-tangent", settings, torque), rule, torque, 0.1, until));
    }
}

void pendulumReactions(const Request& request) {
  Table table(request, "figure10", 2, Compare::kCurve, 0.02,
              {"torque_N_m", "t_s", "angle_rad", "force_x_N", "angle_tangent_rad", "force_x_tangent_N"});
  for (const double torque : {5.0, 6.0, 7.0, 9.0}) {
    if (request.brief && torque > 5) continue;
    ConstrainedPendulum classic("newmark-classic", {"scheme=trapezoidal"}, torque);
    ConstrainedPendulum tangent("newmark-tangent", {"scheme=trapezoidal"}, torque);
    // Rows of the last 20 s of two periods of the torque.
    for (int k = 1; k <= 1256; ++k) {
      try {
        classic.advance(0.1);
      } catch (const StepFailure&) { break; }
      tangent.advance(0.1);
      if (k > 1056)
        table.row({torque, 0.1 * k, classic.angle(), classic.reaction(), tangent.angle(), tangent.reaction()});
    }
  }
}

}  // namespace tactus::bench
