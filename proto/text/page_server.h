// PageServer: a few pages over HTTP, for readers on this host.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>

namespace tactus::text {

/// A page, made anew for each request.
struct Page {
  std::string type;  ///< its media type
  std::function<std::string()> make;
};

/// Answers one request at a time and then closes the connection. A request has at most 8 KiB and 2 s to arrive, an
/// answer 2 s to be taken.
class PageServer {
 public:
  /// @param[in] option  the one that names the address, for messages
  /// @param[in] listen  ADDR:PORT with a loopback address, port 0 for any free one
  /// @throws std::runtime_error for another address, or if it cannot be bound
  PageServer(const std::string& option, const std::string& listen);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  /// With the actual port.
  const std::string& address() const noexcept { return address_; }

  /// Serves pages by their paths until stop(); every other path is 404. What a page throws is 500, without its text.
  void serve(const std::map<std::string, Page>& pages);

  /// Ends serve(), at once if it waits for a reader, else after the present one. Any thread.
  void stop() noexcept;

 private:
  int socket_ = -1;
  std::atomic<bool> stopped_{false};
  std::string address_;
};

}  // namespace tactus::text
