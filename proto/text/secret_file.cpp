#include "proto/text/secret_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::text {

namespace {

constexpr std::size_t kMaxSize = 1 << 20;  // bytes; a file of keys or tokens has a few thousand

/// Closes at the end of the block.
class Descriptor {
 public:
  explicit Descriptor(int descriptor) noexcept : descriptor_(descriptor) {}
  ~Descriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const noexcept { return descriptor_; }

 private:
  const int descriptor_;
};

std::runtime_error failed(const std::string& path, const std::string& what) {
  return std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

}  // namespace

std::string readSecretFile(const std::string& path) {
  // A FIFO in its place is refused and does not block.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) throw failed(path, "cannot be opened");
  struct stat what {};
  if (::fstat(file.get(), &what) != 0) throw failed(path, "cannot be examined");
  if (!S_ISREG(what.st_mode)) throw std::runtime_error(path + ": is not a regular file");
  if ((what.st_mode & 077) != 0)
    throw std::runtime_error(path + ": its group or others have access to this secret; run: chmod 600 " + path);

  std::string content(kMaxSize + 1, '\0');
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t count = ::read(file.get(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failed(path, "cannot be read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (size > kMaxSize) throw std::runtime_error(path + ": has more than " + std::to_string(kMaxSize) + " bytes");
  content.resize(size);
  return content;
}

std::string readSecretLine(const std::string& path) {
  const std::string content = readSecretFile(path);
  const std::size_t first = content.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) throw std::runtime_error(path + ": is empty");
  const std::size_t end = content.find_first_of(" \t\r\n", first);
  return content.substr(first, end == std::string::npos ? end : end - first);
}

void writeNewSecretFile(const std::string& path, const std::string& content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (file.get() < 0 && errno == EEXIST)
    throw std::runtime_error(path + ": exists already; remove it first, or choose another name");
  if (file.get() < 0) throw failed(path, "cannot be created");
  std::size_t size = 0;
  while (size < content.size()) {
    const ssize_t count = ::write(file.get(), content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const std::runtime_error error = failed(path, "cannot be written");
      ::unlink(path.c_str());  // a part of a secret is of no use
      throw error;
    }
    size += static_cast<std::size_t>(count);
  }
}

}  // namespace tactus::text
