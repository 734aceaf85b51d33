#include "proto/text/page_server.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string_view>

namespace tactus::text {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestRequest = 8192;
constexpr std::chrono::seconds kPatience{2};
constexpr int kWaiting = 8;  // connections that the kernel keeps for us

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
    throw std::runtime_error(option + " " + listen + ": must be ADDR:PORT, such as 127.0.0.1:9464");
  if (::inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1 || ntohl(address.sin_addr.s_addr) >> 24 != 127)
    throw std::runtime_error(option + " " + listen + ": \"" + host +
                             "\" is not a loopback address of IPv4. The page is plain and open to every reader; let a "
                             "proxy with TLS stand before it");
  return address;
}

/// Waits until the connection can be read or written. @returns false at the end of the time
bool await(int connection, short what, Clock::time_point end) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
  pollfd wait{connection, what, 0};
  return left > 0 && ::poll(&wait, 1, static_cast<int>(left)) == 1;
}

/// The path of a GET request; empty for any other request, for one that is too long and for one that comes too slowly.
std::string pathOf(int connection) {
  std::string request;
  char part[1024];
  const auto end = Clock::now() + kPatience;
  while (request.find("\r\n\r\n") == std::string::npos) {
    if (!await(connection, POLLIN, end)) return {};
    const ssize_t count = ::recv(connection, part, sizeof part, MSG_DONTWAIT);
    if (count <= 0 || request.size() + static_cast<std::size_t>(count) > kLongestRequest) return {};
    request.append(part, static_cast<std::size_t>(count));
  }
  constexpr std::string_view kGet = "GET ";
  if (!request.starts_with(kGet)) return {};
  return request.substr(kGet.size(), request.find_first_of(" ?\r", kGet.size()) - kGet.size());
}

void send(int connection, std::string_view bytes) {
  const auto end = Clock::now() + kPatience;
  while (!bytes.empty()) {
    if (!await(connection, POLLOUT, end)) return;
    const ssize_t count = ::send(connection, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count <= 0) return;  // the reader left, or is too slow
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string answer(const char* status, const std::string& type, const std::string& body) {
  return fmt::format("HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}", status,
                     type, body.size(), body);
}

std::string answerOf(const Page& page) {
  try {
    return answer("200 OK", page.type, page.make());
  } catch (const std::exception&) {
    return answer("500 Internal Server Error", "text/plain", "the page cannot be made\n");
  }
}

}  // namespace

PageServer::PageServer(const std::string& option, const std::string& listen) {
  sockaddr_in address = parse(option, listen);
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int reuse = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof reuse);
  if (::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::listen(socket_, kWaiting) != 0)
    throw std::runtime_error(option + ": cannot listen on " + listen + ": " + std::strerror(errno));
  socklen_t size = sizeof address;
  ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
  char host[INET_ADDRSTRLEN] = "";
  ::inet_ntop(AF_INET, &address.sin_addr, host, sizeof host);
  address_ = std::string(host) + ":" + std::to_string(ntohs(address.sin_port));
}

PageServer::~PageServer() {
  if (socket_ >= 0) ::close(socket_);
}

void PageServer::serve(const std::map<std::string, Page>& pages) {
  while (!stopped_) {
    const int connection = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) {
      // Without a descriptor left, the next try fails at once, too.
      if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) ::poll(nullptr, 0, 100);
      continue;
    }
    const std::string wanted = pathOf(connection);
    if (const auto found = pages.find(wanted); found != pages.end()) {
      send(connection, answerOf(found->second));
    } else if (!wanted.empty()) {
      std::string known = "pages:";
      for (const auto& [path, page] : pages) known += " " + path;
      send(connection, answer("404 Not Found", "text/plain", known + "\n"));
    }
    ::close(connection);
  }
}

void PageServer::stop() noexcept {
  stopped_ = true;
  ::shutdown(socket_, SHUT_RDWR);  // ends accept4()
}

}  // namespace tactus::text
