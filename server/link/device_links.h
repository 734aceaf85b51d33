// DeviceLinks: the links of a server by number. It ends links whose device or session is gone.
#pragma once

#include "server/door/quota.h"
#include "server/link/device_link.h"

#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace tactus::server {

/// Thread-safe.
class DeviceLinks {
 public:
  /// @param where  none: no link can be opened @param quota  of links that are open at a time
  DeviceLinks(const std::optional<UdpEndpoint>& where, const Quota& quota);
  ~DeviceLinks();

  DeviceLinks(const DeviceLinks&) = delete;
  DeviceLinks& operator=(const DeviceLinks&) = delete;

  /// Opens a link, which belongs to `peer`, on the first free port, beginning with the UDP port of the server.
  /// @throws RequestError kUdpDisabled, kLimitExceeded, and what opening throws
  std::shared_ptr<DeviceLink> open(const std::shared_ptr<Session>& session, LinkTerms terms, const Peer& peer = {});

  /// @throws RequestError kLinkUnknown
  std::shared_ptr<DeviceLink> find(std::uint64_t id) const;

  /// Ends a link; no effect on a link that has ended.
  /// @throws RequestError kLinkUnknown
  std::shared_ptr<DeviceLink> close(std::uint64_t id);

  /// Ends the links of a session, or all links.
  void closeAll(const Session* session, const std::string& why);

  /// Ends the links whose identity is not let in any more.
  void closeNotAdmitted();

  /// Open links and the newest links that have ended, in the order of their opening.
  std::vector<std::shared_ptr<DeviceLink>> list() const;

 private:
  std::shared_ptr<DeviceLink> bind(const std::shared_ptr<Session>& session, const LinkTerms& terms);
  void closeWhere(const std::function<bool(const DeviceLink&)>& applies, const std::string& why);
  void look();
  void forget();

  const std::optional<UdpEndpoint> where_;
  const Quota quota_;
  mutable std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<DeviceLink>> links_;
  std::uint64_t next_id_ = 1;

  asio::io_context io_;
  asio::steady_timer timer_;
  std::thread watch_;  ///< only where links can be opened
};

}  // namespace tactus::server
