#include "proto/text/enum_word.h"

#include <algorithm>
#include <cctype>

namespace tactus::text {
namespace {

bool isUpper(char c) noexcept {
  return std::isupper(static_cast<unsigned char>(c)) != 0;
}

/// "INPUT_MODE_" for "InputMode".
std::string prefixOf(const std::string& type) {
  std::string prefix;
  for (const char c : type) {
    if (isUpper(c) && !prefix.empty()) prefix += '_';
    prefix += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return prefix + '_';
}

}  // namespace

std::string enumWord(const google::protobuf::EnumDescriptor& type, int value) {
  const google::protobuf::EnumValueDescriptor* found = type.FindValueByNumber(value);
  if (!found) return std::to_string(value);
  std::string word = found->name();
  if (const std::string prefix = prefixOf(type.name()); word.starts_with(prefix)) word.erase(0, prefix.size());
  std::transform(word.begin(), word.end(), word.begin(), [](char c) {
    return c == '_' ? ' ' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return word;
}

}  // namespace tactus::text
