#include "server/record/file_sink.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace tactus::server {

namespace {

class PosixFile final : public FileSink {
 public:
  /// @param replaces  what is in the file goes with the first bytes that are written
  PosixFile(int descriptor, bool replaces) : descriptor_(descriptor), replaces_(replaces) {}
  ~PosixFile() override { ::close(descriptor_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  int append(std::string_view bytes) noexcept override {
    // Pipes and devices cannot be emptied and need not be.
    if (replaces_ && ::ftruncate(descriptor_, 0) != 0 && errno != EINVAL) return errno;
    replaces_ = false;
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
  }

  int truncate(std::uint64_t bytes) noexcept override {
    if (replaces_) return 0;  // nothing of this recording is in the file
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) return errno;
    return ::lseek(descriptor_, static_cast<off_t>(bytes), SEEK_SET) < 0 ? errno : 0;
  }

  int sync() noexcept override {
    // Pipes and devices cannot be synced and need no sync.
    if (::fdatasync(descriptor_) == 0 || errno == EINVAL || errno == EROFS) return 0;
    return errno;
  }

  std::optional<std::uint64_t> room() noexcept override {
    // Pipes and devices are on no disk.
    struct stat file {};
    if (::fstat(descriptor_, &file) != 0 || !S_ISREG(file.st_mode)) return {};
    struct statvfs disk {};
    if (::fstatvfs(descriptor_, &disk) != 0 || disk.f_blocks == 0) return {};
    return std::uint64_t{disk.f_bavail} * disk.f_frsize;
  }

 private:
  const int descriptor_;
  bool replaces_;
};

/// A recording holds its model: only the user of the server reads it.
constexpr mode_t kFileMode = 0600, kFolderMode = 0700;

std::unique_ptr<FileSink> opened(int descriptor, const std::string& path, bool replaces) {
  if (descriptor < 0 && errno == EEXIST) throw FileExists(path + ": exists already");
  if (descriptor < 0) throw Error(path + ": cannot be created: " + std::strerror(errno));
  // Tells keepUnfinished() of other processes that this one writes. Pipes and some file systems have no locks.
  (void)::flock(descriptor, LOCK_EX | LOCK_NB);
  return std::make_unique<PosixFile>(descriptor, replaces);
}

}  // namespace

std::unique_ptr<FileSink> createFile(const std::string& path) {
  return opened(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, kFileMode), path, true);
}

std::unique_ptr<FileSink> createFileIn(const std::string& folder, const std::string& name) {
  if (::mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST)
    throw Error("the folder " + folder + " cannot be created: " + std::strerror(errno));
  const int directory = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) throw Error("the folder " + folder + " cannot be opened: " + std::strerror(errno));
  const int file = ::openat(directory, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kFileMode);
  const int error = errno;
  ::close(directory);
  errno = error;
  return opened(file, folder + "/" + name, false);
}

}  // namespace tactus::server
