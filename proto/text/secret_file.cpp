#include "proto/text/secret_file.h"

#include "proto/text/descriptor.h"
#include "proto/text/small_file.h"

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace tactus::text {

namespace {

std::runtime_error failed(const std::string& path, const std::string& what) {
  return std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

}  // namespace

std::string readSecretFile(const std::string& path) {
  return readSmallFile(path, FileReaders::kOwner);
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
  if (writeAll(file.get(), content)) return;
  const std::runtime_error error = failed(path, "cannot be written");
  ::unlink(path.c_str());  // a part of a secret is of no use
  throw error;
}

}  // namespace tactus::text
