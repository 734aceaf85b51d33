// SessionRegistry: the sessions of a server by name.
#pragma once

#include "server/door/quota.h"
#include "server/session/session.h"
#include "server/wire/request_error.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace tactus::server {

/// True for 1 to 64 characters of [A-Za-z0-9_.-], "." and ".." excepted.
bool isValidName(const std::string& name);

/// Thread-safe. A session is built outside the lock, so that a large one delays no other call; its name is reserved.
class SessionRegistry {
 public:
  /// @param[in] sessions, bodies  how many sessions, and how many bodies in all of them
  SessionRegistry(const Quota& sessions, const Quota& bodies) : quota_(sessions), bodies_(bodies) {}

  /// Builds a session, which belongs to `peer`; an empty name is replaced by "session-1", "session-2", ...
  /// @throws RequestError kSessionExists, kLimitExceeded, kDraining, or what building throws
  std::shared_ptr<Session> create(SessionSpec spec, const Peer& peer = {});

  /// @throws RequestError kSessionUnknown with the nearest name
  std::shared_ptr<Session> find(const std::string& name) const;

  /// Removes a session and closes it. Its streams end; it is destroyed with the last of them.
  /// @throws RequestError kSessionUnknown
  void remove(const std::string& name);

  /// In the order of their names.
  std::vector<std::shared_ptr<Session>> list() const;
  std::size_t size() const;

  /// Refuses new sessions and tells the streams of every session why they end.
  void drain(const std::string& reason);

 private:
  struct Entry {
    std::shared_ptr<Session> session;  ///< null while it is being built
    std::string owner;
    std::size_t bodies = 0;
  };
  std::string reserve(std::string name, std::size_t bodies, const Peer& peer);
  RequestError unknown(const std::string& name) const;

  const Quota quota_, bodies_;
  mutable std::mutex mutex_;
  std::map<std::string, Entry> sessions_;
  std::uint64_t next_number_ = 1;
  bool draining_ = false;
};

}  // namespace tactus::server
