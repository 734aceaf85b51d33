// SessionFeed: what the readers of a session get: snapshots with their signals, events, and a call when there is more.
#pragma once

#include "rt/loop/reader_waker.h"
#include "rt/loop/snapshot_ring.h"
#include "rt/signals/signal_directory.h"
#include "server/session/event_log.h"
#include "server/session/reader_list.h"

#include <string>

namespace tactus::server {

/// Thread-safe. Nothing here is touched by a tick but the ring.
class SessionFeed {
 public:
  /// @param ring      of the loop; closed by close()
  /// @param model     of the session as it was made
  /// @param versions  models that the session has run since; both must outlive this object
  SessionFeed(rt::SnapshotRing& ring, const rt::Model& model, const rt::ModelVersions& versions)
      : model_(model), ring_(ring), signals_(model, &versions), waker_(ring) {}

  const rt::SnapshotRing& ring() const noexcept { return ring_; }
  const rt::SignalDirectory& signals() const noexcept { return signals_; }
  EventLog& events() noexcept { return events_; }
  rt::ReaderWaker& waker() noexcept { return waker_; }
  ReaderList& readers() noexcept { return readers_; }
  const ReaderList& readers() const noexcept { return readers_; }

  /// A copy of the newest publication.
  rt::Snapshot newest() const {
    rt::Snapshot snapshot(model_);
    ring_.newest(snapshot);
    return snapshot;
  }

  /// Posts an event that happened at `tick`, after the newest publication.
  void post(SessionEvent::Kind kind, std::int64_t tick, const std::string& message = {}) {
    events_.post({kind, tick, message, ring_.newestIndex()});
  }

  /// Ends every wait for a publication.
  void close() noexcept { waker_.close(); }

 private:
  const rt::Model& model_;
  rt::SnapshotRing& ring_;
  const rt::SignalDirectory signals_;
  rt::ReaderWaker waker_;
  EventLog events_;
  ReaderList readers_;
};

}  // namespace tactus::server
