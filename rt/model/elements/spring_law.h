// What translational and rotational springs share: curves, stops, the side on which they act, and their law.
#pragma once

#include "rt/math/curve.h"
#include "rt/model/elements/element.h"

#include <optional>
#include <vector>

namespace tactus::rt {

struct CompliantLaw;
struct Model;

/// Points of a curve, x increasing: monotone cubic Hermite between them, straight beyond the ends with the slope there.
struct CurveSpec {
  std::vector<double> x, y;

  static Fields fields();
};

/// The sign of the force to which a spring is limited: positive tension pulls.
enum class SpringSide { kBoth, kPush, kPull };
template <>
struct ChoiceOf<SpringSide> {
  static constexpr int kCount = 3, kFirst = 1;
  static constexpr bool kHasDefault = true;
};

/// A stop at one end of the range of a spring: stiffness p^exponent + damping dp/dt, with the compression p (m or rad),
/// and never below zero.
struct StopSpec {
  double position = 0;  ///< length or angle at which it begins, m or rad
  double stiffness = 0, exponent = 1, damping = 0;

  static Fields fields();
  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(position, stiffness, exponent, damping);
  }
};

/// What a spring may have beyond constants. A curve stands in place of the constant.
struct SpringLawSpec {
  std::optional<CurveSpec> stiffness_curve;  ///< force over elongation, N over m; N m over rad
  std::optional<CurveSpec> damping_curve;    ///< force over rate, N over m/s; N m over rad/s
  SpringSide only = SpringSide::kBoth;       ///< of spring and damper; the stops act in addition
  std::optional<StopSpec> minimum_stop, maximum_stop;

  static Fields fields();
};

/// Constants of what a spring has beyond those of its CompliantLaw; empty curves leave these in force.
struct Spring {
  Curve stiffness, damping;
  SpringSide only = SpringSide::kBoth;
  std::optional<StopSpec> minimum_stop, maximum_stop;

  template <typename Visit>
  void constants(Visit& visit) const {
    visit.numbers(stiffness.x, stiffness.y, damping.x, damping.y);
    visit.structure(only);
    visit.structure(minimum_stop, maximum_stop);
  }
};

/// Rules on a spring as a whole. `stiffness`, `damping`: its constants.
void checkSpring(const FindingPlace& at, const SpringLawSpec& law, double stiffness, double damping);

/// Curves, stops and side of a spring, if it has any, into its law, which has the constants.
void takeSpringLaw(const SpringLawSpec& spec, CompliantLaw& law, Model& model);

}  // namespace tactus::rt
