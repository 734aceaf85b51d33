// SignalReader: the values of signals from a Snapshot. Runs outside the tick: a tick publishes the State and a few
// numbers; the reader derives everything else (reactions, energies, sensors).
#pragma once

#include "rt/signals/signal_directory.h"
#include "rt/state/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tactus::rt {

/// Reads a list of signals from Snapshots. For one thread; it holds the scratch memory, so that reading allocates
/// nothing. The SignalDirectory must outlive it.
class SignalReader {
 public:
  SignalReader(const SignalDirectory& directory, std::vector<int> indices);
  SignalReader(SignalReader&&) noexcept;
  SignalReader& operator=(SignalReader&&) noexcept;
  ~SignalReader();

  const std::vector<int>& indices() const noexcept { return indices_; }

  /// Reads the values in the order of the indices; `out` has one element for each index.
  /// @rt no allocation, no throw; takes a lock if the parameters have changed since the last Snapshot
  void read(const Snapshot& snapshot, std::span<double> out) noexcept;

 private:
  /// Values that are contiguous in the State and in the list.
  struct Run {
    std::size_t from, to, count;
  };
  /// A computed value and its position in the list.
  struct Single {
    SignalDirectory::Entry entry;  ///< for a shared result: the index of the result, not of the joint
    std::size_t to;
  };
  struct RowValues;
  struct Results;

  void plan();
  void readRows(const StateView& state, RowValues& row) const noexcept;
  double value(const SignalDirectory::Entry& entry, const Snapshot& snapshot, const StateView& state) const noexcept;

  const SignalDirectory* directory_;
  std::shared_ptr<const Model> model_;  ///< Model of the last Snapshot
  std::uint64_t version_ = 0;
  std::vector<int> indices_;

  // Planned once: the copied and the computed values.
  std::vector<Run> runs_;
  std::vector<Single> singles_;
  std::unique_ptr<Results> results_;  ///< what several signals share, computed once for each Snapshot
};

}  // namespace tactus::rt
