// Word: the text of an enumerator. Each enumeration that users see has one table of them, beside its definition.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace tactus::rt {

/// An enumerator and its text, in lower case with "-" between words: "catch-up".
template <class Value>
struct Word {
  Value value;
  const char* text;
};

/// The text of a value; "unknown" if the table lacks it. @rt no allocation
template <class Words, class Value>
constexpr const char* wordOf(const Words& words, Value value) noexcept {
  for (const auto& word : words)
    if (word.value == value) return word.text;
  return "unknown";
}

/// The value of a text; none if the table lacks it.
template <class Words>
constexpr auto fromWord(const Words& words, std::string_view text) noexcept
    -> std::optional<decltype(std::begin(words)->value)> {
  for (const auto& word : words)
    if (word.text == text) return word.value;
  return {};
}

/// All texts, for people: "stop, skip, catch-up or slip".
template <class Words>
std::string wordList(const Words& words) {
  std::string list;
  std::size_t left = std::size(words);
  for (const auto& word : words) {
    if (!list.empty()) list += left == 1 ? " or " : ", ";
    list += word.text;
    --left;
  }
  return list;
}

}  // namespace tactus::rt
