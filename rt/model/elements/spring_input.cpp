#include "rt/model/elements/spring_input.h"

#include "rt/model/finding_list.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/references.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

namespace tactus::rt {
namespace {

const char* titleOf(SpringQuantity quantity) {
  return quantity == SpringQuantity::kPreload ? "preload" : "the free length or angle";
}

/// What a spring declares that an input would set.
struct Declared {
  std::string path, free_field;
  bool free, preload;
  SpringSide only;
  bool has_length;
};

Declared declaredBy(const std::string& path, const TranslationalSpringSpec& s) {
  return {path + ".translational_spring", ".free_length", s.free_length.has_value(), s.preload != 0, s.law.only, true};
}
Declared declaredBy(const std::string& path, const RotationalSpringSpec& s) {
  return {path + ".rotational_spring", ".free_angle", s.free_angle != 0, s.preload != 0, s.law.only, false};
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

/// The rule on a free length holds for the one that the input sets, too.
void checkFreeLength(const SpringInputSpec& input, double initial, const std::string& actuator, FindingList& out) {
  const double length = input.offset + input.scale * initial;
  if (std::isfinite(length) && !(length > 0))
    out.error(actuator + ".initial", printed(initial),
              "must give a free length above zero: offset + scale * initial is " + printed(length),
              "set offset to the free length at input 0, or initial");
}

/// A bushing takes forces along axes in which it has rows.
void checkBushingInput(const std::string& path, const SpringInputSpec& input, const BushingSpec& bushing,
                       FindingList& out) {
  if (input.quantity != SpringQuantity::kPreload)
    out.error(path + ".quantity", "SPRING_QUANTITY_FREE_LENGTH", "must be SPRING_QUANTITY_PRELOAD of a bushing");
  const Eigen::Index rows = bushing.rows(), row = input.axis - 1;
  if (row < 0 || row >= rows)
    return out.error(path + ".axis", std::to_string(input.axis),
                     "must be from 1 to " + std::to_string(rows) + " of this bushing",
                     "1 to 3 along the axes of its frame, 4 to 6 about them");
  if (!bushing.resists(row))
    out.error(path + ".axis", std::to_string(input.axis), "must be an axis that the bushing resists");
}

}  // namespace

Fields SpringInputSpec::fields() {
  static constexpr Field kFields[] = {
      field<&SpringInputSpec::spring>("spring", "Name of a spring or a bushing.",
                                      {.rule = "a translational or rotational spring, or a bushing"}),
      field<&SpringInputSpec::quantity>("quantity", "What the actuator sets.",
                                        {.rule = "SPRING_QUANTITY_PRELOAD for a bushing"}),
      field<&SpringInputSpec::scale>(
          "scale", "The spring gets offset + scale * value.",
          {.unit = "m, rad, N or N m per unit of the input", .range = Range::kFinite, .rule = "not zero"}),
      field<&SpringInputSpec::offset>(
          "offset", "Value at input 0.",
          {.unit = "m, rad, N or N m", .range = Range::kFinite, .rule = "a free length at `initial` is above zero"}),
      field<&SpringInputSpec::axis>("axis",
                                    "Axis of a bushing: 1 to 3 along, 4 to 6 about the axes of its frame; the bushing "
                                    "must resist motion along this axis.",
                                    {.rule = "1 to 6 for a bushing, 0 for a spring"}),
  };
  return kFields;
}

void SpringInputSpec::checkAll(const ModelSpec& spec, FindingList& out) {
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
      out.error(path + ".spring", printed(input->spring),
                "must be the name of a translational or rotational spring or of a bushing",
                didYouMean(input->spring, names, out));
      continue;
    }
    if (input->scale == 0) out.error(path + ".scale", "0", "must not be zero");
    if (bushing != bushings.end()) {
      checkBushingInput(path, *input, *bushing->second, out);
    } else if (input->axis != 0) {
      out.error(path + ".axis", std::to_string(input->axis), "must be left out of a spring", "bushings have axes");
    }
    const auto [seen, is_new] = first.emplace(std::tuple(input->spring, input->quantity, input->axis), a);
    if (!is_new)
      out.error(path + ".quantity", printed(spec.actuators[a].name),
                std::string("must be the only one that sets ") + titleOf(input->quantity),
                element("actuators", seen->second) + " sets it already");
    if (spring != springs.end() && spring->second.has_length && input->quantity == SpringQuantity::kFreeLength)
      checkFreeLength(*input, spec.actuators[a].initial, element("actuators", a), out);
    if (spring != springs.end()) checkIdleValues(spring->second, input->quantity, spec.actuators[a].name, out);
  }
}

void build(const SpringInputSpec& spec, Actuator& actuator, const ModelBuilder& builder) {
  actuator.kind = ActuatorKind::kSpringInput;
  actuator.target = builder.row(spec.spring);
  actuator.order = static_cast<int>(spec.quantity);
}

void connect(const SpringInputSpec& spec, int actuator, ModelBuilder& builder) {
  Model& model = builder.model();
  const int target = builder.row(spec.spring);
  const Scaling scaling{spec.offset, spec.scale};
  CompliantLaw& law =
      model.compliant_laws[static_cast<std::size_t>(model.joints[static_cast<std::size_t>(target)].law_index)];
  if (spec.axis > 0) {
    const auto row =
        static_cast<std::size_t>(std::find(law.axes.begin(), law.axes.end(), spec.axis - 1) - law.axes.begin());
    law.preload_of_row[row] = {actuator, scaling};
    law.has_input = true;
  } else if (spec.quantity == SpringQuantity::kPreload) {
    law.preload_input = actuator;
    law.preload_of_input = scaling;
  } else {
    law.free_input = actuator;
    law.free_of_input = scaling;
    model.springs_with_input.push_back(target);
  }
}

}  // namespace tactus::rt
