// Numbers in the text of findings and reports.
#pragma once

#include <fmt/format.h>

#include <string>

namespace tactus::server {

/// A number with three significant digits.
inline std::string shown(double value) {
  return fmt::format("{:.3g}", value);
}

}  // namespace tactus::server
