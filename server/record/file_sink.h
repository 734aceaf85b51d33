// FileSink: the file of a recording, behind an interface that tests implement as full and slow disks.
#pragma once

#include "rt/error.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tactus::server {

/// Each call returns 0 or an errno, and may block for as long as the disk does.
class FileSink {
 public:
  virtual ~FileSink() = default;

  /// Appends all bytes or fails; after a failure any part of them may be in the file.
  virtual int append(std::string_view bytes) noexcept = 0;

  /// Truncates the file to its first `bytes`.
  virtual int truncate(std::uint64_t bytes) noexcept = 0;

  /// Returns when the disk holds everything that was appended.
  virtual int sync() noexcept = 0;

  /// Bytes that the disk can still take; none if that is not known. It may block, too.
  virtual std::optional<std::uint64_t> room() noexcept { return {}; }
};

/// There is a file of this name already.
class FileExists : public Error {
 public:
  using Error::Error;
};

/// A file that is named on the command line. An existing file is replaced.
/// @throws Error if it cannot be created
std::unique_ptr<FileSink> createFile(const std::string& path);

/// A new file in the recordings folder of the server, which is created if necessary. Links in `name` are not followed,
/// and an existing file is never replaced.
/// @throws FileExists, and Error if it cannot be created
std::unique_ptr<FileSink> createFileIn(const std::string& folder, const std::string& name);

}  // namespace tactus::server
