#include "server/door/authority_files.h"

#include "proto/text/descriptor.h"
#include "proto/text/small_file.h"
#include "rt/error.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr mode_t kPublicMode = 0644;
constexpr std::size_t kMostBytes = std::size_t{16} << 20;  // a list with 300 000 entries

Error fileError(const std::string& path, const char* what) {
  return Error(path + ": " + what + ": " + std::strerror(errno));
}

/// Fills a file that this process has made, and removes it if that fails.
void fill(int descriptor, const std::string& path, const std::string& content) {
  bool done = ::fchmod(descriptor, kPublicMode) == 0 && text::writeAll(descriptor, content) && ::fsync(descriptor) == 0;
  const int error = errno;
  done = ::close(descriptor) == 0 && done;
  if (done) return;
  ::unlink(path.c_str());
  errno = error;
  throw fileError(path, "cannot be written");
}

}  // namespace

std::string readPublicFile(const std::string& path) {
  try {
    return text::readSmallFile(path, text::FileReaders::kAny, kMostBytes);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
}

void writeNewPublicFile(const std::string& path, const std::string& content) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0 && errno == EEXIST) throw Error(path + ": exists already; remove it first, or choose another name");
  if (file < 0) throw fileError(path, "cannot be created");
  fill(file, path, content);
}

void replacePublicFile(const std::string& path, const std::string& content) {
  std::string draft = path + ".XXXXXX";
  const int file = ::mkostemp(draft.data(), O_CLOEXEC);
  if (file < 0) throw fileError(draft, "cannot be created");
  fill(file, draft, content);
  if (std::rename(draft.c_str(), path.c_str()) == 0) return;
  const int error = errno;
  ::unlink(draft.c_str());
  errno = error;
  throw fileError(path, "cannot be replaced");
}

FolderLock::FolderLock(const std::string& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) throw fileError(folder, "cannot be opened");
  while (::flock(descriptor_, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    const int error = errno;
    ::close(descriptor_);
    errno = error;
    throw fileError(folder, "cannot be locked");
  }
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

}  // namespace tactus::server
