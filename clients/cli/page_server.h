// PageServer: one page over HTTP, for readers on this host.
#pragma once

#include <functional>
#include <string>

namespace tactus::client {

/// Answers one request at a time and then closes the connection. A request has at most 8 KiB and 2 s to arrive; a
/// reader has 2 s to take each part of the answer.
class PageServer {
 public:
  /// @param[in] listen  ADDR:PORT with a loopback address, port 0 for any free one
  /// @throws std::runtime_error for another address, or if it cannot be bound
  explicit PageServer(const std::string& listen);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// With the actual port.
  const std::string& address() const noexcept { return address_; }

  /// Serves `page` at `path` for ever, made anew for each request; every other path is 404.
  [[noreturn]] void serve(const std::string& path, const std::string& type, const std::function<std::string()>& page);

 private:
  int socket_ = -1;
  std::string address_;
};

}  // namespace tactus::client
