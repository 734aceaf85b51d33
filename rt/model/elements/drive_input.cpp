#include "rt/model/elements/drive_input.h"

#include "rt/model/finding_list.h"
#include "rt/model/model_builder.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

Fields DriveInputSpec::fields() {
  static constexpr Field kFields[] = {
      field<&DriveInputSpec::drive>("drive", "Name of a drive with the function `input`.", {.refers = Refers::kDrive}),
      field<&DriveInputSpec::quantity>("quantity", "What of the drive the input is."),
  };
  return kFields;
}

void DriveInputSpec::checkAll(const ModelSpec& spec, FindingList& out) {
  for (std::size_t d = 0; d < spec.drives.size(); ++d) {
    const bool takes_input = std::holds_alternative<InputFunctionSpec>(spec.drives[d].function);
    int first[3] = {-1, -1, -1};
    for (std::size_t a = 0; a < spec.actuators.size(); ++a) {
      const auto* input = std::get_if<DriveInputSpec>(&spec.actuators[a].kind);
      if (input == nullptr || input->drive != spec.drives[d].name) continue;
      const std::string path = element("actuators", a) + ".drive_input";
      int& seen = first[static_cast<int>(input->quantity)];
      if (!takes_input)
        out.error(path + ".drive", printed(input->drive), "must be a drive whose function is an input");
      else if (seen >= 0)
        out.error(path + ".quantity", printed(spec.actuators[a].name), "must be the only one of its quantity",
                  element("actuators", static_cast<std::size_t>(seen)) + " gives it already");
      seen = static_cast<int>(a);
    }
    if (takes_input && first[0] < 0)
      out.error(element("drives", d) + ".input", "no actuator", "must have an actuator that gives its value",
                "an actuator with drive_input: {drive: \"" + spec.drives[d].name + "\"}");
  }
}

void build(const DriveInputSpec& spec, Actuator& actuator, const ModelBuilder& builder) {
  actuator.kind = ActuatorKind::kDriveInput;
  actuator.target = builder.drive(spec.drive);
  actuator.order = static_cast<int>(spec.quantity);
}

void connect(const DriveInputSpec& spec, int actuator, ModelBuilder& builder) {
  Drive& drive = builder.model().drives[static_cast<std::size_t>(builder.drive(spec.drive))];
  drive.actuator[static_cast<int>(spec.quantity)] = actuator;
}

}  // namespace tactus::rt
