// The rules: https://fmi-standard.org/docs/2.0.4 chapter 2.2, https://fmi-standard.org/docs/3.0.1 chapter 2.4.
#include "clients/fmi/importer/unit_description.h"

#include "clients/fmi/importer/unit_xml.h"
#include "rt/error.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

namespace tactus::fmi {
namespace {

template <class T>
std::optional<T> parsed(const std::string& text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool isTrue(const std::string& text) {
  return text == "true" || text == "1";
}

/// Collects the elements in the order of the file.
class DescriptionParser : public UnitXml {
 public:
  explicit DescriptionParser(std::vector<UnitFinding>& findings) : UnitXml("modelDescription.xml", findings) {}

  UnitDescription read(const std::string& path) {
    parse(path);
    checkStructure();
    return std::move(unit_);
  }

 private:
  void begin(const std::string& name, const XmlAttributes& attributes) override {
    const std::string parent = open().size() > 1 ? open()[open().size() - 2] : "";
    if (open().size() == 1) return root(name, attributes);
    if (parent == "fmiModelDescription" && name == "CoSimulation") return coSimulation(attributes);
    if (parent == "fmiModelDescription" && name == "DefaultExperiment") {
      unit_.step = parsed<double>(attributeOf(attributes, "stepSize"));
      unit_.start_time = parsed<double>(attributeOf(attributes, "startTime")).value_or(0);
    } else if (name == "Unit" && parent == "UnitDefinitions") {
      unit_name_ = attributeOf(attributes, "name");
      unit_.units.emplace(unit_name_, MeasuringUnit{});
    } else if (name == "BaseUnit" && parent == "Unit") {
      baseUnit(attributes);
    } else if (parent == "TypeDefinitions") {
      type_name_ = attributeOf(attributes, "name");
      if (name == "Float64Type") types_[type_name_] = attributes;
    } else if (parent == "SimpleType" && name == "Real") {
      types_[type_name_] = attributes;
    } else if (unit_.version == 2 && parent == "Tool" && name == "CoSimulation") {
      // FMI 2.0 has no such attribute of its own.
      unit_.internal_step = parsed<double>(attributeOf(attributes, "fixedInternalStepSize"));
    } else if (name == "Category" && parent == "LogCategories") {
      unit_.log_categories.push_back(attributeOf(attributes, "name"));
    } else if (parent == "ModelVariables") {
      variable(name, attributes);
    } else if (unit_.version == 2 && parent == "ScalarVariable") {
      if (name != "Annotations") type2(name, attributes);
    } else if (name == "Dimension" && !unit_.variables.empty()) {
      unit_.variables.back().is_array = true;
    } else if ((unit_.version == 3 && parent == "ModelStructure" && name == "Output") ||
               (unit_.version == 2 && parent == "Outputs" && name == "Unknown")) {
      listed_.emplace_back(line(), attributeOf(attributes, unit_.version == 2 ? "index" : "valueReference"));
    }
  }

  void root(const std::string& name, const XmlAttributes& attributes) {
    if (name != "fmiModelDescription") return stop("the root element must be fmiModelDescription, not " + name);
    unit_.version_text = attributeOf(attributes, "fmiVersion");
    if (unit_.version_text == "2.0") unit_.version = 2;
    if (unit_.version_text.starts_with("3.")) unit_.version = 3;
    if (unit_.version == 0) return stop("fmiVersion=\"" + unit_.version_text + "\": it must be 2.0 or 3.0");
    unit_.name = attributeOf(attributes, "modelName");
    const char* const token = unit_.version == 2 ? "guid" : "instantiationToken";
    unit_.token = attributeOf(attributes, token);
    unit_.tool = attributeOf(attributes, "generationTool");
    if (unit_.name.empty()) find(line(), "modelName is missing");
    if (unit_.token.empty()) find(line(), std::string(token) + " is missing");
  }

  void baseUnit(const XmlAttributes& attributes) {
    MeasuringUnit& unit = unit_.units[unit_name_];
    unit.exponents.emplace();
    for (std::size_t i = 0; i < kBaseUnits.size(); ++i)
      (*unit.exponents)[i] = parsed<int>(attributeOf(attributes, kBaseUnits[i])).value_or(0);
    unit.factor = parsed<double>(attributeOf(attributes, "factor")).value_or(1);
    unit.offset = parsed<double>(attributeOf(attributes, "offset")).value_or(0);
  }

  void coSimulation(const XmlAttributes& attributes) {
    const auto flag = [&](const char* second, const char* third) {
      return isTrue(attributeOf(attributes, unit_.version == 2 ? second : third));
    };
    unit_.identifier = attributeOf(attributes, "modelIdentifier");
    const auto allowed = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; };
    if (unit_.identifier.empty() || std::isdigit(static_cast<unsigned char>(unit_.identifier[0])) != 0 ||
        !std::all_of(unit_.identifier.begin(), unit_.identifier.end(), allowed))
      return stop("modelIdentifier=\"" + unit_.identifier + "\": it must be an identifier of C");
    unit_.saves_states = flag("canGetAndSetFMUstate", "canGetAndSetFMUState");
    unit_.serializes_states = flag("canSerializeFMUstate", "canSerializeFMUState");
    unit_.once_per_process = flag("canBeInstantiatedOnlyOncePerProcess", "canBeInstantiatedOnlyOncePerProcess");
    unit_.variable_step = flag("canHandleVariableCommunicationStepSize", "canHandleVariableCommunicationStepSize");
    if (unit_.version == 3) {
      unit_.updates_between_steps = isTrue(attributeOf(attributes, "providesIntermediateUpdate"));
      unit_.returns_early = isTrue(attributeOf(attributes, "canReturnEarlyAfterIntermediateUpdate"));
    }
    if (unit_.version == 3) unit_.internal_step = parsed<double>(attributeOf(attributes, "fixedInternalStepSize"));
    if (unit_.serializes_states && !unit_.saves_states)
      find(line(), "the unit serializes states, but does not save them; both need canGetAndSet");
    if (unit_.returns_early && !unit_.updates_between_steps)
      find(line(), "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate");
  }

  void variable(const std::string& element, const XmlAttributes& attributes) {
    UnitVariable v;
    v.line = line();
    v.name = attributeOf(attributes, "name");
    v.causality = attributeOf(attributes, "causality");
    v.variability = attributeOf(attributes, "variability");
    if (v.causality.empty()) v.causality = "local";
    if (unit_.version == 3) v.in_updates = isTrue(attributeOf(attributes, "intermediateUpdate"));
    if (v.name.empty()) find(v.line, "a variable has no name");
    const auto reference = parsed<std::uint32_t>(attributeOf(attributes, "valueReference"));
    if (!reference) find(v.line, "variable \"" + v.name + "\": valueReference must be a number of 32 bits");
    v.reference = reference.value_or(0);
    static const std::set<std::string> kCausalities = {"parameter",   "calculatedParameter", "input", "output", "local",
                                                       "independent", "structuralParameter"};
    if (kCausalities.count(v.causality) == 0)
      find(v.line, "variable \"" + v.name + "\": causality=\"" + v.causality + "\" is not of the standard");
    if (!names_.insert(v.name).second) find(v.line, "two variables are called \"" + v.name + "\"");
    if (unit_.version == 3 && reference && !references_.insert(v.reference).second)
      find(v.line, "variable \"" + v.name + "\": valueReference " + std::to_string(v.reference) + " is used twice");
    unit_.variables.push_back(v);
    if (unit_.version == 3) type(element, attributes);
  }

  void type2(const std::string& name, const XmlAttributes& attributes) {
    type(name == "Real" ? "Float64" : name, attributes);
  }

  void type(const std::string& name, const XmlAttributes& attributes) {
    if (unit_.variables.empty()) return;
    UnitVariable& v = unit_.variables.back();
    v.type = name;
    // What the variable does not give is that of its type.
    XmlAttributes all = attributes;
    if (const auto declared = types_.find(attributeOf(attributes, "declaredType"));
        name == "Float64" && declared != types_.end())
      all.insert(declared->second.begin(), declared->second.end());
    v.unit = attributeOf(all, "unit");
    v.has_start = attributes.count("start") > 0;
    v.minimum = parsed<double>(attributeOf(all, "min"));
    v.maximum = parsed<double>(attributeOf(all, "max"));
    v.start = parsed<double>(attributeOf(attributes, "start"));
  }

  void checkVariable(const UnitVariable& v) {
    const std::string who = "variable \"" + v.name + "\": ";
    if (v.type.empty()) find(v.line, who + "it has no type");
    // Clocks and binary inputs of FMI 3.0 may be without.
    if (v.causality == "input" && !v.has_start && v.type != "Clock" && v.type != "Binary" && v.type != "String")
      find(v.line, who + "an input needs a start value");
    if (v.causality == "parameter" && v.variability != "fixed" && v.variability != "tunable")
      find(v.line, who + "a parameter must be fixed or tunable");
    if (v.minimum && v.maximum && *v.minimum > *v.maximum) find(v.line, who + "min is above max");
    if (v.start && ((v.minimum && *v.start < *v.minimum) || (v.maximum && *v.start > *v.maximum)))
      find(v.line, who + "its start value is out of its range");
    if (!v.unit.empty() && unit_.units.count(v.unit) == 0) find(v.line, who + "unit \"" + v.unit + "\" is not defined");
  }

  /// What only the whole file shows.
  void checkStructure() {
    if (unit_.version == 0) throw Error("modelDescription.xml has no element fmiModelDescription");
    for (const UnitVariable& v : unit_.variables) checkVariable(v);
    std::set<std::string> listed;
    for (const auto& [line, text] : listed_) {
      const UnitVariable* found = nullptr;
      const auto number = parsed<std::uint32_t>(text);
      if (number && unit_.version == 2 && *number >= 1 && *number <= unit_.variables.size())
        found = &unit_.variables[*number - 1];
      if (number && unit_.version == 3)
        for (const UnitVariable& v : unit_.variables)
          if (v.reference == *number) found = &v;
      if (found == nullptr || found->causality != "output")
        find(line, "ModelStructure: output " + text + " is no output of the unit");
      else
        listed.insert(found->name);
    }
    for (const UnitVariable& v : unit_.variables)
      if (v.causality == "output" && v.type != "Clock" && listed.count(v.name) == 0)
        find(v.line, "output \"" + v.name + "\" is not listed in ModelStructure");
  }

  UnitDescription unit_;
  std::set<std::string> names_;
  std::string unit_name_;                       ///< of the newest element in UnitDefinitions
  std::map<std::string, XmlAttributes> types_;  ///< of real numbers, by name; in the file they are before the variables
  std::string type_name_;                       ///< of the newest element in TypeDefinitions
  std::set<std::uint32_t> references_;
  std::vector<std::pair<std::int64_t, std::string>> listed_;
};

}  // namespace

const UnitVariable* UnitDescription::find(const std::string& wanted) const {
  for (const UnitVariable& v : variables)
    if (v.name == wanted) return &v;
  return nullptr;
}

std::string UnitDescription::binary() const {
  return std::string("binaries/") + (version == 2 ? "linux64" : "x86_64-linux") + '/' + identifier + ".so";
}

UnitDescription readDescription(const std::string& path, std::vector<UnitFinding>& findings) {
  if (!std::filesystem::exists(path)) throw Error("modelDescription.xml is missing in the root of the archive");
  return DescriptionParser(findings).read(path);
}

}  // namespace tactus::fmi
