// AuditLog: who changed what, and what was refused to whom. One line a call; no secret.
//
//   2026-11-25T08:00:00.123+0000 lab control ipv4:10.0.0.7:51234 PauseSession session: "rig" -> OK
#pragma once

#include "server/door/peer.h"

#include <google/protobuf/message.h>

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>

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
  /// Lines a second about callers without an identity, and about refused calls of one identity; the others are counted.
  static constexpr int kStrangers = 20, kRefusals = 20;

  /// Appends to a regular file, a new one with mode 0600; makes the file again, with its former mode, if somebody
  /// deletes or renames it. Of RunBlock, RunSession and StepSession of one identity and session it tells the first one
  /// of a second, and counts the others; when the second is over a line tells how many. Lines that cannot be written
  /// are counted in the log of the server, at most once a second. An empty path: no log.
  /// @throws Error if the file cannot be opened or is not a regular file
  explicit AuditLog(const std::string& path);
  ~AuditLog();

  bool on() const noexcept { return !path_.empty(); }

  /// @param peer     null for a caller without an identity
  /// @param subject  what the request does not name, such as the name that a new session got; may be empty
  void write(const Peer* peer, const std::string& address, const char* rpc, const google::protobuf::Message& request,
             const std::string& subject, const std::string& outcome);

 private:
  struct FileId {
    dev_t device;
    ino_t inode;
    bool operator==(const FileId&) const = default;
  };

  void open();
  std::optional<off_t> size() const;
  bool rotate();
  bool mayTell(const std::string& kind, int most);
  void tellLeftOut();
  void tellInTime(const std::stop_token& stop);
  void addLine(const std::string& line);
  void countLost(const std::string& why);
  void reportLost();

  const std::string path_;
  std::mutex mutex_;  ///< for all below
  std::shared_ptr<spdlog::logger> logger_;
  FileId file_{};                                 ///< the file that is open
  bool failed_ = false;                           ///< the newest line could not be written
  bool grows_ = false;                            ///< it has been reported that the files cannot be renamed
  std::chrono::steady_clock::time_point second_;  ///< begin of the second that is counted
  struct Budget {
    int told = 0;
    std::uint64_t left_out = 0;
  };
  std::map<std::string, Budget> budgets_;  ///< of that second
  std::uint64_t left_out_ = 0;             ///< calls of that second without a line
  std::condition_variable_any changed_;    ///< the first call is left out
  mode_t mode_ = 0600;
  std::uint64_t lost_ = 0;  ///< lines that could not be written and that no message has counted
  std::string why_;         ///< of the last such line
  std::chrono::steady_clock::time_point lost_reported_;
  std::jthread thread_;  ///< the last member: it begins when the others exist
};

}  // namespace tactus::server
