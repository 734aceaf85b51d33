#include "proto/text/small_file.h"

#include "proto/text/descriptor.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::text {

namespace {

std::runtime_error unreadable(const std::string& path, const std::string& why) {
  return std::runtime_error(path + ": cannot be read: " + why);
}

}  // namespace

std::string readSmallFile(const std::string& path, FileReaders readers, std::size_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) throw unreadable(path, std::strerror(errno));
  struct stat what {};
  if (::fstat(file.get(), &what) != 0) throw unreadable(path, std::strerror(errno));
  if (S_ISDIR(what.st_mode)) throw unreadable(path, "it is a folder; give the path of a file in it");
  if (!S_ISREG(what.st_mode)) throw unreadable(path, "it is not a regular file; copy its content into a regular file");
  if (readers == FileReaders::kOwner && (what.st_mode & 077) != 0)
    throw std::runtime_error(path + ": its group or others have access to this secret; run: chmod 600 " + path);

  // Files of /proc report no size, so the bytes that are read count. One byte beyond the limit shows that a file is too
  // large.
  std::string content;
  std::size_t size = 0;
  while (size <= limit) {
    if (size == content.size()) content.resize(size < 4096 ? 4096 : 2 * size);
    const std::size_t room = (content.size() < limit + 1 ? content.size() : limit + 1) - size;
    const ssize_t count = ::read(file.get(), content.data() + size, room);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw unreadable(path, std::strerror(errno));
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > limit) throw unreadable(path, "it has more than " + std::to_string(limit) + " bytes");
  content.resize(size);
  return content;
}

}  // namespace tactus::text
