// The signal directory of a Model, and the values of its signals from a Snapshot. Runs outside the tick: a tick
// publishes the State and a few numbers; the reader derives everything else (reactions, energies, sensors).
#pragma once

#include "rt/mechanics/elements/vertical_tyre.h"
#include "rt/mechanics/force_elements.h"
#include "rt/mechanics/joint_constraints.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/signals/model_versions.h"
#include "rt/state/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {

enum class Causality : std::uint8_t { kInput, kOutput };

struct Signal {
  std::string name;   ///< "<body>.r.x", "<joint>.force.y", "energy.total", ...
  std::string unit;   ///< SI
  std::string frame;  ///< "world", "body" or empty
  Causality causality = Causality::kOutput;
  std::string description;
  double minimum = 0, maximum = 0;  ///< range of an input
};

/// The source of the value of a signal.
enum class SignalSource : std::uint8_t {
  kState,           ///< index: into Snapshot::state
  kInput,           ///< index: actuator
  kReactionForce,   ///< index: joint, component
  kReactionTorque,  ///< index: joint, component
  kJointRate,       ///< index: joint
  kJointTravel,     ///< index: joint
  kTravelRate,      ///< index: joint
  kSensor,          ///< index: sensor
  kRowValue,        ///< index: joint with one row; its length or angle
  kTyre,            ///< index: joint of a tyre; component: into VerticalTyreRow::kSignals
  kElement,         ///< index: force element of one kind; component: into signals() of its kind
  kRowPower,        ///< index: joint; power of its rows on the mechanism, W
  kEnergy,          ///< index: 0 kinetic, 1 potential, 2 dissipated, 3 input, 4 total
  kReport,          ///< index: 0..2 constraint norms, 3 residual, 4 increment, 5 contraction, 6 factorizations
};

/// All signals of a Model in a fixed order, and how to read them. Immutable; safe to use from several threads.
/// Model and versions must outlive it.
class SignalDirectory {
 public:
  /// @param versions  later versions of the Model in a run that changes parameters; may be null
  explicit SignalDirectory(const Model& model, const ModelVersions* versions = nullptr);

  const std::vector<Signal>& signals() const noexcept { return signals_; }

  /// Index of a signal, or -1.
  int find(const std::string& name) const noexcept;

  /// Indices for a list of names and globs (`*` any run of characters, `?` one, `[a-c]` one of a
  /// set, `[!a-c]` one outside a set), in the given order, each signal once. fnmatch(3) and
  /// Python's fnmatch agree on these; `[^a]` is not portable.
  /// @throws Error if a name or glob matches nothing; names the nearest known signal
  std::vector<int> resolve(const std::vector<std::string>& patterns) const;

  /// Whether a pattern is a glob and not a plain name.
  static bool isGlob(const std::string& pattern) noexcept;

  /// Hash over names, units and order, on which both ends of a stream must agree.
  std::uint64_t layoutHash(std::span<const int> indices) const noexcept;

  const Model& model() const noexcept { return *model_; }

  /// The Model of a version; the first Model if the version is no longer known.
  std::shared_ptr<const Model> modelOf(std::uint64_t version) const noexcept;

 private:
  friend class SignalReader;
  struct Entry {
    SignalSource source;
    int index;
    int component;
    /// Reads the value of a force element; of kElement alone.
    double (*read)(const ElementContext& at, const ElementStates& elements, std::size_t index,
                   std::size_t component) noexcept = nullptr;
  };

  void add(Signal signal, Entry entry);
  void addBodies();
  void addJoints();
  void addInputsAndSensors();
  void addLawSignals(int joint, const std::string& name);
  void addForceElements();
  void addGlobals();
  const char* actuatorUnit(const Actuator& actuator) const;

  const Model* model_;
  const ModelVersions* versions_;
  std::vector<Signal> signals_;
  std::vector<Entry> entries_;
  std::vector<std::pair<std::string, int>> by_name_;  ///< sorted
};

/// Reads a list of signals from Snapshots. For one thread; it holds the scratch memory, so that reading allocates
/// nothing. The SignalDirectory must outlive it.
class SignalReader {
 public:
  SignalReader(const SignalDirectory& directory, std::vector<int> indices);

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
  /// Values of the rows of a joint, computed once for each Snapshot.
  struct RowValues {
    int joint;
    double value = 0, power = 0;
    TyreContact contact;
  };

  static std::size_t placeOf(int joint, std::vector<int>& joints);
  void plan();
  void readRows(const StateView& state, RowValues& row) const noexcept;
  double value(const SignalDirectory::Entry& entry, const Snapshot& snapshot, const StateView& state) const noexcept;

  const SignalDirectory* directory_;
  std::shared_ptr<const Model> model_;  ///< Model of the last Snapshot
  std::uint64_t version_ = 0;
  std::vector<int> indices_;

  // Planned once: the copied values, the computed values, and the shared results.
  std::vector<Run> runs_;
  std::vector<Single> singles_;
  std::vector<int> reaction_joints_, row_joints_;

  std::vector<Load> reactions_;
  std::vector<RowValues> rows_;
  std::vector<BodyMotion> motions_;
  ElementStates elements_;
  bool needs_motions_ = false, needs_energy_ = false, needs_elements_ = false;
  double energy_[5] = {};
};

}  // namespace tactus::rt
