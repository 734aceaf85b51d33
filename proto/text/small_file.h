// Files of a few kilobytes that a running program reads: certificates, keys, tokens, settings.
#pragma once

#include <cstddef>
#include <string>

namespace tactus::text {

enum class FileReaders { kAny, kOwner };

inline constexpr std::size_t kSmallFile = 1 << 20;  // bytes; a bundle of all public authorities has a quarter of this

/// The content of a regular file. A folder, a FIFO or a device in its place is refused without blocking.
/// @param readers  kOwner: refused if its group or others can read, write or execute it
/// @throws std::runtime_error naming the file, what is wrong and how to fix it; never with the content
std::string readSmallFile(const std::string& path, FileReaders readers = FileReaders::kAny,
                          std::size_t limit = kSmallFile);

}  // namespace tactus::text
