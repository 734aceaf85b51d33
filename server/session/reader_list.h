// ReaderList: the readers of a session, and how many frames each of them has got and missed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tactus::server {

/// Frames of one reader.
struct ReaderCounts {
  std::uint64_t id = 0;  ///< counts the readers of the session from 1
  std::string stream;    ///< "tick", "observe" or "udp"
  std::uint64_t sent = 0, missed = 0;
};

/// Thread-safe. Never touched by a tick.
class ReaderList {
 public:
  /// A reader, for as long as its stream is open; then its counts are added to those of the closed ones.
  class Place {
   public:
    /// @param counts  returns the frames sent and missed; called from any thread
    Place(ReaderList& list, std::string stream, std::function<std::pair<std::uint64_t, std::uint64_t>()> counts);
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

   private:
    ReaderList& list_;
    std::uint64_t id_;
  };

  /// The open readers, oldest first, then all closed readers as one, id 0; each reader counts once.
  std::vector<ReaderCounts> all() const;

  /// Number of open readers of a kind of stream.
  std::uint32_t count(const std::string& stream) const;

 private:
  struct Entry {
    std::string stream;
    std::function<std::pair<std::uint64_t, std::uint64_t>()> counts;
  };

  mutable std::mutex mutex_;
  std::map<std::uint64_t, Entry> entries_;
  std::uint64_t next_id_ = 1;
  ReaderCounts closed_;
};

}  // namespace tactus::server
