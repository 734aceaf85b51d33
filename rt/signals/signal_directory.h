// The signal directory of a Model: which signals there are. signal_reader.h reads their values from a Snapshot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {

class ModelVersions;
struct Actuator;
struct ElementContext;
class ElementStates;
struct Model;

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

}  // namespace tactus::rt
