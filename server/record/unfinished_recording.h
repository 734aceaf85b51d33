// A recording whose process did not end it, after a kill or a power failure: it may be the one that tells why.
#pragma once

#include <string>

namespace tactus::server {

/// Gives an unfinished recording another name, so that the next recording of this path does not replace it: PATH.1, or
/// the next number that is free. Other recordings stay. A path that is a link stays one; the file that it names gets
/// the name.
/// @returns the new name; empty if there is no unfinished recording
/// @throws Error if a process records to the file, if it is no recording and not empty, or if it cannot be renamed
std::string keepUnfinished(const std::string& path);

}  // namespace tactus::server
