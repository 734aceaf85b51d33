// A recording whose process did not end it, after a kill or a power failure: it may be the one that tells why.
#pragma once

#include <string>

namespace tactus::server {

/// Gives an unfinished recording another name, so that the next recording of this path does not replace it: PATH.1, or
/// the next number that is free. Other files stay.
/// @returns the new name; empty if there is no unfinished recording, or its folder cannot be written
std::string keepUnfinished(const std::string& path);

}  // namespace tactus::server
