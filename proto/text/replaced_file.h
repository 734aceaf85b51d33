// A file that gets all of its new content, or keeps what it held.
#pragma once

#include <string>
#include <string_view>

namespace tactus::text {

/// Puts content in the place of that of a file, which need not exist, or leaves the file as it was: a draft beside it
/// takes its place when all is written. Links stay and lead to the new content. A file keeps its owner and its mode; a
/// new one has mode 0600. Written in place, and cut off by a disk that is full: a device, a FIFO, and a file that no
/// draft may replace because its folder is read-only, it belongs to somebody else, or it is mounted by itself.
/// @throws std::runtime_error naming the file and what is wrong
void replaceFile(const std::string& path, std::string_view content);

/// For work that takes long before it writes: whether replaceFile() may write. Changes nothing.
/// @throws std::runtime_error as above
void requireReplaceable(const std::string& path);

}  // namespace tactus::text
