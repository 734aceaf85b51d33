// FileSink: where the bytes of a recording go. Tests put full and slow disks in its place.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace tactus::server {

/// Each call returns 0 or an errno, and may take as long as the disk takes.
class FileSink {
 public:
  virtual ~FileSink() = default;

  /// Appends all of it, or fails; then any part of it may have been written.
  virtual int append(std::string_view bytes) noexcept = 0;

  /// Cuts the file to its first `bytes`.
  virtual int truncate(std::uint64_t bytes) noexcept = 0;

  /// Returns when the disk has what was appended.
  virtual int sync() noexcept = 0;
};

/// A file that a user names on the command line; one that is there is replaced.
/// @throws Error if it cannot be created
std::unique_ptr<FileSink> createFile(const std::string& path);

/// A new file in a folder that the server chose; the folder is made if it is not there. Neither follows links in `name`
/// nor replaces a file.
/// @throws Error if it is there already or cannot be created
std::unique_ptr<FileSink> createFileIn(const std::string& folder, const std::string& name);

}  // namespace tactus::server
