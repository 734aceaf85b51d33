// Words of data files that vehicle departments write: letters, blanks, numbers, and how an error shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tactus::server {

/// ASCII letters alone are changed.
std::string lowerCase(std::string_view word);
std::string upperCase(std::string_view word);

/// Without blanks at its ends.
std::string_view withoutBlanks(std::string_view text);

/// For an error: in quotes, at most 40 characters.
std::string shortWord(std::string_view word);

/// The finite number that the whole word is; a plus sign may stand before it.
std::optional<double> finiteNumber(std::string_view word);
/// The same; Fortran writes exponents with D.
std::optional<double> fortranNumber(std::string_view word);

}  // namespace tactus::server
