#include "clients/fmi/session/unit_map.h"

#include "clients/fmi/importer/unit_exponents.h"
#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"

#include <spdlog/spdlog.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <string_view>

namespace tactus::fmi {
namespace {

using nlohmann::json;

const std::vector<std::string> kKeys = {"outputs", "inputs", "parameters", "every", "delay", "on_miss"};
constexpr std::int64_t kMostTicks = 1'000'000;  // of a step

std::string didYouMean(const std::string& name, const std::vector<std::string>& known, const std::string& otherwise) {
  const std::string near = rt::nearestName(name, known);
  return near.empty() ? otherwise : "did you mean \"" + near + "\"?";
}

/// What the parser says, "[json.exception.NAME] parse error at line 2, column 7: syntax error while parsing value -
/// unexpected '}'", as ":2: it is not JSON: column 7: syntax error ...".
std::string notJson(std::string text) {
  if (const std::size_t end = text.find("] "); text.starts_with('[') && end != std::string::npos)
    text.erase(0, end + 2);
  const std::string_view head = "parse error at line ";
  const std::size_t comma = text.find(", ");
  std::string line;
  if (text.starts_with(head) && comma != std::string::npos) {
    line = ":" + text.substr(head.size(), comma - head.size());
    text.erase(0, comma + 2);
  }
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return line + ": it is not JSON: " + text + R"(; write it like {"outputs": {"torque": "motor"}})";
}

class MapReader {
 public:
  MapReader(std::string path, const UnitDescription& unit, const server::Session& session,
            std::vector<std::string>& findings)
      : path_(std::move(path)), unit_(unit), session_(session), findings_(findings) {}

  UnitMap read() {
    std::ifstream file(path_);
    if (!file) {
      findings_.push_back(path_ + ": it cannot be read; check its name and its mode");
      return {};
    }
    json map;
    try {
      map = json::parse(file, [this](int, json::parse_event_t event, json& parsed) { return watch(event, parsed); });
    } catch (const json::exception& error) {
      findings_.push_back(path_ + notJson(error.what()));
      return {};
    }
    if (!map.is_object()) {
      findings_.push_back(path_ + R"(: it must be an object; for example {"outputs": {"torque": "motor"}})");
      return {};
    }
    for (const auto& [key, value] : map.items())
      if (std::find(kKeys.begin(), kKeys.end(), key) == kKeys.end())
        find(key, "it is no key of a map",
             didYouMean(key, kKeys, "the keys are outputs, inputs, parameters, every, delay, on_miss"));
    UnitMap result;
    readOutputs(map.contains("outputs") ? map["outputs"] : json(), result);
    if (map.contains("inputs")) readInputs(map["inputs"], result);
    if (map.contains("parameters")) readParameters(map["parameters"], result);
    readTimes(map, result);
    return result;
  }

 private:
  void find(const std::string& key, const std::string& rule, const std::string& hint) {
    findings_.push_back(path_ + ": " + key + ": " + rule + "; " + hint);
  }

  bool watch(json::parse_event_t event, const json& parsed) {
    if (event == json::parse_event_t::object_start) keys_.emplace_back();
    if (event == json::parse_event_t::object_end) keys_.pop_back();
    if (event == json::parse_event_t::key && !keys_.back().insert(parsed.get<std::string>()).second)
      find(parsed.get<std::string>(), "it is given twice in one object", "remove one of them");
    return true;
  }

  // The variable of the unit that a key names; null after a finding.
  const UnitVariable* variable(const std::string& key, const std::string& name, const std::string& causality) {
    const UnitVariable* const found = unit_.find(name);
    if (found && found->causality == causality && found->isScalarNumber()) return found;
    std::vector<std::string> known;
    for (const UnitVariable& v : unit_.variables)
      if (v.causality == causality && v.isScalarNumber()) known.push_back(v.name);
    find(key, "the unit has no scalar " + causality + " of type Real or Float64 with this name",
         didYouMean(name, known, known.empty() ? "it has no such " + causality : "it has \"" + known.front() + "\""));
    return nullptr;
  }

  void readOutputs(const json& outputs, UnitMap& result) {
    if (!outputs.is_object() || outputs.empty())
      return find("outputs", "it must be an object that is not empty",
                  "name at least one actuator: {\"torque\": \"motor\"}");
    const std::vector<rt::Actuator>& actuators = session_.model().actuators;
    std::vector<std::string> known;
    for (std::size_t i = 0; i < actuators.size(); ++i) known.push_back(session_.model().actuator_names[i]);
    std::set<std::string> driven;
    for (const auto& [name, value] : outputs.items()) {
      const std::string key = "outputs." + name;
      const UnitVariable* const output = variable(key, name, "output");
      if (!value.is_string()) {
        find(key, "its value must be the name of an actuator", "write it in quotes");
        continue;
      }
      const auto actuator = value.get<std::string>();
      const auto found = std::find(known.begin(), known.end(), actuator);
      if (found == known.end())
        find(key, "the model has no actuator \"" + actuator + '"',
             didYouMean(actuator, known, "`tactus signals MODEL` lists them as inputs"));
      else if (!driven.insert(actuator).second)
        find(key, "another output drives \"" + actuator + "\" already", "remove one of them");
      else if (output != nullptr) {
        result.variables.outputs.push_back(output->reference);
        result.actuators.push_back(static_cast<int>(found - known.begin()));
        compareUnits(key, *output, session_.feed().signals().find(actuator));
      }
    }
  }

  void readInputs(const json& inputs, UnitMap& result) {
    if (!inputs.is_object()) return find("inputs", "it must be an object", "for example {\"speed\": \"input.rate\"}");
    for (const auto& [name, value] : inputs.items()) {
      const std::string key = "inputs." + name;
      const UnitVariable* const input = variable(key, name, "input");
      if (!value.is_string()) {
        find(key, "its value must be the name of a signal", "write it in quotes");
        continue;
      }
      const auto signal = value.get<std::string>();
      const int index = session_.feed().signals().find(signal);
      if (index < 0) {
        std::vector<std::string> known;
        for (const rt::Signal& s : session_.feed().signals().signals()) known.push_back(s.name);
        find(key, "the model has no signal \"" + signal + '"',
             didYouMean(signal, known, "`tactus signals MODEL` lists them"));
      } else if (input != nullptr) {
        result.variables.inputs.push_back(input->reference);
        result.signals.push_back(index);
        compareUnits(key, *input, index);
      }
    }
  }

  // Whether a value of the unit is the same number in the unit of a signal. A side without a unit has that of the
  // other.
  bool sameUnit(const std::string& of_variable, const std::string& of_signal) const {
    if (of_variable.empty() || of_signal.empty()) return true;
    const std::string spelled = spelledAsOurs(of_variable);
    const auto declared = unit_.units.find(of_variable);
    const bool has_base = declared != unit_.units.end() && declared->second.exponents;
    std::optional<UnitExponents> first = has_base ? declared->second.exponents : exponentsOf(spelled);
    std::optional<UnitExponents> second = exponentsOf(of_signal);
    constexpr double kRounding = 1e-9;  // a factor is a decimal number
    if (has_base && (std::abs(declared->second.factor - 1) > kRounding || declared->second.offset != 0)) return false;
    if (!first || !second) return of_variable == of_signal || spelled == of_signal;
    // Some tools leave radians out of the base units.
    if (spelled == of_signal) first->back() = second->back() = 0;
    return first == second;
  }

  void compareUnits(const std::string& key, const UnitVariable& variable, int signal) const {
    const rt::Signal& other = session_.feed().signals().signals()[static_cast<std::size_t>(signal)];
    if (sameUnit(variable.unit, other.unit)) return;
    spdlog::warn(
        R"({}: {}: the unit of "{}" is "{}", and that of "{}" is "{}"; nothing is converted: convert it in the )"
        "FMU or in the model",
        path_, key, variable.name, variable.unit, other.name, other.unit);
  }

  static bool isInRange(const UnitVariable& variable, double value) {
    return (!variable.minimum || value >= *variable.minimum) && (!variable.maximum || value <= *variable.maximum);
  }

  void readParameters(const json& parameters, UnitMap& result) {
    if (!parameters.is_object()) return find("parameters", "it must be an object", "for example {\"gain\": 2.5}");
    UnitVariables& variables = result.variables;
    for (const auto& [name, value] : parameters.items()) {
      const std::string key = "parameters." + name;
      const UnitVariable* const found = unit_.find(name);
      const bool is_input = found && found->causality == "input";
      if (!found || !found->isScalarNumber() || !(is_input || found->causality == "parameter")) {
        std::vector<std::string> known;
        for (const UnitVariable& v : unit_.variables)
          if ((v.causality == "parameter" || v.causality == "input") && v.isScalarNumber()) known.push_back(v.name);
        find(key, "the unit has no scalar parameter or input of type Real or Float64 with this name",
             didYouMean(name, known, known.empty() ? "remove it" : "it has \"" + known.front() + "\""));
      } else if (!value.is_number()) {
        find(key, "its value must be a number", "write it without quotes, in the unit that the FMU declares");
      } else if (!isInRange(*found, value.get<double>())) {
        find(key, "it is outside the range that the unit declares", "modelDescription.xml has its min and max");
      } else if (is_input && std::count(variables.inputs.begin(), variables.inputs.end(), found->reference) > 0) {
        find(key, "\"inputs\" sets it from a signal already", "remove one of them");
      } else {
        (is_input ? variables.starts : variables.parameters).push_back(found->reference);
        (is_input ? variables.start_values : variables.parameter_values).push_back(value.get<double>());
      }
    }
  }

  // A whole number of a range; 1 where the key is not given, and after a finding.
  std::int64_t ticks(const json& map, const char* key, std::int64_t most, const std::string& why) {
    if (!map.contains(key)) return 1;
    const json& value = map[key];
    if (value.is_number_integer() && value >= 1 && value <= most) return value.get<std::int64_t>();
    find(key, "it must be a whole number of ticks from 1 to " + std::to_string(most), why);
    return 1;
  }

  bool isWholeStep(std::int64_t every) const {
    // Both are products of decimals: the rounding of double, and far below a step of a nanosecond in a second.
    constexpr double kRounding = 1e-6;
    const double steps = 1e-9 * static_cast<double>(every * session_.settings().period_ns) / *unit_.internal_step;
    return steps > 0.5 && std::abs(steps - std::round(steps)) <= kRounding;
  }

  // A unit refuses a communication step that is no whole multiple of its internal one.
  void requireWholeSteps(std::int64_t every) {
    if (!unit_.internal_step || !(*unit_.internal_step > 0) || isWholeStep(every)) return;
    constexpr std::int64_t kMostOffered = 1000;  // ticks; where it is more, the periods do not belong together
    std::int64_t least = 1;
    while (least <= kMostOffered && !isWholeStep(least)) ++least;
    const double period = 1e-9 * static_cast<double>(session_.settings().period_ns);
    find("every",
         rt::printed(static_cast<double>(every) * period) + " s, the time of " + std::to_string(every) +
             (every == 1 ? " tick" : " ticks") + ", is no whole multiple of the internal step of the unit, " +
             rt::printed(*unit_.internal_step) + " s",
         least <= kMostOffered
             ? "the smallest \"every\" that works is " + std::to_string(least) + "; or serve with another --period"
             : "serve with another --period");
  }

  void readTimes(const json& map, UnitMap& result) {
    result.every = ticks(map, "every", kMostTicks, "it is the length of one step of the unit");
    result.delay =
        ticks(map, "delay", result.every, "a result is due before the next step has begun, at most \"every\" later");
    requireWholeSteps(result.every);
    const std::int64_t limit = session_.missLimit();
    if (limit > 0 && result.every > limit)
      find("every", "a controller without an input for " + std::to_string(limit) + " ticks is lost",
           "make it smaller, or serve with --miss-limit " + std::to_string(2 * result.every));
    if (!map.contains("on_miss")) return;
    const json& word = map["on_miss"];
    if (word != "hold" && word != "safe")
      find("on_miss", "it must be \"hold\" or \"safe\"",
           "hold leaves the actuators as they are, safe enters the safe state of the session");
    result.safe_on_miss = word == "safe";
  }

  const std::string path_;
  const UnitDescription& unit_;
  const server::Session& session_;
  std::vector<std::string>& findings_;
  std::vector<std::set<std::string>> keys_;  // of the objects around the place of the parser
};

}  // namespace

UnitMap readUnitMap(const std::string& path, const UnitDescription& unit, const server::Session& session,
                    std::vector<std::string>& findings) {
  return MapReader(path, unit, session, findings).read();
}

}  // namespace tactus::fmi
