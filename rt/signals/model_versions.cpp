#include "rt/signals/model_versions.h"

#include <algorithm>
#include <utility>

namespace tactus::rt {

void ModelVersions::add(std::uint64_t version, std::shared_ptr<const Model> model) {
  std::lock_guard lock(mutex_);
  entries_.push_back({version, std::move(model)});
}

void ModelVersions::retire(std::uint64_t version, std::uint64_t last) {
  std::lock_guard lock(mutex_);
  for (Entry& entry : entries_)
    if (entry.version <= version) entry.last = std::min(entry.last, last);
}

void ModelVersions::forget(std::uint64_t oldest) {
  // The Models are destroyed after the lock is released.
  std::deque<Entry> gone;
  std::lock_guard lock(mutex_);
  for (; !entries_.empty() && entries_.front().last < oldest; entries_.pop_front())
    gone.push_back(std::move(entries_.front()));
}

std::shared_ptr<const Model> ModelVersions::find(std::uint64_t version) const noexcept {
  std::lock_guard lock(mutex_);
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) { return entry.version == version; });
  return found == entries_.end() ? nullptr : found->model;
}

}  // namespace tactus::rt
