#include "server/model_io/tuned_model.h"

#include "rt/model/check_model.h"
#include "rt/model/finding_list.h"
#include "rt/model/model.h"
#include "server/model_io/model_file.h"
#include "server/model_io/parameter_target.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace tactus::server {
namespace {

using Kind = ParameterError::Kind;

const v1::Parameter& declared(const v1::Model& message, const ParameterValues& values, std::size_t i) {
  const std::string& name = values[i].name;
  const auto same = [&](const auto& other) { return other.name() == name; };
  const auto found = std::find_if(message.parameters().begin(), message.parameters().end(), same);
  if (found != message.parameters().end()) return *found;

  std::vector<std::string> known;
  for (const v1::Parameter& parameter : message.parameters()) known.push_back(parameter.name());
  const std::string near = rt::nearestName(name, known);
  throw ParameterError(Kind::kUnknown, i, "the model has no parameter \"" + name + '"',
                       !near.empty()   ? "did you mean \"" + near + "\"?"
                       : known.empty() ? "it declares none"
                                       : "it has " + known.front() + (known.size() > 1 ? " and others" : ""));
}

void requireRange(const v1::Parameter& parameter, double value, std::size_t i) {
  if (!std::isfinite(value)) throw ParameterError(Kind::kNotFinite, i, parameter.name() + " must be finite");
  const bool below = parameter.has_minimum() && value < parameter.minimum();
  if (below || (parameter.has_maximum() && value > parameter.maximum()))
    throw ParameterError(Kind::kOutOfRange, i,
                         parameter.name() + " = " + rt::printed(value) + (below ? " is below " : " is above ") +
                             rt::printed(below ? parameter.minimum() : parameter.maximum()));
}

}  // namespace

v1::Model withParameters(const v1::Model& message, const ParameterValues& values) {
  v1::Model tuned = message;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const v1::Parameter& parameter = declared(message, values, i);
    if (std::any_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const ParameterValue& before) { return before.name == values[i].name; }))
      throw ParameterError(Kind::kRepeated, i, "\"" + values[i].name + "\" is there twice");
    requireRange(parameter, values[i].value, i);
    for (const std::string& target : parameter.targets()) writeTarget(tuned, target, values[i].value);
  }
  return tuned;
}

TunedModel tuneModel(const v1::Model& message, const rt::Model& model, const ParameterValues& values) {
  TunedModel tuned{withParameters(message, values), nullptr};
  const ModelDocument document = readModelMessage(tuned.message);
  for (const LocatedFinding& located : document.findings)
    if (located.finding.severity == rt::Severity::kError)
      throw ParameterError(Kind::kRefused, 0, "no valid model comes of it: " + toString(located, "model"));
  tuned.model = std::make_shared<const rt::Model>(rt::buildModel(document.spec));
  if (!rt::sameStructure(model, *tuned.model))
    throw ParameterError(Kind::kRefused, 0, "rows or signals of the model would not stay what they are");
  return tuned;
}

ModelDocument withParameters(const ModelDocument& document, const std::vector<std::string>& settings) {
  if (settings.empty()) return document;
  ParameterValues values;
  for (const std::string& setting : settings) values.push_back(parseParameter(setting));
  try {
    return readModelMessage(withParameters(document.message, values));
  } catch (const ParameterError& error) {
    throw Error(error.what() + (error.hint().empty() ? "" : " (" + error.hint() + ")"));
  }
}

void requireKnown(const std::vector<std::string>& settings, const std::string& owner,
                  const std::vector<std::string>& options, const std::string& method,
                  const std::vector<rt::ParameterSpec>& parameters) {
  if (parameters.empty()) return;
  std::vector<std::string> names = options;
  std::string known = "the model has the parameters";
  for (const rt::ParameterSpec& parameter : parameters) {
    known += (names.size() == options.size() ? " " : ", ") + parameter.name;
    names.push_back(parameter.name);
  }
  for (const std::string& setting : settings) {
    const std::string key = setting.substr(0, setting.find('='));
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string nearest = rt::nearestName(key, names);
    throw Error(owner + " has no option '" + key + "', and the model no such parameter; " +
                (nearest.empty() ? known + "; tactus integrators " + method + " lists the options"
                                 : "did you mean '" + nearest + "'?"));
  }
}

ParameterValues parametersOf(const rt::Model& model) {
  ParameterValues values;
  for (const rt::Parameter& parameter : model.parameters) values.push_back({parameter.name, parameter.value});
  return values;
}

ParameterValues readParameters(const google::protobuf::RepeatedPtrField<v1::ParameterValue>& list) {
  ParameterValues values;
  for (const v1::ParameterValue& value : list) values.push_back({value.name(), value.value()});
  return values;
}

void writeParameters(const ParameterValues& values, google::protobuf::RepeatedPtrField<v1::ParameterValue>& list) {
  list.Clear();
  for (const ParameterValue& value : values) {
    v1::ParameterValue& element = *list.Add();
    element.set_name(value.name);
    element.set_value(value.value);
  }
}

ParameterValue parseParameter(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == std::string::npos)
    throw Error("\"" + text + "\" must be NAME=VALUE, for example damping=2.5");
  ParameterValue parameter{text.substr(0, equals), 0};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data() + equals + 1, end, parameter.value);
  if (error != std::errc() || rest != end)
    throw Error("\"" + text + "\": \"" + text.substr(equals + 1) + "\" is not a number");
  return parameter;
}

std::string toString(const ParameterValues& values) {
  std::string text;
  for (const ParameterValue& value : values)
    text += (text.empty() ? "" : ", ") + value.name + " = " + rt::printed(value.value);
  return text;
}

}  // namespace tactus::server
