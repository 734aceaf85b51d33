#include "server/record/unfinished_recording.h"

#include "rt/error.h"
#include "server/record/mcap_format.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

/// The magic bytes of MCAP stand at both ends of a recording that was ended.
/// @throws Error if a process records to the file, or if it is no recording
bool isUnfinished(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return false;
  struct stat status {};
  const auto hasMagicAt = [&](off_t offset) {
    std::string bytes(kMcapMagic.size(), '\0');
    return ::pread(file, bytes.data(), bytes.size(), offset) == static_cast<ssize_t>(bytes.size()) &&
           bytes == kMcapMagic;
  };
  const auto size = static_cast<off_t>(kMcapMagic.size());
  const bool has_content = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
  const bool is_recording = has_content && hasMagicAt(0);
  const bool unfinished = is_recording && (status.st_size < 2 * size || !hasMagicAt(status.st_size - size));
  const bool is_written = unfinished && ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  if (is_written) throw Error("recording " + path + ": another process records to this file; choose another name");
  if (has_content && !is_recording)
    throw Error("recording " + path +
                ": this file is no recording and would be replaced; choose another name, or delete it");
  return unfinished;
}

/// Renames a file to a name that is free. @returns 0, or the error: EEXIST if the name is taken
int renameToFree(const std::string& from, const std::string& to) {
  if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // A file system without such a rename: an own empty file takes the name first.
  const int taken = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (taken < 0) return errno;
  ::close(taken);
  return ::rename(from.c_str(), to.c_str()) == 0 ? 0 : errno;
}

}  // namespace

std::string keepUnfinished(const std::string& path) {
  if (!isUnfinished(path)) return {};
  // The recording itself, where the path is a link to it.
  std::error_code failed;
  const std::string file = std::filesystem::canonical(path, failed).string();
  for (int number = 1; !failed; ++number) {
    const std::string kept = file + '.' + std::to_string(number);
    const int error = renameToFree(file, kept);
    if (error == 0) return kept;
    if (error != EEXIST) failed = std::error_code(error, std::generic_category());
  }
  throw Error("recording " + path +
              ": a process did not end the recording of this name, and it cannot get another name (" +
              failed.message() + "); move it, or choose another name");
}

}  // namespace tactus::server
