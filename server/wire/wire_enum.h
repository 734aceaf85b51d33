// WireEnum: an enumeration of the server and its counterpart on the wire, matched by their words.
#pragma once

#include "rt/word.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/generated_enum_reflection.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace tactus::server {

/// "CLOCK_MODE_" of ClockMode.
inline std::string prefixOf(const google::protobuf::EnumDescriptor& type) {
  std::string prefix;
  for (const char letter : type.name()) {
    if (std::isupper(static_cast<unsigned char>(letter)) && !prefix.empty()) prefix += '_';
    prefix += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  }
  return prefix + '_';
}

/// "real-time" of CLOCK_MODE_REAL_TIME.
inline std::string wordOf(const google::protobuf::EnumValueDescriptor& value) {
  std::string word = value.name().substr(prefixOf(*value.type()).size());
  std::replace(word.begin(), word.end(), '_', '-');
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return word;
}

/// The word "catch-up" and OVERRUN_POLICY_CATCH_UP belong together. The zero of each wire enumeration, ..._UNSPECIFIED,
/// has no word.
template <class Proto, class Value>
class WireEnum {
 public:
  /// @throws std::logic_error if the two do not have the same words; make it a static constant and have a test use it
  explicit WireEnum(std::span<const rt::Word<Value>> words) {
    const google::protobuf::EnumDescriptor& type = *google::protobuf::GetEnumDescriptor<Proto>();
    for (int i = 0; i < type.value_count(); ++i) {
      if (type.value(i)->number() == 0) continue;
      const std::string text = wordOf(*type.value(i));
      const auto value = rt::fromWord(words, text);
      if (!value) throw std::logic_error("the server has no word \"" + text + "\" for " + type.name());
      pairs_.push_back({static_cast<Proto>(type.value(i)->number()), *value});
    }
    if (pairs_.size() != words.size()) throw std::logic_error(type.name() + " lacks a word of the server");
  }

  Proto toProto(Value value) const noexcept {
    const auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& p) { return p.value == value; });
    return pair == pairs_.end() ? Proto() : pair->proto;
  }

  /// None for the zero and for numbers that this version does not know.
  std::optional<Value> fromProto(int number) const noexcept {
    const auto pair = std::find_if(pairs_.begin(), pairs_.end(), [&](const auto& p) { return p.proto == number; });
    return pair == pairs_.end() ? std::optional<Value>() : pair->value;
  }

 private:
  struct Pair {
    Proto proto;
    Value value;
  };
  std::vector<Pair> pairs_;
};

}  // namespace tactus::server
