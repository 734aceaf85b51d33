#include "server/session/reader_list.h"

#include <algorithm>

namespace tactus::server {

ReaderList::Place::Place(ReaderList& list, std::string stream,
                         std::function<std::pair<std::uint64_t, std::uint64_t>()> counts)
    : list_(list) {
  std::lock_guard lock(list_.mutex_);
  id_ = list_.next_id_++;
  list_.entries_.emplace(id_, Entry{std::move(stream), std::move(counts)});
}

ReaderList::Place::~Place() {
  std::lock_guard lock(list_.mutex_);
  const auto entry = list_.entries_.find(id_);
  const auto [sent, missed] = entry->second.counts();
  list_.closed_.sent += sent;
  list_.closed_.missed += missed;
  list_.entries_.erase(entry);
}

std::vector<ReaderCounts> ReaderList::all() const {
  std::lock_guard lock(mutex_);
  std::vector<ReaderCounts> readers;
  for (const auto& [id, entry] : entries_) {
    const auto [sent, missed] = entry.counts();
    readers.push_back({id, entry.stream, sent, missed});
  }
  readers.push_back(closed_);
  return readers;
}

std::uint32_t ReaderList::count(const std::string& stream) const {
  std::lock_guard lock(mutex_);
  return static_cast<std::uint32_t>(std::count_if(entries_.begin(), entries_.end(),
                                                  [&](const auto& entry) { return entry.second.stream == stream; }));
}

}  // namespace tactus::server
