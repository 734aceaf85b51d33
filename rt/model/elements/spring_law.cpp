#include "rt/model/elements/spring_law.h"

#include "rt/model/model.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxPoints = 256;
/// Lower limit of the stiffness in the tangent, as a share of the stiffness of the spring. A spring of zero rate and
/// zero damping has a force of zero; its share is that of 1 N/m or 1 N m/rad, because a row needs a finite compliance.
/// Stops do not count: away from contact they have no force, and in contact the tangent has their own slope.
constexpr double kMinShare = 1e-6;

/// @returns true if the curve can be used
bool checkCurve(const FindingPlace& at, const CurveSpec& curve) {
  const std::string x = at.path + ".x", y = at.path + ".y";
  bool good = requireCount(x, curve.x, 2, kMaxPoints, at.out);
  good = requireSameCount(y, curve.y, "x", curve.x.size(), at.out) && good;
  for (std::size_t i = 0; i < curve.y.size(); ++i)
    good = requireFinite(element(y.c_str(), i), curve.y[i], at.out) && good;
  return requireIncreasing(x, curve.x, at.out) && good;
}

/// A damper takes energy: its force has the sign of the rate, and is zero at rest.
void checkDampingCurve(const FindingPlace& at, const CurveSpec& curve) {
  if (!checkCurve(at, curve)) return;
  bool rests = false, resists = true;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    rests = rests || (curve.x[i] == 0 && curve.y[i] == 0);
    if (curve.x[i] * curve.y[i] >= 0) continue;
    resists = false;
    at.error('.' + element("y", i), printed(curve.y[i]), "must have the sign of its rate, or be zero");
  }
  if (!rests) at.error("", "a curve without the point (0, 0)", "must have the point (0, 0)");
  if (!resists) return;
  // Beyond its ends the curve goes straight on, and would cross zero where it falls.
  const std::size_t last = curve.y.size() - 1;
  const std::string hint = "beyond its ends the curve goes straight on; a level end keeps the force";
  if (curve.y[0] > curve.y[1])
    at.error('.' + element("y", 0), printed(curve.y[0]), "must not be above the next value, " + printed(curve.y[1]),
             hint);
  if (curve.y[last] < curve.y[last - 1])
    at.error('.' + element("y", last), printed(curve.y[last]),
             "must not be below the value before, " + printed(curve.y[last - 1]), hint);
}

void checkSide(const FindingPlace& at, const SpringLawSpec& law, double stiffness) {
  if (law.only == SpringSide::kBoth) return;
  if (law.stiffness_curve)
    at.error(".only", "given", "must be left out beside stiffness_curve",
             "a curve that is zero on one side has the same effect");
  else if (!(stiffness > 0))
    at.error(".only", "given", "needs a stiffness above zero");
}

double steepest(const Curve& curve) {
  double maximum = 0;
  for (const double slope : curve.slope) maximum = std::max(maximum, std::abs(slope));
  return maximum;
}

}  // namespace

Fields CurveSpec::fields() {
  static constexpr Field kFields[] = {
      field<&CurveSpec::x>("x", "Elongation or rate at each point.", {.rule = "2 to 256 numbers, increasing"}),
      field<&CurveSpec::y>("y", "Force or torque at each point.", {.rule = "one for each x"}),
  };
  return kFields;
}

Fields StopSpec::fields() {
  static constexpr Field kFields[] = {
      field<&StopSpec::position>("position", "Length or angle at which contact begins.",
                                 {.unit = "m or rad", .range = Range::kFinite}),
      field<&StopSpec::stiffness>("stiffness", "Force at a compression of 1.",
                                  {.unit = "N/m^exponent or N m/rad^exponent", .range = Range::kPositive}),
      field<&StopSpec::exponent>("exponent", "Exponent of the compression.",
                                 {.unit = "1", .range = Range::kWithin, .low = 1, .high = 5}),
      field<&StopSpec::damping>("damping", "Force per rate of compression.",
                                {.unit = "N s/m or N m s/rad", .range = Range::kNotNegative}),
  };
  return kFields;
}

Fields SpringLawSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SpringLawSpec::stiffness_curve>(
          "stiffness_curve",
          "Replaces the stiffness: force, N, over the elongation, m, or torque, N m, over the angle, rad.",
          {.otherwise = "the stiffness"}),
      field<&SpringLawSpec::damping_curve>(
          "damping_curve",
          "Replaces the damping: force, N, over the rate, m/s, or torque, N m, over the rate, rad/s. It contains the "
          "point (0, 0), and the force never opposes the sign of the rate, also beyond the ends, where the curve goes "
          "straight on.",
          {.otherwise = "the damping"}),
      field<&SpringLawSpec::only>(
          "only", "Limits the force of spring and damper to one sign; positive tension pulls. Stops act in addition.",
          {.brief = true, .rule = "needs a stiffness"}),
      field<&SpringLawSpec::minimum_stop>("minimum_stop", "Stop at a minimum length or angle.", {.otherwise = "none"}),
      field<&SpringLawSpec::maximum_stop>("maximum_stop", "Stop at a maximum length or angle.", {.otherwise = "none"}),
  };
  return kFields;
}

void checkSpring(const FindingPlace& at, const SpringLawSpec& law, double stiffness, double damping) {
  if (law.stiffness_curve) checkCurve(at.within(".stiffness_curve"), *law.stiffness_curve);
  if (law.damping_curve) checkDampingCurve(at.within(".damping_curve"), *law.damping_curve);
  if (law.stiffness_curve && stiffness != 0)
    at.error(".stiffness", printed(stiffness), "must be left out beside stiffness_curve");
  if (law.damping_curve && damping != 0)
    at.error(".damping", printed(damping), "must be left out beside damping_curve");
  if (law.minimum_stop && law.maximum_stop && law.minimum_stop->position > law.maximum_stop->position)
    at.error(".minimum_stop.position", printed(law.minimum_stop->position),
             "must not be above maximum_stop.position " + printed(law.maximum_stop->position));
  checkSide(at, law, stiffness);
}

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
    law.spring = static_cast<int>(model.springs.size());
    model.springs.push_back(std::move(spring));
  }
  law.minimum_stiffness = kMinShare * (stiffness > 0 ? stiffness : 1.0);
}

}  // namespace tactus::rt
