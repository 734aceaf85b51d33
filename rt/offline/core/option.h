// Options of a method, given as KEY=VALUE.
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
  double minimum = 0, maximum = 0;   ///< range of numbers and integers
  std::vector<std::string> choices;  ///< values of kChoice
  std::string summary;
};

Option number(const std::string& name, const std::string& value, double minimum, double maximum,
              const std::string& summary);
Option number(const std::string& name, double value, double minimum, double maximum, const std::string& summary);
Option integer(const std::string& name, int value, int minimum, int maximum, const std::string& summary);
Option boolean(const std::string& name, bool value, const std::string& summary);
Option choice(const std::string& name, const std::string& value, std::vector<std::string> choices,
              const std::string& summary);

/// The first options, then more.
std::vector<Option> join(std::vector<Option> first, const std::vector<Option>& more);

/// The accepted values as text: "0 ... 1", "true or false", or the choices.
std::string rangeOf(const Option& option);

/// The values of all options of a method: the defaults, then the given settings.
class OptionValues {
 public:
  /// @param[in] method  name of the method, for messages
  /// @throws Error if a text is not KEY=VALUE, if a key is unknown (names the nearest), or if a value is out of range
  OptionValues(const std::string& method, const std::vector<Option>& options, const std::vector<std::string>& settings);

  double number(const std::string& name) const;
  int integer(const std::string& name) const;
  bool boolean(const std::string& name) const;
  const std::string& choice(const std::string& name) const;
  bool given(const std::string& name) const;  ///< whether a setting gave the value

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
