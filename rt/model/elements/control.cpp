#include "rt/model/elements/control.h"

#include "rt/model/finding_list.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"
#include "rt/model/references.h"

#include <algorithm>
#include <set>

namespace tactus::rt {
namespace {

/// A brake never acts without an actuator, and a powertrain turns no wheel.
void warnOfUncontrolled(const ModelSpec& spec, FindingList& out) {
  std::set<std::string> pressed, geared;
  for (const ActuatorSpec& actuator : spec.actuators) {
    const auto* control = std::get_if<ControlSpec>(&actuator.kind);
    if (control == nullptr || control->quantity == ControlQuantity::kThrottle) continue;
    auto& names = control->quantity == ControlQuantity::kBrake ? pressed : geared;
    names.insert(control->elements.begin(), control->elements.end());
  }
  for (std::size_t f = 0; f < spec.forces.size(); ++f) {
    const std::string& name = spec.forces[f].name;
    if (std::holds_alternative<BrakeSpec>(spec.forces[f].kind) && pressed.count(name) == 0)
      out.warning(element("forces", f) + ".brake", "no actuator", "should have an actuator: the brake never acts",
                  "an actuator with control: {elements: [\"" + name + "\"], quantity: CONTROL_QUANTITY_BRAKE}");
    if (std::holds_alternative<PowertrainSpec>(spec.forces[f].kind) && geared.count(name) == 0)
      out.warning(element("forces", f) + ".powertrain", "no actuator",
                  "should have an actuator of its ratio: it turns no wheel",
                  "an actuator with control: {elements: [\"" + name + "\"], quantity: CONTROL_QUANTITY_RATIO}");
  }
}

}  // namespace

Fields ControlSpec::fields() {
  static constexpr Field kFields[] = {
      field<&ControlSpec::elements>("elements", "Names of brakes or of powertrains.",
                                    {.rule = "at least one, each once"}),
      field<&ControlSpec::quantity>("quantity",
                                    "What the input is: share of the torque of brakes, throttle from 0 to 1, or ratio.",
                                    {.required = true}),
  };
  return kFields;
}

void ControlSpec::checkAll(const ModelSpec& spec, FindingList& out) {
  std::vector<std::string> forces, brakes, powertrains;
  for (const ForceSpec& force : spec.forces) {
    forces.push_back(force.name);
    if (std::holds_alternative<BrakeSpec>(force.kind)) brakes.push_back(force.name);
    if (std::holds_alternative<PowertrainSpec>(force.kind)) powertrains.push_back(force.name);
  }
  bool names_all = true;
  for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
    const ActuatorSpec& actuator = spec.actuators[a];
    const auto* control = std::get_if<ControlSpec>(&actuator.kind);
    if (control == nullptr) continue;
    const bool of_brakes = control->quantity == ControlQuantity::kBrake;
    const std::string path = element("actuators", a), list = path + ".control.elements";
    const std::string title = of_brakes ? BrakeSpec::kTitle : PowertrainSpec::kTitle;
    if (control->elements.empty()) {
      out.error(list, "none", "must name at least one " + title);
      names_all = false;
    }
    std::set<std::string> named;
    for (std::size_t i = 0; i < control->elements.size(); ++i) {
      const std::string& name = control->elements[i];
      const std::vector<std::string>& known = of_brakes ? brakes : powertrains;
      if (std::find(known.begin(), known.end(), name) == known.end()) {
        const bool exists = std::find(forces.begin(), forces.end(), name) != forces.end();
        out.error(element(list.c_str(), i), printed(name), (exists ? "must be a " : "must be the name of a ") + title,
                  didYouMean(name, known, out));
        names_all = false;
      } else if (!named.insert(name).second) {
        out.error(element(list.c_str(), i), printed(name), "must be named once");
      }
    }
    if (of_brakes && actuator.minimum.value_or(-1) < 0)
      out.error(path + ".minimum", actuator.minimum ? printed(*actuator.minimum) : "none",
                "of a brake must be given, not below zero");
  }
  if (names_all) warnOfUncontrolled(spec, out);  // a misspelt name would be found a second time
}

void build(const ControlSpec& spec, Actuator& actuator, const ModelBuilder&) {
  actuator.kind = ActuatorKind::kControl;
  actuator.target = -1;
  actuator.order = static_cast<int>(spec.quantity);
}

void connect(const ControlSpec& spec, int actuator, ModelBuilder& builder) {
  Model& model = builder.model();
  const auto powertrain = [&](const std::string& name) -> Powertrain& {
    return model.powertrains[static_cast<std::size_t>(builder.powertrain(name))];
  };
  for (const std::string& name : spec.elements) switch (spec.quantity) {
      case ControlQuantity::kBrake:
        model.frictions[static_cast<std::size_t>(builder.friction(name))].actuators.push_back(actuator);
        break;
      case ControlQuantity::kThrottle: powertrain(name).throttle.push_back(actuator); break;
      case ControlQuantity::kRatio: powertrain(name).ratio.push_back(actuator); break;
    }
}

}  // namespace tactus::rt
