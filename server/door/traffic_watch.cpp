#include "server/door/traffic_watch.h"

#include "server/door/frame_budget.h"

#include <dlfcn.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>
#include <string_view>

#if defined(__SANITIZE_THREAD__)
extern "C" {
void AnnotateIgnoreReadsBegin(const char*, int);
void AnnotateIgnoreReadsEnd(const char*, int);
void AnnotateIgnoreWritesBegin(const char*, int);
void AnnotateIgnoreWritesEnd(const char*, int);
}
#endif

namespace tactus::server {

namespace {

/// Makes the thread sanitizer ignore what this thread reads and writes. The sanitizer cannot see how gRPC orders the
/// use of its buffers, and ignores the buffers that gRPC reads and writes itself, but not those that pass functions
/// below.
class Unseen {
 public:
#if defined(__SANITIZE_THREAD__)
  Unseen() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~Unseen() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  Unseen() {}
  ~Unseen() {}
#endif
  Unseen(const Unseen&) = delete;
  Unseen& operator=(const Unseen&) = delete;
};

/// gRPC uses a connection of OpenSSL in one thread at a time. The thread sanitizer does not see that order: each user
/// of `shared` takes it over from the one before, and hands it over to the next one.
#if defined(__SANITIZE_THREAD__)
void takeOver(void* shared) noexcept {
  __tsan_acquire(shared);
}
void handOver(void* shared) noexcept {
  __tsan_release(shared);
}
#else
void takeOver(void*) noexcept {}
void handOver(void*) noexcept {}
#endif

std::atomic<std::uint64_t> accepted{0}, closed{0};
Reserve reserve;

/// One line a second, whatever the number of connections.
void report(const char* why) {
  const std::uint64_t count = closed.fetch_add(1) + 1;
  static std::atomic<std::int64_t> next{0};
  const std::int64_t now = Bucket::Clock::now().time_since_epoch() / std::chrono::seconds(1);
  std::int64_t due = next.load();
  if (now >= due && next.compare_exchange_strong(due, now + 1))
    spdlog::warn("closed a connection: {} ({} so far); docker/haproxy.cfg keeps such clients away", why, count);
}

// ---- plaintext: one place for each descriptor ----

constexpr std::size_t kDescriptors = 65'536;

/// Reads and writes of a connection may run at the same time.
struct Connection {
  std::mutex mutex;
  FrameBudget budget{reserve, Bucket::Clock::now()};
  std::uint64_t cookie = 0;  ///< the number of the socket, which is never used again
  std::atomic<bool> watched{false};
};

std::array<std::atomic<Connection*>, kDescriptors> connections{};  // those of closed descriptors are used again

std::uint64_t cookieOf(int fd) noexcept {
  std::uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  return ::getsockopt(fd, SOL_SOCKET, SO_COOKIE, &cookie, &size) == 0 ? cookie : 0;
}

/// Descriptors are given in order: a high one means that few are left. Some are kept for files and datagrams.
std::size_t mostDescriptors() noexcept {
  constexpr std::size_t kKept = 64;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur <= 2 * kKept) return kDescriptors;
  return std::min<std::size_t>(kDescriptors, limit.rlim_cur - kKept);
}

/// @returns false if there is no place for it
bool watch(int fd) noexcept {
  static const std::size_t most = mostDescriptors();
  const auto index = static_cast<std::size_t>(fd);
  if (index >= most) return false;
  Connection* connection = connections[index].load();
  if (connection == nullptr) {
    connection = new (std::nothrow) Connection;
    if (connection == nullptr) return false;
    connections[index] = connection;
  }
  const std::lock_guard lock(connection->mutex);
  connection->budget.restart(Bucket::Clock::now());
  connection->cookie = cookieOf(fd);
  connection->watched = true;
  ++accepted;
  return true;
}

Connection* watchedAt(int fd) noexcept {
  const auto index = static_cast<std::size_t>(fd);
  if (fd < 0 || index >= kDescriptors) return nullptr;
  Connection* const connection = connections[index].load(std::memory_order_acquire);
  return connection != nullptr && connection->watched ? connection : nullptr;
}

/// The client has closed.
void leave(int fd) noexcept {
  Connection* const connection = watchedAt(fd);
  if (connection == nullptr) return;
  const std::lock_guard lock(connection->mutex);
  connection->budget.end();
  connection->watched = false;
}

/// Counts what has passed. @returns whether the connection may stay
bool count(int fd, const msghdr& message, std::size_t bytes, void (FrameBudget::*way)(std::string_view) noexcept) {
  Connection* const connection = watchedAt(fd);
  if (connection == nullptr) return true;
  const char* excess = nullptr;
  {
    const std::lock_guard lock(connection->mutex);
    for (std::size_t i = 0; i < message.msg_iovlen && bytes > 0; ++i) {
      const iovec& part = message.msg_iov[i];
      const std::size_t size = std::min(bytes, part.iov_len);
      (connection->budget.*way)({static_cast<const char*>(part.iov_base), size});
      bytes -= size;
    }
    excess = connection->budget.excess();
    if (excess == nullptr) return true;
    connection->budget.end();
    // A descriptor that was closed may belong to another socket by now.
    connection->watched = false;
    if (connection->cookie != cookieOf(fd)) return true;
  }
  ::shutdown(fd, SHUT_RDWR);
  report(excess);
  return false;
}

// ---- TLS: a budget that lives as long as its connection of OpenSSL ----

struct Secure {
  std::mutex mutex;
  FrameBudget budget{reserve, Bucket::Clock::now()};
  bool reported = false;
};

int secureIndex() noexcept {
  static const int index =
      ::SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, [](void*, void* secure, CRYPTO_EX_DATA*, int, long, void*) {
        takeOver(secure);
        delete static_cast<Secure*>(secure);
      });
  return index;
}

/// Null for connections that this process has begun as a client. Its user hands it over.
Secure* secureOf(SSL* ssl) noexcept {
  if (::SSL_is_server(ssl) == 0) return nullptr;
  if (void* const found = ::SSL_get_ex_data(ssl, secureIndex())) {
    takeOver(found);
    return static_cast<Secure*>(found);
  }
  auto* const secure = new (std::nothrow) Secure;
  if (secure == nullptr) return nullptr;
  if (::SSL_set_ex_data(ssl, secureIndex(), secure) == 1) {
    ++accepted;
    return secure;
  }
  delete secure;
  return nullptr;
}

void countSecure(SSL* ssl, const void* bytes, int size, void (FrameBudget::*way)(std::string_view) noexcept) {
  if (size <= 0) return;
  Secure* const secure = secureOf(ssl);
  if (secure == nullptr) return;
  {
    const std::lock_guard lock(secure->mutex);
    (secure->budget.*way)({static_cast<const char*>(bytes), static_cast<std::size_t>(size)});
  }
  handOver(secure);
}

bool maySpeak(SSL* ssl) {
  Secure* const secure = secureOf(ssl);
  if (secure == nullptr) return true;
  const char* excess = nullptr;
  {
    const std::lock_guard lock(secure->mutex);
    excess = secure->budget.excess();
    if (excess != nullptr && !secure->reported) {
      secure->reported = true;
      secure->budget.end();
      report(excess);
    }
  }
  handOver(secure);
  return excess == nullptr;
}

/// The function of the library that this program's own one stands before.
template <class Function>
Function* next(const char* name) noexcept {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

/// The accept4() of the library. The thread sanitizer must not see this call: it does not see that gRPC closes the
/// connection, and would take the next file with the same number for the connection.
auto nextAccept() noexcept {
#if defined(__SANITIZE_THREAD__)
  return +[](int listener, sockaddr* address, socklen_t* size, int flags) {
    return static_cast<int>(::syscall(SYS_accept4, listener, address, size, flags));
  };
#else
  return next<int(int, sockaddr*, socklen_t*, int)>("accept4");
#endif
}

}  // namespace

TrafficCounts trafficCounts() noexcept {
  return {accepted, closed};
}

void closeConnections() noexcept {
  for (std::size_t fd = 0; fd < kDescriptors; ++fd) {
    Connection* const connection = watchedAt(static_cast<int>(fd));
    if (connection == nullptr) continue;
    const std::lock_guard lock(connection->mutex);
    // A descriptor that was closed may belong to another socket by now.
    if (connection->cookie == cookieOf(static_cast<int>(fd))) ::shutdown(static_cast<int>(fd), SHUT_RDWR);
  }
}

extern "C" {

// After any error but EAGAIN gRPC accepts nothing from then on, and so it does if a connection is gone before its first
// getpeername(). It sees neither: what cannot be served is closed here.
int accept4(int listener, sockaddr* address, socklen_t* size, int flags) {
  static auto* const accept = nextAccept();
  for (;;) {
    const int fd = accept(listener, address, size, flags);
    if (fd < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) errno = EAGAIN;
      if (errno != ECONNABORTED) return fd;
      continue;
    }
    sockaddr_storage peer{};
    socklen_t peer_size = sizeof peer;
    if (::getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0 && watch(fd)) return fd;
    ::close(fd);
  }
}

ssize_t recvmsg(int fd, msghdr* message, int flags) {
  const Unseen unseen;
  static auto* const receive = next<ssize_t(int, msghdr*, int)>("recvmsg");
  const ssize_t bytes = receive(fd, message, flags);
  if ((flags & (MSG_PEEK | MSG_ERRQUEUE)) != 0) return bytes;
  if (bytes == 0 || (bytes < 0 && errno == ECONNRESET)) leave(fd);
  if (bytes <= 0) return bytes;
  if (count(fd, *message, static_cast<std::size_t>(bytes), &FrameBudget::receive)) return bytes;
  errno = ECONNRESET;
  return -1;
}

ssize_t sendmsg(int fd, const msghdr* message, int flags) {
  const Unseen unseen;
  static auto* const transmit = next<ssize_t(int, const msghdr*, int)>("sendmsg");
  const ssize_t bytes = transmit(fd, message, flags);
  if (bytes > 0) count(fd, *message, static_cast<std::size_t>(bytes), &FrameBudget::send);
  return bytes;
}

int SSL_read(SSL* ssl, void* bytes, int most) {
  static auto* const receive = next<int(SSL*, void*, int)>("SSL_read");
  if (maySpeak(ssl)) {
    const int size = receive(ssl, bytes, most);
    countSecure(ssl, bytes, size, &FrameBudget::receive);
    if (size <= 0 || maySpeak(ssl)) return size;
  }
  // What SSL_get_error() reads as SSL_ERROR_SSL, after which gRPC closes the connection.
  ERR_raise(ERR_LIB_USER, ERR_R_OPERATION_FAIL);
  return -1;
}

int SSL_write(SSL* ssl, const void* bytes, int size) {
  static auto* const transmit = next<int(SSL*, const void*, int)>("SSL_write");
  const int written = transmit(ssl, bytes, size);
  countSecure(ssl, bytes, written, &FrameBudget::send);
  return written;
}

}  // extern "C"

}  // namespace tactus::server
