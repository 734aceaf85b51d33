// ModelVersions: the sequence of Models of one run. They have the same structure and different parameters.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace tactus::rt {

struct Model;

/// Finds the Model that made a Snapshot. The first Model of a run, version 0, is not stored here.
/// Thread-safe.
class ModelVersions {
 public:
  /// Adds a version; its number is above all earlier ones.
  void add(std::uint64_t version, std::shared_ptr<const Model> model);

  /// Versions up to this one made no publication after `last`.
  void retire(std::uint64_t version, std::uint64_t last);

  /// Forgets the versions that made no publication from `oldest` on.
  void forget(std::uint64_t oldest);

  /// The Model of a version; null if the version is not known or was forgotten.
  std::shared_ptr<const Model> find(std::uint64_t version) const noexcept;

 private:
  struct Entry {
    std::uint64_t version;
    std::shared_ptr<const Model> model;
    std::uint64_t last = UINT64_MAX;  ///< last publication of the version
  };
  mutable std::mutex mutex_;
  std::deque<Entry> entries_;
};

}  // namespace tactus::rt
