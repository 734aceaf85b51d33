#include "server/service/unix_socket.h"

#include "rt/error.h"

#include <fcntl.h>
#include <grp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace tactus::server {

namespace {

constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

bool isServed(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  const bool served = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return served;
}

// In the folder of the path: a file is moved at once within one only.
std::string neighborOf(const std::string& path) {
  static std::atomic<int> count{0};
  return path.substr(0, path.rfind('/') + 1) + '.' + std::to_string(::getpid()) + '.' + std::to_string(count++);
}

Error cannotListen(const std::string& path, const std::string& why) {
  return Error("cannot listen on unix:" + path + ": " + why);
}

/// gRPC would only say that it cannot bind.
void requireFolder(const std::string& path) {
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  if (folder.empty()) return;  // the folder in which the server runs
  struct stat file {};
  if (::stat(folder.c_str(), &file) != 0)
    throw cannotListen(path, errno == ENOENT
                                 ? "the folder " + folder + " does not exist; make it, or choose another path"
                                 : folder + ": " + std::strerror(errno));
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    throw cannotListen(path, "the folder " + folder + " cannot be written (" + std::strerror(errno) +
                                 "); allow the user of the server to write there, or choose another path");
}

}  // namespace

UnixSocket::UnixSocket(const Endpoint& endpoint) : endpoint_(endpoint), bound_(neighborOf(endpoint.unix_path)) {
  if (bound_.size() > kLongestPath)
    throw cannotListen(endpoint_.unix_path, "the folder of a socket must leave room for the name " +
                                                bound_.substr(bound_.rfind('/') + 1) + ": a path has at most " +
                                                std::to_string(kLongestPath) + " bytes");
  requireFolder(endpoint_.unix_path);
  requireFree();
}

void UnixSocket::requireFree() const {
  struct stat file {};
  if (::lstat(endpoint_.unix_path.c_str(), &file) != 0) return;
  if (!S_ISSOCK(file.st_mode)) throw cannotListen(endpoint_.unix_path, "there is a file that is not a socket");
  if (isServed(endpoint_.unix_path)) throw cannotListen(endpoint_.unix_path, "another server listens there");
}

void UnixSocket::open() const {
  if (!endpoint_.unix_group.empty()) {
    const group* const found = ::getgrnam(endpoint_.unix_group.c_str());
    if (found == nullptr) throw Error("--unix-group " + endpoint_.unix_group + ": there is no such group");
    if (::chown(bound_.c_str(), static_cast<uid_t>(-1), found->gr_gid) != 0)
      throw Error("--unix-group " + endpoint_.unix_group + ": " + std::strerror(errno) +
                  "; the user of the server must be a member of the group");
  }
  if (::chmod(bound_.c_str(), endpoint_.unix_mode) != 0)
    throw Error("--unix-mode: " + std::string(std::strerror(errno)));
}

void UnixSocket::publish() {
  open();
  struct stat file {};
  if (::lstat(bound_.c_str(), &file) != 0) throw cannotListen(endpoint_.unix_path, std::strerror(errno));
  // What a server has left that did not end in order.
  requireFree();
  ::unlink(endpoint_.unix_path.c_str());
  if (::renameat2(AT_FDCWD, bound_.c_str(), AT_FDCWD, endpoint_.unix_path.c_str(), RENAME_NOREPLACE) != 0)
    throw cannotListen(endpoint_.unix_path, errno == EEXIST ? "another server listens there" : std::strerror(errno));
  device_ = file.st_dev;
  inode_ = file.st_ino;
  published_ = true;
}

UnixSocket::~UnixSocket() {
  struct stat file {};
  if (published_ && ::lstat(endpoint_.unix_path.c_str(), &file) == 0 && file.st_dev == device_ && file.st_ino == inode_)
    ::unlink(endpoint_.unix_path.c_str());
}

}  // namespace tactus::server
