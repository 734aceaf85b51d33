#include "rt/offline/core/option.h"

#include "rt/error.h"
#include "rt/flag_words.h"
#include "rt/model/check_model.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>
#include <utility>

namespace tactus::rt::offline {

namespace {

std::string textOf(double value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

/// The number in a text, or NaN.
double parseNumber(const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : std::nan("");
}

bool accepts(const Option& option, const std::string& text) {
  const double value = parseNumber(text);
  switch (option.kind) {
    case OptionKind::kNumber: return value >= option.minimum && value <= option.maximum;
    case OptionKind::kInteger: return value >= option.minimum && value <= option.maximum && value == std::floor(value);
    case OptionKind::kBoolean: return fromWord(kFlagWords, text).has_value();
    case OptionKind::kChoice: return std::count(option.choices.begin(), option.choices.end(), text) > 0;
  }
  return false;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

Option number(const std::string& name, const std::string& value, double minimum, double maximum,
              const std::string& summary) {
  return {name, OptionKind::kNumber, value, minimum, maximum, {}, summary};
}

Option number(const std::string& name, double value, double minimum, double maximum, const std::string& summary) {
  return number(name, textOf(value), minimum, maximum, summary);
}

Option integer(const std::string& name, int value, int minimum, int maximum, const std::string& summary) {
  return {name, OptionKind::kInteger, std::to_string(value), double(minimum), double(maximum), {}, summary};
}

Option boolean(const std::string& name, bool value, const std::string& summary) {
  return {name, OptionKind::kBoolean, value ? "true" : "false", 0, 0, {}, summary};
}

Option choice(const std::string& name, const std::string& value, std::vector<std::string> choices,
              const std::string& summary) {
  return {name, OptionKind::kChoice, value, 0, 0, std::move(choices), summary};
}

std::vector<Option> join(std::vector<Option> first, const std::vector<Option>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

std::string rangeOf(const Option& option) {
  switch (option.kind) {
    case OptionKind::kNumber: return textOf(option.minimum) + " ... " + textOf(option.maximum);
    case OptionKind::kInteger: return "a whole number, " + textOf(option.minimum) + " ... " + textOf(option.maximum);
    case OptionKind::kBoolean: return "true or false";
    case OptionKind::kChoice: return joined(option.choices);
  }
  return {};
}

OptionValues::OptionValues(const std::string& method, const std::vector<Option>& options,
                           const std::vector<std::string>& settings) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    names.push_back(option.name);
    values_[option.name] = {option.value, parseNumber(option.value), false};
  }
  for (const std::string& setting : settings) {
    const auto split = setting.find('=');
    if (split == std::string::npos) throw Error("option '" + setting + "' is not KEY=VALUE");
    const std::string key = setting.substr(0, split), text = setting.substr(split + 1);
    const auto found = std::find(names.begin(), names.end(), key);
    if (found == names.end()) {
      const std::string nearest = nearestName(key, names);
      throw Error("integrator " + method + " has no option '" + key + "'; " +
                  (!nearest.empty() ? "did you mean '" + nearest + "'?"
                   : names.empty()  ? "it has none"
                                    : "it has " + joined(names)));
    }
    const Option& option = options[static_cast<std::size_t>(found - names.begin())];
    if (!accepts(option, text))
      throw Error("integrator " + method + ": option " + key + " = '" + text + "' must be " + rangeOf(option));
    // A flag is kept by its first word.
    const bool is_flag = option.kind == OptionKind::kBoolean;
    values_[key] = {is_flag ? wordOf(kFlagWords, *fromWord(kFlagWords, text)) : text, parseNumber(text), true};
  }
}

const OptionValues::Value& OptionValues::at(const std::string& name) const {
  return values_.at(name);
}

double OptionValues::number(const std::string& name) const {
  return at(name).number;
}

int OptionValues::integer(const std::string& name) const {
  return static_cast<int>(at(name).number);
}

bool OptionValues::boolean(const std::string& name) const {
  return at(name).text == "true";
}

const std::string& OptionValues::choice(const std::string& name) const {
  return at(name).text;
}

bool OptionValues::given(const std::string& name) const {
  return at(name).given;
}

}  // namespace tactus::rt::offline
