// PageServer: a few pages over HTTP, for readers on this host.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace tactus::text {

/// A page, made anew for each request.
struct Page {
  std::string type;  ///< its media type
  std::function<std::string()> make;
};

inline constexpr std::size_t kPageReaders = 16;

/// Answers one request per connection, and at most kPageReaders connections at a time; a further connection replaces
/// the oldest one. A request has at most 8 KiB. A connection lasts at most 2 s.
class PageServer {
 public:
  /// @param[in] option  the one that names the address, for messages
  /// @param[in] listen  ADDR:PORT with a loopback address, port 0 for any free one
  /// @throws std::invalid_argument for another address; std::runtime_error if it cannot be bound
  PageServer(const std::string& option, const std::string& listen);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// With the actual port.
  const std::string& address() const noexcept { return address_; }

  /// Serves pages by their paths until stop(). Every other path is 404, every method but GET and HEAD 405, text that is
  /// not a request 400, a request that is too long 431, and a request that arrives too slowly 408. An exception of a
  /// page is 500, without the text of the exception.
  void serve(const std::map<std::string, Page>& pages);

  /// Ends serve() and all connections, at once unless a page is being made. Any thread.
  void stop() noexcept;

 private:
  int socket_ = -1, stop_ = -1;  ///< stop_: a counter that wakes serve()
  std::atomic<bool> stopped_{false};
  std::string address_;
};

}  // namespace tactus::text
