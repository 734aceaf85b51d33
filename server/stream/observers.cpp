#include "server/stream/observers.h"

#include <utility>

namespace tactus::server {

Observers::Place::Place(Observers& observers, StateStreamer& streamer, SendNotifier& notifier, std::string identity)
    : observers_(observers) {
  std::lock_guard lock(observers_.mutex_);
  id_ = observers_.next_id_++;
  observers_.entries_.emplace(id_, Entry{&streamer, &notifier, std::move(identity)});
}

Observers::Place::~Place() {
  std::lock_guard lock(observers_.mutex_);
  observers_.entries_.erase(id_);
}

void Observers::acknowledge(std::uint64_t id, std::uint64_t sequence, const std::string& identity) {
  std::lock_guard lock(mutex_);
  const auto found = entries_.find(id);
  if (found == entries_.end() || found->second.identity != identity) return;
  found->second.streamer->acknowledge(sequence);
  found->second.notifier->notify();
}

}  // namespace tactus::server
