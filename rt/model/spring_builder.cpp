#include "rt/model/spring_builder.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::rt {

namespace {

/// Share of its stiffness below which the tangent of a spring does not fall.
constexpr double kLeastShare = 1e-6;

double steepest(const Curve& curve) {
  double most = 0;
  for (const double slope : curve.slope) most = std::max(most, std::abs(slope));
  return most;
}

}  // namespace

void takeSpringLaw(const SpringLawSpec& spec, CompliantLaw& law, Model& model) {
  // Of a damper alone the tangent has the damping, taken for the stiffness that it is over one second.
  double stiffness = std::max(law.K(0, 0), law.C(0, 0));
  if (spec.stiffness_curve || spec.damping_curve || spec.only != SpringSide::kBoth || spec.minimum_stop ||
      spec.maximum_stop) {
    Spring spring;
    if (spec.stiffness_curve) spring.stiffness = makeCurve(spec.stiffness_curve->x, spec.stiffness_curve->y);
    if (spec.damping_curve) spring.damping = makeCurve(spec.damping_curve->x, spec.damping_curve->y);
    spring.only = spec.only;
    spring.minimum_stop = spec.minimum_stop;
    spring.maximum_stop = spec.maximum_stop;
    stiffness = std::max({stiffness, steepest(spring.stiffness), steepest(spring.damping)});
    for (const auto* stop : {&spec.minimum_stop, &spec.maximum_stop})
      if (*stop) stiffness = std::max(stiffness, (*stop)->stiffness);
    law.spring = static_cast<int>(model.springs.size());
    model.springs.push_back(std::move(spring));
  }
  law.least = kLeastShare * stiffness;
}

}  // namespace tactus::rt
