// AuditLog: who changed what, and what was refused to whom. One line a call; no secret.
//
//   2026-11-25T08:00:00.123+0000 lab control ipv4:10.0.0.7:51234 PauseSession session: "rig" -> OK
#pragma once

#include "server/door/peer.h"

#include <google/protobuf/message.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

namespace spdlog {
class logger;
}

namespace tactus::server {

/// What a line tells of a request: sessions, names, controllers, parameters and their values. Never a model or a key.
std::string describeRequest(const google::protobuf::Message& request);

/// Thread-safe.
class AuditLog {
 public:
  static constexpr std::size_t kFileBytes = 10 << 20, kFiles = 5;  ///< the newest file, and those before it
  static constexpr int kStrangers = 20;  ///< lines a second about callers without an identity; the others are counted

  /// Appends to a file of mode 0600. An empty path: no log. @throws Error if the file cannot be opened
  explicit AuditLog(const std::string& path);
  ~AuditLog();

  bool on() const noexcept { return logger_ != nullptr; }

  /// @param peer     null for a caller without an identity
  /// @param subject  what the request does not name, such as the name that a new session got; may be empty
  void write(const Peer* peer, const std::string& address, const char* rpc, const google::protobuf::Message& request,
             const std::string& subject, const std::string& outcome);

 private:
  bool mayTell(std::uint64_t& left_out);

  std::shared_ptr<spdlog::logger> logger_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point second_;  ///< under mutex_: begin of the second that is counted
  int told_ = 0;                                  ///< under mutex_
  std::uint64_t left_out_ = 0;                    ///< under mutex_
};

}  // namespace tactus::server
