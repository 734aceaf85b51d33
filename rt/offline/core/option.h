// Options of a method, set by KEY=VALUE.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace tactus::rt::offline {

enum class OptionKind { kNumber, kInteger, kBoolean, kChoice };

struct Option {
  std::string name;
  OptionKind kind;
  std::string value;                 ///< default, as text
  double minimum = 0, maximum = 0;   ///< of numbers and integers
  std::vector<std::string> choices;  ///< of kChoice
  std::string summary;
};

Option number(const std::string& name, const std::string& value, double minimum, double maximum,
              const std::string& summary);
Option integer(const std::string& name, int value, int minimum, int maximum, const std::string& summary);
Option boolean(const std::string& name, bool value, const std::string& summary);
Option choice(const std::string& name, const std::string& value, std::vector<std::string> choices,
              const std::string& summary);

/// The first options, then more.
std::vector<Option> join(std::vector<Option> first, const std::vector<Option>& more);

/// "0 ... 1", "true or false", or the choices: what an option accepts.
std::string rangeOf(const Option& option);

/// The values of all options of a method: defaults, then settings.
class OptionValues {
 public:
  /// @param[in] method  its name, for messages
  /// @throws Error on text that is not KEY=VALUE, an unknown key (with the nearest one), a value out of its range
  OptionValues(const std::string& method, const std::vector<Option>& options, const std::vector<std::string>& settings);

  double number(const std::string& name) const;
  int integer(const std::string& name) const;
  bool boolean(const std::string& name) const;
  const std::string& choice(const std::string& name) const;
  bool given(const std::string& name) const;  ///< whether a setting named it

 private:
  struct Value {
    std::string text;
    double number = 0;
    bool given = false;
  };
  const Value& at(const std::string& name) const;

  std::map<std::string, Value> values_;
};

}  // namespace tactus::rt::offline
