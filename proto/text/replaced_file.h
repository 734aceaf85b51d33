// A file that gets all of its new content, or keeps what it held.
#pragma once

#include <functional>
#include <iosfwd>
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

/// Keeps a file of another kind from being replaced by mistake. A file that does not exist or has no content may be
/// replaced, and what is no regular file may be written.
/// @param kind   for the error: "snapshot"
/// @param is_of  whether the content of a file is of this kind
/// @throws std::runtime_error that says what to do
void requireKind(const std::string& path, const std::string& kind, const std::function<bool(std::istream&)>& is_of);

}  // namespace tactus::text
