// EnergyBalance: what the energy of a run says about its step.
#pragma once

#include <cstdint>

namespace tactus::rt {

struct Energy;
struct Model;

/// Since the start of a run; all in J.
///
/// Without an input, an exact motion keeps kinetic + potential energy or loses some of it. What the solver adds to it
/// has no cause but the step: an unstable scheme, or a step that is too long. Inputs are all of Energy::input:
/// actuators, drives, engines, wind and road. A dissipated energy below that of the start is allowed: friction and
/// treads give back what they had stored.
class EnergyBalance {
 public:
  /// A growth above this share of the largest energy of the motion is reported.
  static constexpr double kReported = 0.1;

  EnergyBalance() = default;
  /// @param dt  length of a step, s
  EnergyBalance(const Model& model, double dt);

  /// A run begins with this energy.
  /// @rt no allocation, no throw, fixed work
  void begin(const Energy& energy) noexcept;

  /// The model or the state was changed from outside: the balance goes on as if the energy had been `energy` all along.
  /// @rt no allocation, no throw, fixed work
  void rebase(const Energy& energy) noexcept;

  /// @rt no allocation, no throw, fixed work
  void record(std::int64_t tick, const Energy& energy) noexcept;

  /// Maximum of kinetic + potential energy above its start value, the work of inputs, and what friction and treads gave
  /// back.
  double growth() const noexcept { return growth_; }
  /// Maximum of kinetic energy, dissipated energy and |work of inputs|.
  double scale() const noexcept { return scale_; }
  /// Maximum |energy.total - its start value|.
  double drift() const noexcept { return drift_; }
  /// Whether the motion gained more than a tenth of its energy so far that no input gave, and more than round-off.
  bool grows() const noexcept { return grows_since_ >= 0; }
  /// The first of the recorded ticks up to the newest that all found such a growth; -1 for none.
  std::int64_t growsSince() const noexcept { return grows_since_; }

 private:
  double mechanicalOf(const Energy& energy) const noexcept;

  double round_off_ = 0;  ///< energies below it have no meaning
  double start_ = 0, start_total_ = 0, start_dissipated_ = 0, start_input_ = 0;
  double gained_ = 0, drifted_ = 0;  ///< of the newest record, above the start
  double growth_ = 0, scale_ = 0, drift_ = 0;
  std::int64_t grows_since_ = -1;
};

}  // namespace tactus::rt
