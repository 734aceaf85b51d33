// ModelVersions: the Models that one run had, one after another: equal in structure, different in parameters.
#pragma once

#include "rt/model/model.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace tactus::rt {

/// Who reads a Snapshot finds here the Model that made it. The first one of a run, version 0, is not among them.
/// Thread-safe.
class ModelVersions {
 public:
  /// Versions rise.
  void add(std::uint64_t version, std::shared_ptr<const Model> model);

  /// Versions up to this one made nothing after publication `last`.
  void retire(std::uint64_t version, std::uint64_t last);

  /// Forgets what made nothing that is newer than publication `oldest`.
  void forget(std::uint64_t oldest);

  /// Null if it is not, or no longer, known.
  std::shared_ptr<const Model> find(std::uint64_t version) const noexcept;

 private:
  struct Entry {
    std::uint64_t version;
    std::shared_ptr<const Model> model;
    std::uint64_t last = UINT64_MAX;  ///< publication
  };
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
};

}  // namespace tactus::rt
