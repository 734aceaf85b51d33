// The schemas: https://fmi-standard.org/docs/2.0.4 chapter 2.2, https://fmi-standard.org/docs/3.0.1 chapter 2.4.
#include "clients/fmi/description.h"

#include "clients/fmi/importer/unit_exponents.h"
#include "clients/fmi/unit/instance.h"
#include "rt/error.h"
#include "rt/model/model.h"

#include <charconv>
#include <cmath>
#include <map>
#include <set>
#include <utility>

namespace tactus::fmi {
namespace {

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return out;
}

/// As many digits as the number needs.
std::string digits(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

std::string attribute(const char* name, const std::string& value) {
  return value.empty() ? "" : std::string(" ") + name + "=\"" + escaped(value) + '"';
}

const char* wordOf(Causality causality) {
  switch (causality) {
    case Causality::kIndependent: return "independent";
    case Causality::kInput: return "input";
    case Causality::kParameter: return "parameter";
    case Causality::kOutput: break;
  }
  return "output";
}

/// Units that FMI can describe, by name.
std::map<std::string, UnitExponents> unitsOf(const std::vector<Variable>& variables) {
  std::map<std::string, UnitExponents> units;
  for (const Variable& variable : variables)
    if (const auto exponents = exponentsOf(variable.unit)) units.emplace(variable.unit, *exponents);
  return units;
}

std::string unitsXml(const std::vector<Variable>& variables) {
  std::string xml = "  <UnitDefinitions>\n";
  for (const auto& [name, exponents] : unitsOf(variables)) {
    xml += "    <Unit" + attribute("name", name) + ">\n      <BaseUnit";
    for (std::size_t i = 0; i < exponents.size(); ++i)
      if (exponents[i] != 0) xml += attribute(kBaseUnits[i], std::to_string(exponents[i]));
    xml += "/>\n    </Unit>\n";
  }
  return xml + "  </UnitDefinitions>\n";
}

constexpr const char* kCategories[][2] = {{kLogEvents, "What the unit does"},
                                          {kLogWarning, "What a caller may not expect"},
                                          {kLogDiscard, "Why a call was not carried out"},
                                          {kLogError, "Errors; always told"},
                                          {kLogAll, "All of them"}};

std::string categoriesXml() {
  std::string xml = "  <LogCategories>\n";
  for (const auto& [name, text] : kCategories)
    xml += "    <Category" + attribute("name", name) + attribute("description", text) + "/>\n";
  return xml + "  </LogCategories>\n";
}

std::string numbersXml(const Variable& variable) {
  std::string xml;
  if (exponentsOf(variable.unit)) xml += attribute("unit", variable.unit);
  const auto bound = [&](const char* name, const std::optional<double>& value) {
    if (value && std::isfinite(*value) && std::abs(*value) < 1e300) xml += attribute(name, digits(*value));
  };
  bound("min", variable.minimum);
  bound("max", variable.maximum);
  const bool has_start = variable.causality == Causality::kInput || variable.causality == Causality::kParameter;
  if (has_start) xml += attribute("start", digits(variable.start));
  return xml;
}

/// Causality, variability and how the start value is to be taken.
std::string kindXml(const Variable& variable) {
  const bool is_parameter = variable.causality == Causality::kParameter;
  std::string xml =
      attribute("causality", wordOf(variable.causality)) + attribute("variability", is_parameter       ? "tunable"
                                                                                    : variable.is_hash ? "discrete"
                                                                                                       : "continuous");
  if (variable.causality == Causality::kOutput) xml += attribute("initial", "calculated");
  if (is_parameter) xml += attribute("initial", "exact");
  return xml;
}

/// Of an output at a communication point. It is one of the state, which an input moves in the next step. With
/// derivatives the equations count: an output may depend on every input, which is what a description without
/// dependencies says. In the initialization it may always depend on all that is known there, parameters above all.
std::string dependenciesXml(const Description& d, const Variable& variable) {
  return d.derivatives && !variable.is_hash ? "" : " dependencies=\"\"";
}

std::string variables2(const Description& d) {
  std::string xml = "  <ModelVariables>\n", outputs, unknowns;
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    const Variable& v = d.variables[i];
    xml += "    <ScalarVariable" + attribute("name", v.name) + attribute("valueReference", std::to_string(i)) +
           attribute("description", v.description) + kindXml(v) + ">\n";
    xml += v.is_hash ? "      <String/>\n" : "      <Real" + numbersXml(v) + "/>\n";
    xml += "    </ScalarVariable>\n";
    // Indices count from 1.
    if (v.causality != Causality::kOutput) continue;
    const std::string index = attribute("index", std::to_string(i + 1));
    outputs += "      <Unknown" + index + dependenciesXml(d, v) + "/>\n";
    unknowns += "      <Unknown" + index + "/>\n";
  }
  return xml + "  </ModelVariables>\n  <ModelStructure>\n    <Outputs>\n" + outputs +
         "    </Outputs>\n    <InitialUnknowns>\n" + unknowns + "    </InitialUnknowns>\n  </ModelStructure>\n";
}

std::string variables3(const Description& d) {
  std::string xml = "  <ModelVariables>\n", outputs, unknowns;
  for (std::size_t i = 0; i < d.variables.size(); ++i) {
    const Variable& v = d.variables[i];
    const std::string reference = attribute("valueReference", std::to_string(i));
    xml += std::string("    <") + (v.is_hash ? "UInt64" : "Float64") + attribute("name", v.name) + reference +
           attribute("description", v.description) + kindXml(v) + (v.is_hash ? "" : numbersXml(v)) +
           (v.causality == Causality::kOutput && !v.is_hash ? attribute("intermediateUpdate", "true") : "") + "/>\n";
    if (v.causality != Causality::kOutput) continue;
    outputs += "    <Output" + reference + dependenciesXml(d, v) + "/>\n";
    unknowns += "    <InitialUnknown" + reference + "/>\n";
  }
  return xml + "  </ModelVariables>\n  <ModelStructure>\n" + outputs + unknowns + "  </ModelStructure>\n";
}

}  // namespace

std::vector<Variable> variablesOf(const rt::Model& model, const rt::SignalDirectory& directory,
                                  const std::vector<int>& outputs) {
  std::vector<Variable> variables;
  variables.push_back({kTimeVariable, "s", "Simulated time", Causality::kIndependent, 0, {}, {}, false});
  for (std::size_t i = 0; i < model.actuators.size(); ++i) {
    const rt::Signal& signal = directory.signals()[static_cast<std::size_t>(directory.find(model.actuator_names[i]))];
    variables.push_back({signal.name, signal.unit, signal.description, Causality::kInput, model.actuators[i].initial,
                         signal.minimum, signal.maximum, false});
  }
  for (const rt::Parameter& p : model.parameters)
    variables.push_back(
        {"parameters." + p.name, p.unit, p.description, Causality::kParameter, p.value, p.minimum, p.maximum, false});
  for (const int index : outputs) {
    const rt::Signal& signal = directory.signals()[static_cast<std::size_t>(index)];
    const std::string frame = signal.frame.empty() ? "" : " (axes: " + signal.frame + ")";
    variables.push_back({signal.name, signal.unit, signal.description + frame, Causality::kOutput, 0, {}, {}, false});
  }
  variables.push_back(
      {kHashVariable, "", "Hash of the state: equal hashes mean equal futures", Causality::kOutput, 0, {}, {}, true});
  std::set<std::string> names;
  for (const Variable& variable : variables)
    if (!names.insert(variable.name).second)
      throw Error("two variables of the unit would be called \"" + variable.name +
                  "\"; rename the element of the model, or leave the signal out");
  return variables;
}

std::string descriptionXml(const Description& d) {
  const bool second = d.version == 2;
  std::string xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiModelDescription" +
                    attribute("fmiVersion", second ? "2.0" : "3.0") + attribute("modelName", d.name) +
                    attribute(second ? "guid" : "instantiationToken", d.token) +
                    attribute("description", d.description) + attribute("generationTool", d.tool) +
                    attribute("variableNamingConvention", "flat") + ">\n";
  // Capabilities that are left out are false.
  xml += "  <CoSimulation" + attribute("modelIdentifier", d.identifier) +
         attribute("canHandleVariableCommunicationStepSize", "true") +
         attribute(second ? "canGetAndSetFMUstate" : "canGetAndSetFMUState", "true") +
         attribute(second ? "canSerializeFMUstate" : "canSerializeFMUState", "true");
  if (d.derivatives) {
    xml += attribute(second ? "providesDirectionalDerivative" : "providesDirectionalDerivatives", "true");
    if (!second) xml += attribute("providesAdjointDerivatives", "true");
  }
  xml += second ? attribute("canNotUseMemoryManagementFunctions", "true")
                : attribute("providesIntermediateUpdate", "true") +
                      attribute("canReturnEarlyAfterIntermediateUpdate", "true") +
                      attribute("fixedInternalStepSize", digits(d.period));
  xml += "/>\n" + unitsXml(d.variables) + categoriesXml() + "  <DefaultExperiment" + attribute("startTime", "0") +
         attribute("stopTime", "10") + attribute("stepSize", digits(d.period)) + "/>\n";
  // What FMI 3.0 says by an attribute of its own.
  if (second)
    xml += "  <VendorAnnotations>\n    <Tool name=\"Tactus\">\n      <CoSimulation" +
           attribute("fixedInternalStepSize", digits(d.period)) + "/>\n    </Tool>\n  </VendorAnnotations>\n";
  return xml + (second ? variables2(d) : variables3(d)) + "</fmiModelDescription>\n";
}

std::string terminalsXml(const Description& d) {
  // Name of a terminal: its lines, in the order of the variables.
  std::map<std::string, std::string> elements;
  std::string actuators, sensors;
  for (const Variable& v : d.variables) {
    const bool is_input = v.causality == Causality::kInput;
    if (v.is_hash || (!is_input && v.causality != Causality::kOutput)) continue;
    const std::size_t dot = v.name.find('.');
    const bool of_element = dot != std::string::npos && dot > 0 && dot + 1 < v.name.size();
    std::string& lines = of_element ? elements[v.name.substr(0, dot)] : is_input ? actuators : sensors;
    lines += "      <TerminalMemberVariable" + attribute("variableName", v.name) +
             attribute("memberName", of_element ? v.name.substr(dot + 1) : v.name) +
             attribute("variableKind", "signal") + "/>\n";
  }
  // An element may have the name of a bus.
  for (const auto& [name, lines] : {std::pair("actuators", &actuators), std::pair("sensors", &sensors)}) {
    std::string own = name;
    while (elements.count(own) > 0) own += '_';
    if (!lines->empty()) elements[own] = *lines;
  }
  if (elements.empty()) return "";
  std::string xml =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<fmiTerminalsAndIcons fmiVersion=\"3.0\">\n  <Terminals>\n";
  for (const auto& [name, lines] : elements)
    xml += "    <Terminal" + attribute("name", name) + attribute("matchingRule", "bus") + ">\n" + lines +
           "    </Terminal>\n";
  return xml + "  </Terminals>\n</fmiTerminalsAndIcons>\n";
}

std::string descriptionPage(const Description& d) {
  std::string page =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\"><title>" + escaped(d.name) +
      "</title></head>\n<body>\n<h1>" + escaped(d.name) + "</h1>\n<p>" + escaped(d.description) +
      "</p>\n<p>Co-simulation unit of FMI " + std::to_string(d.version) + ", made by " + escaped(d.tool) +
      ". Its internal step is " + digits(d.period) +
      " s; a communication step is a whole multiple of it. A new input acts as if it were reached at the "
      "end of the next internal step: a force that changes acts for half an internal step less. Then "
      "it is held. A parameter takes effect with the next step. The model begins at its time 0, "
      "whatever the start time is: its drives over time count from the start.</p>\n<p>The unit needs "
      "Linux on x86-64 with AVX2, FMA and BMI2, and the GNU C library of version 2.35 or "
      "later.</p>\n<p>resources/model.json is the model for people; "
      "resources/model.bin is what the unit runs.</p>\n<table>\n<tr><th>variable</th><th>kind</th>"
      "<th>unit</th><th>range</th><th>meaning</th></tr>\n";
  for (const Variable& v : d.variables) {
    const auto bound = [](const std::optional<double>& value) {
      return value && std::abs(*value) < 1e300 ? digits(*value) : std::string();
    };
    const std::string low = bound(v.minimum), high = bound(v.maximum);
    const std::string range = low.empty() && high.empty() ? "" : low + " to " + high;
    page += "<tr><td>" + escaped(v.name) + "</td><td>" + wordOf(v.causality) + "</td><td>" + escaped(v.unit) +
            "</td><td>" + range + "</td><td>" + escaped(v.description) + "</td></tr>\n";
  }
  return page + "</table>\n</body>\n</html>\n";
}

}  // namespace tactus::fmi
