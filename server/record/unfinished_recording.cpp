#include "server/record/unfinished_recording.h"

#include "server/record/mcap_format.h"

#include <cerrno>
#include <cstddef>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

/// The magic bytes of MCAP stand at both ends of a recording that was ended.
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
  const bool unfinished = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && hasMagicAt(0) &&
                          (status.st_size < 2 * size || !hasMagicAt(status.st_size - size));
  ::close(file);
  return unfinished;
}

}  // namespace

std::string keepUnfinished(const std::string& path) {
  if (!isUnfinished(path)) return {};
  for (int number = 1;; ++number) {
    std::string kept = path + '.' + std::to_string(number);
    // A link fails where the name is taken; a rename would replace the file.
    if (::link(path.c_str(), kept.c_str()) == 0) return ::unlink(path.c_str()) == 0 ? kept : std::string();
    if (errno != EEXIST) return {};
  }
}

}  // namespace tactus::server
