// The files that subcommands write when they have their results.
#pragma once

#include "proto/text/replaced_file.h"
#include "rt/error.h"

#include <functional>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>

namespace tactus::server {

/// As text::replaceFile(): a file that exists is replaced at the end, or stays as it was.
/// @throws Error naming the file and what is wrong
inline void writeOutput(const std::string& path, std::string_view content) {
  try {
    text::replaceFile(path, content);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
}

/// For work that takes long before it writes. Changes no file.
/// @throws Error as above
inline void requireWritableOutput(const std::string& path) {
  try {
    text::requireReplaceable(path);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
}

/// As text::requireKind(): a file of another kind is not replaced.
/// @throws Error that says what to do
inline void requireKindOfOutput(const std::string& path, const std::string& kind,
                                const std::function<bool(std::istream&)>& is_of) {
  try {
    text::requireKind(path, kind, is_of);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
}

}  // namespace tactus::server
