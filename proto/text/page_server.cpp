#include "proto/text/page_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::text {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestRequest = 8192;
constexpr std::chrono::seconds kPatience{2};
constexpr std::chrono::milliseconds kPause{100};  // before the next accept if no descriptor is left
constexpr int kTurns = 32;                        // reads and writes of one connection before the next one's turn
constexpr int kWaiting = 64;                      // connections that the kernel keeps for us

sockaddr_in parse(const std::string& option, const std::string& listen) {
  const std::size_t colon = listen.rfind(':');
  std::string host = listen.substr(0, colon);
  if (host == "localhost") host = "127.0.0.1";
  std::uint16_t port = 0;
  const char* end = listen.data() + listen.size();
  const auto [rest, error] = std::from_chars(listen.data() + (colon == std::string::npos ? 0 : colon + 1), end, port);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (colon == std::string::npos || error != std::errc{} || rest != end)
    throw std::invalid_argument(option + " " + listen + ": must be ADDR:PORT, such as 127.0.0.1:9464");
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1 || ntohl(address.sin_addr.s_addr) >> 24 != 127)
    throw std::invalid_argument(
        option + " " + listen + ": \"" + host +
        "\" is not a loopback address of IPv4. The page is plain and open to every reader; let a "
        "proxy with TLS stand before it");
  return address;
}

struct Answer {
  const char* status;
  std::string type, body;
  const char* more = "";  ///< headers
};

/// Whether a word is an HTTP token, as each method is.
bool isToken(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string_view("!#$%&'*+-.^_`|~").find(static_cast<char>(c)) != std::string::npos;
  });
}

struct RequestLine {
  std::string_view method, path;
};

/// The end of the headers of a request: an empty line. Lines end with CR LF, or with LF alone (RFC 9112, section 2.2).
std::size_t endOfHeaders(std::string_view request) {
  return std::min(request.find("\n\r\n"), request.find("\n\n"));
}

/// METHOD /PATH[?...] HTTP/1.x; nothing for anything else.
std::optional<RequestLine> readRequestLine(std::string_view request) {
  std::string_view line = request.substr(0, request.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  const std::size_t first = line.find(' '), second = line.rfind(' ');
  if (first == std::string_view::npos || second == first) return std::nullopt;
  const std::string_view target = line.substr(first + 1, second - first - 1);
  if (!isToken(line.substr(0, first)) || !target.starts_with('/') || !line.substr(second + 1).starts_with("HTTP/1.") ||
      std::any_of(target.begin(), target.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; }))
    return std::nullopt;
  return RequestLine{line.substr(0, first), target.substr(0, target.find('?'))};
}

Answer answerTo(const RequestLine& line, const std::map<std::string, Page>& pages) {
  const auto found = pages.find(std::string(line.path));
  if (found == pages.end()) {
    std::string known = "pages:";
    for (const auto& [path, page] : pages) known += " " + path;
    return {"404 Not Found", "text/plain", known + "\n"};
  }
  if (line.method != "GET" && line.method != "HEAD")
    return {"405 Method Not Allowed", "text/plain", "the method is not allowed; use GET or HEAD\n",
            "Allow: GET, HEAD\r\n"};
  try {
    return {"200 OK", found->second.type, found->second.make()};
  } catch (const std::exception&) { return {"500 Internal Server Error", "text/plain", "the page cannot be made\n"}; }
}

/// One connection: reads the request, sends the answer, then waits until the reader closes the connection. Closing a
/// connection with unread bytes resets it, and the reader may then lose the answer.
class PageReader {
 public:
  PageReader(int connection, Clock::time_point now) noexcept : connection_(connection), end_(now + kPatience) {}
  ~PageReader() {
    if (connection_ >= 0) ::close(connection_);
  }
  PageReader(PageReader&& other) noexcept
      : connection_(std::exchange(other.connection_, -1)),
        end_(other.end_),
        request_(std::move(other.request_)),
        answer_(std::move(other.answer_)),
        sent_(other.sent_) {}
  PageReader& operator=(PageReader&& other) noexcept {
    std::swap(connection_, other.connection_);
    end_ = other.end_;
    request_ = std::move(other.request_);
    answer_ = std::move(other.answer_);
    sent_ = other.sent_;
    return *this;
  }

  pollfd awaited() const noexcept { return {connection_, static_cast<short>(sending() ? POLLOUT : POLLIN), 0}; }
  Clock::time_point end() const noexcept { return end_; }

  /// Reads and writes as far as it can without waiting, for at most kTurns turns.
  /// @returns false if the connection is to be closed
  bool goOn(const std::map<std::string, Page>& pages) {
    for (int turn = 0; turn < kTurns; ++turn) {
      if (sending()) {
        const ssize_t count = ::send(connection_, answer_.data() + sent_, answer_.size() - sent_, MSG_NOSIGNAL);
        if (count < 0) return errno == EAGAIN || errno == EINTR;
        sent_ += static_cast<std::size_t>(count);
        if (!sending()) ::shutdown(connection_, SHUT_WR);
        continue;
      }
      char part[1024];
      const ssize_t count = ::recv(connection_, part, sizeof part, 0);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      if (count == 0) return false;
      if (answer_.empty()) take(std::string_view(part, static_cast<std::size_t>(count)), pages);
    }
    return true;
  }

  /// At the end of the connection's time: answers a request that is not complete with 408.
  void giveUp() {
    if (!answer_.empty() || request_.empty()) return;
    write({"408 Request Timeout", "text/plain", "the request took too long; send it within 2 s\n"}, false);
    static_cast<void>(::send(connection_, answer_.data(), answer_.size(), MSG_NOSIGNAL));
  }

 private:
  bool sending() const noexcept { return sent_ < answer_.size(); }

  void take(std::string_view part, const std::map<std::string, Page>& pages) {
    request_ += part;
    const std::size_t end = endOfHeaders(request_), line_end = request_.find('\n');
    const std::optional<RequestLine> line = line_end == std::string::npos ? std::nullopt : readRequestLine(request_);
    if (line_end != std::string::npos && !line)
      return write({"400 Bad Request", "text/plain", "the request must be GET /PATH HTTP/1.1\n"}, false);
    if (end == std::string::npos ? request_.size() > kLongestRequest : end > kLongestRequest)
      return write(
          {"431 Request Header Fields Too Large", "text/plain", "the request is too long; send at most 8 KiB\n"},
          false);
    if (end != std::string::npos) write(answerTo(*line, pages), line->method == "HEAD");
  }

  void write(const Answer& answer, bool head) {
    answer_ = fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n{}Connection: close\r\n\r\n",
                          answer.status, answer.type, answer.body.size(), answer.more);
    if (!head) answer_ += answer.body;
  }

  int connection_;
  Clock::time_point end_;
  std::string request_, answer_;
  std::size_t sent_ = 0;
};

}  // namespace

PageServer::PageServer(const std::string& option, const std::string& listen) {
  sockaddr_in address = parse(option, listen);
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int reuse = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket_, kWaiting) != 0 || (stop_ = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) < 0) {
    const int error = errno;
    ::close(socket_);
    throw std::runtime_error(option + ": cannot listen on " + listen + ": " + std::strerror(error));
  }
  socklen_t size = sizeof address;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  char host[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address.sin_addr, host, sizeof host);
  address_ = std::string(host) + ":" + std::to_string(ntohs(address.sin_port));
}

PageServer::~PageServer() {
  if (socket_ >= 0) ::close(socket_);
  if (stop_ >= 0) ::close(stop_);
}

void PageServer::serve(const std::map<std::string, Page>& pages) {
  std::vector<PageReader> readers;  // the oldest first; its time ends first
  std::vector<pollfd> awaited;
  bool accepts = true;
  while (!stopped_) {
    awaited = {{stop_, POLLIN, 0}, {accepts ? socket_ : -1, POLLIN, 0}};
    for (const PageReader& reader : readers) awaited.push_back(reader.awaited());
    Clock::time_point wake = Clock::now() + std::chrono::hours(1);
    if (!readers.empty()) wake = std::min(wake, readers.front().end());
    if (!accepts) wake = std::min(wake, Clock::now() + kPause);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake - Clock::now()).count();
    ::poll(awaited.data(), awaited.size(), static_cast<int>(std::max<std::int64_t>(left, 0)));
    accepts = true;
    if (stopped_) return;

    const Clock::time_point now = Clock::now();
    std::vector<PageReader> remaining;
    for (std::size_t i = 0; i < readers.size(); ++i) {
      if (readers[i].end() <= now)
        readers[i].giveUp();
      else if (awaited[i + 2].revents == 0 || readers[i].goOn(pages))
        remaining.push_back(std::move(readers[i]));
    }
    readers = std::move(remaining);
    if (awaited[1].revents == 0) continue;
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (connection >= 0) {
      if (readers.size() == kPageReaders) readers.erase(readers.begin());
      readers.emplace_back(connection, now);
    } else if (errno != EINTR && errno != ECONNABORTED) {
      accepts = false;  // without a descriptor left, the next try fails at once, too
    }
  }
}

void PageServer::stop() noexcept {
  stopped_ = true;
  const std::uint64_t one = 1;
  static_cast<void>(::write(stop_, &one, sizeof one) == sizeof one);
}

}  // namespace tactus::text
