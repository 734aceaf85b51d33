#include "proto/text/replaced_file.h"

#include "proto/text/descriptor.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::text {

namespace {

/// After a call of the system that failed.
std::runtime_error notWritten(const std::string& path) {
  return std::runtime_error(path + ": cannot be written: " + std::strerror(errno));
}

/// The file behind links, which need not exist.
std::string behindLinks(const std::string& path) {
  constexpr int kLinks = 40;  // as many as Linux follows
  std::filesystem::path file = path;
  std::error_code none;
  for (int n = 0; n < kLinks && std::filesystem::is_symlink(file, none); ++n)
    file = file.parent_path() / std::filesystem::read_symlink(file, none);
  return file.string();
}

/// Whether a draft failed because of its place or its owner and not because of the disk: in a folder that is read-only,
/// for a file of somebody else, or for one that is mounted by itself.
bool isRefused(int error) {
  return error == EACCES || error == EPERM || error == EROFS || error == EBUSY;
}

/// Gives the draft owner, group and mode of the former file. @returns false, with errno, if it may not have them
bool resemble(int draft, const struct stat& former) {
  if (::fchown(draft, former.st_uid, former.st_gid) == 0) return ::fchmod(draft, former.st_mode & 07777) == 0;
  errno = EPERM;  // or EINVAL, for an owner who is unknown in this name space
  return false;
}

void writeInPlace(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY));
  // Devices and FIFOs have nothing to synchronize, and answer EINVAL.
  if (file.get() < 0 || !writeAll(file.get(), content) || (::fsync(file.get()) != 0 && errno != EINVAL))
    throw notWritten(path);
}

}  // namespace

void replaceFile(const std::string& path, std::string_view content) {
  struct stat former {};
  const bool exists = ::stat(path.c_str(), &former) == 0;
  if (exists && !S_ISREG(former.st_mode)) return writeInPlace(path, content);
  if (exists && ::access(path.c_str(), W_OK) != 0) throw notWritten(path);  // who may not write may not replace
  std::string draft = behindLinks(path) + ".XXXXXX";                        // for mkostemp()
  const Descriptor file(::mkostemp(draft.data(), O_CLOEXEC));
  if (file.get() >= 0 && (!exists || resemble(file.get(), former)) && writeAll(file.get(), content) &&
      ::fsync(file.get()) == 0 && std::rename(draft.c_str(), behindLinks(path).c_str()) == 0)
    return;
  const int error = errno;
  if (file.get() >= 0) ::unlink(draft.c_str());
  if (exists && isRefused(error)) return writeInPlace(path, content);
  errno = error;
  throw notWritten(path);
}

void requireReplaceable(const std::string& path) {
  struct stat former {};
  if (::stat(path.c_str(), &former) == 0) {
    if (!S_ISDIR(former.st_mode) && ::access(path.c_str(), W_OK) == 0) return;
    if (S_ISDIR(former.st_mode)) errno = EISDIR;
    throw notWritten(path);
  }
  std::string draft = behindLinks(path) + ".XXXXXX";
  const Descriptor file(::mkostemp(draft.data(), O_CLOEXEC));
  if (file.get() < 0) throw notWritten(path);
  ::unlink(draft.c_str());
}

void requireKind(const std::string& path, const std::string& kind, const std::function<bool(std::istream&)>& is_of) {
  struct stat former {};
  if (::stat(path.c_str(), &former) != 0 || !S_ISREG(former.st_mode) || former.st_size == 0) return;
  std::ifstream file(path, std::ios::binary);
  if (!file || !is_of(file))
    throw std::runtime_error(path + ": this file is no " + kind +
                             " and would be replaced; choose another name, or delete it");
}

}  // namespace tactus::text
