// Observers: the open Observe streams by number, for AcknowledgeFrames.
#pragma once

#include "server/stream/send_notifier.h"
#include "server/stream/state_streamer.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace tactus::server {

/// Thread-safe.
class Observers {
 public:
  /// A place in the list, for as long as its stream is open.
  class Place {
   public:
    /// @param identity  of the reader; only this one gives credit
    Place(Observers& observers, StateStreamer& streamer, SendNotifier& notifier, std::string identity = {});
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;

    std::uint64_t id() const noexcept { return id_; }

   private:
    Observers& observers_;
    std::uint64_t id_;
  };

  /// Gives credit to a stream. The number of a stream that has ended, or of another identity, has no effect.
  void acknowledge(std::uint64_t id, std::uint64_t sequence, const std::string& identity = {});

 private:
  struct Entry {
    StateStreamer* streamer;
    SendNotifier* notifier;
    std::string identity;
  };

  std::mutex mutex_;
  std::unordered_map<std::uint64_t, Entry> entries_;
  std::uint64_t next_id_ = 1;
};

}  // namespace tactus::server
