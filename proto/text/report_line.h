// The lines of a report for a terminal.
#pragma once

#include <fmt/format.h>

#include <concepts>
#include <string>
#include <string_view>
#include <utility>

namespace tactus::text {

/// "label               text\n": the label in a column of its own.
template <class... Values>
std::string reportLine(std::string_view label, fmt::format_string<Values...> format, Values&&... values) {
  return fmt::format("{:<20}{}\n", label, fmt::format(format, std::forward<Values>(values)...));
}

/// "1 body", "2 bodies".
template <std::integral Count>
std::string counted(Count count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace tactus::text
