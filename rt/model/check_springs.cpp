// Rules on what springs have beyond constants, and on the inputs that set them.
#include "rt/model/check_model.h"
#include "rt/model/rules.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tactus::rt::rules {
namespace {

constexpr std::size_t kMaxPoints = 256;
constexpr double kHighestExponent = 5;

/// @returns true if the curve can be used
bool checkCurve(const std::string& path, const CurveSpec& curve, FindingList& out) {
  const std::string x = path + ".x", y = path + ".y";
  bool good = true;
  if (curve.x.size() < 2 || curve.x.size() > kMaxPoints) {
    out.error(x, std::to_string(curve.x.size()) + " numbers", "must be 2 to 256 numbers");
    good = false;
  }
  if (curve.y.size() != curve.x.size()) {
    out.error(y, std::to_string(curve.y.size()) + " numbers",
              "must be as many as x: " + std::to_string(curve.x.size()));
    good = false;
  }
  for (std::size_t i = 0; i < curve.y.size(); ++i) good = requireFinite(element(y.c_str(), i), curve.y[i], out) && good;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    if (!requireFinite(element(x.c_str(), i), curve.x[i], out)) return false;
    if (i == 0 || curve.x[i] > curve.x[i - 1]) continue;
    out.error(element(x.c_str(), i), printed(curve.x[i]), "must be above the one before");
    return false;
  }
  return good;
}

/// A damper takes energy: its force has the sign of the rate, and none at rest.
void checkDampingCurve(const std::string& path, const CurveSpec& curve, FindingList& out) {
  if (!checkCurve(path, curve, out)) return;
  bool rests = false;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    rests = rests || (curve.x[i] == 0 && curve.y[i] == 0);
    if (curve.x[i] * curve.y[i] < 0)
      out.error(element((path + ".y").c_str(), i), printed(curve.y[i]), "must have the sign of its rate, or be zero");
  }
  if (!rests) out.error(path, "a curve without the point (0, 0)", "must have the point (0, 0)");
}

void checkStop(const std::string& path, const std::optional<StopSpec>& stop, FindingList& out) {
  if (!stop) return;
  requireFinite(path + ".position", stop->position, out);
  requirePositive(path + ".stiffness", stop->stiffness, out);
  requireWithin(path + ".exponent", stop->exponent, 1, kHighestExponent, out);
  if (requireFinite(path + ".damping", stop->damping, out) && stop->damping < 0)
    out.error(path + ".damping", printed(stop->damping), "must not be below zero");
}

const char* fieldOf(SpringQuantity quantity) {
  return quantity == SpringQuantity::kPreload ? "preload" : "the free length or angle";
}

/// What a spring declares that an input would set.
struct Declared {
  std::string path, free_field;
  bool free, preload;
  SpringSide only;
};

Declared declaredBy(const std::string& path, const TranslationalSpringSpec& s) {
  return {path + ".translational_spring", ".free_length", s.free_length.has_value(), s.preload != 0, s.law.only};
}
Declared declaredBy(const std::string& path, const RotationalSpringSpec& s) {
  return {path + ".rotational_spring", ".free_angle", s.free_angle != 0, s.preload != 0, s.law.only};
}

/// A value of the spring that would have no effect beside the input.
void checkIdleValues(const Declared& spring, SpringQuantity quantity, const std::string& input, FindingList& out) {
  const std::string rule = "must be left out where an actuator sets it", hint = "actuator \"" + input + "\" does";
  if (quantity == SpringQuantity::kFreeLength && spring.free)
    out.error(spring.path + spring.free_field, "given", rule, hint);
  if (quantity != SpringQuantity::kPreload) return;
  if (spring.preload) out.error(spring.path + ".preload", "given", rule, hint);
  if (spring.only != SpringSide::kBoth)
    out.error(spring.path + ".only", "given", "must be left out where an actuator sets the preload");
}

/// A bushing takes forces along axes in which it has rows.
void checkBushingInput(const std::string& path, const SpringInputSpec& input, const BushingSpec& bushing,
                       FindingList& out) {
  if (input.quantity != SpringQuantity::kPreload)
    out.error(path + ".quantity", "SPRING_QUANTITY_FREE_LENGTH", "must be SPRING_QUANTITY_PRELOAD of a bushing");
  const Eigen::Index rows = bushing.stiffness.rows(), row = input.axis - 1;
  if (row < 0 || row >= rows)
    return out.error(path + ".axis", std::to_string(input.axis),
                     "must be from 1 to " + std::to_string(rows) + " of this bushing",
                     "1 to 3 along the axes of its frame, 4 to 6 about them");
  if (bushing.damping.rows() == rows && bushing.stiffness.row(row).isZero(0) && bushing.damping.row(row).isZero(0))
    out.error(path + ".axis", std::to_string(input.axis), "must be an axis that the bushing resists");
}

}  // namespace

void checkSpringLaw(const std::string& path, const SpringLawSpec& law, double stiffness, double damping,
                    FindingList& out) {
  if (law.stiffness_curve) checkCurve(path + ".stiffness_curve", *law.stiffness_curve, out);
  if (law.damping_curve) checkDampingCurve(path + ".damping_curve", *law.damping_curve, out);
  if (law.stiffness_curve && stiffness != 0)
    out.error(path + ".stiffness", printed(stiffness), "must be left out beside stiffness_curve");
  if (law.damping_curve && damping != 0)
    out.error(path + ".damping", printed(damping), "must be left out beside damping_curve");
  checkStop(path + ".minimum_stop", law.minimum_stop, out);
  checkStop(path + ".maximum_stop", law.maximum_stop, out);
  if (law.minimum_stop && law.maximum_stop && law.minimum_stop->position > law.maximum_stop->position)
    out.error(path + ".minimum_stop.position", printed(law.minimum_stop->position),
              "must not be above maximum_stop.position " + printed(law.maximum_stop->position));
  if (law.only == SpringSide::kBoth) return;
  if (law.stiffness_curve)
    out.error(path + ".only", "given", "must be left out beside stiffness_curve",
              "a curve that is zero on one side says the same");
  else if (!(stiffness > 0))
    out.error(path + ".only", "given", "needs a stiffness above zero");
}

void checkSpringInputs(const ModelSpec& spec, FindingList& out) {
  std::map<std::string, Declared> springs;
  std::map<std::string, const BushingSpec*> bushings;
  std::vector<std::string> names;
  for (std::size_t f = 0; f < spec.forces.size(); ++f) {
    const ForceSpec& force = spec.forces[f];
    if (const auto* along = std::get_if<TranslationalSpringSpec>(&force.kind))
      springs.emplace(force.name, declaredBy(element("forces", f), *along));
    else if (const auto* about = std::get_if<RotationalSpringSpec>(&force.kind))
      springs.emplace(force.name, declaredBy(element("forces", f), *about));
    else if (const auto* bushing = std::get_if<BushingSpec>(&force.kind))
      bushings.emplace(force.name, bushing);
    else
      continue;
    names.push_back(force.name);
  }
  std::map<std::tuple<std::string, SpringQuantity, int>, std::size_t> first;
  for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
    const auto* input = std::get_if<SpringInputSpec>(&spec.actuators[a].kind);
    if (input == nullptr) continue;
    const std::string path = element("actuators", a) + ".spring_input";
    const auto spring = springs.find(input->spring);
    const auto bushing = bushings.find(input->spring);
    if (spring == springs.end() && bushing == bushings.end()) {
      const std::string nearest = nearestName(input->spring, names);
      out.error(path + ".spring", printed(input->spring),
                "must be the name of a translational or rotational spring or of a bushing",
                nearest.empty() ? "" : "did you mean \"" + nearest + "\"?");
      continue;
    }
    requireFinite(path + ".offset", input->offset, out);
    if (requireFinite(path + ".scale", input->scale, out) && input->scale == 0)
      out.error(path + ".scale", "0", "must not be zero");
    if (bushing != bushings.end()) {
      checkBushingInput(path, *input, *bushing->second, out);
    } else if (input->axis != 0) {
      out.error(path + ".axis", std::to_string(input->axis), "must be left out of a spring", "bushings have axes");
    }
    const auto [seen, is_new] = first.emplace(std::tuple(input->spring, input->quantity, input->axis), a);
    if (!is_new)
      out.error(path + ".quantity", printed(spec.actuators[a].name),
                std::string("must be the only one that sets ") + fieldOf(input->quantity),
                element("actuators", seen->second) + " sets it already");
    if (spring != springs.end()) checkIdleValues(spring->second, input->quantity, spec.actuators[a].name, out);
  }
}

}  // namespace tactus::rt::rules
