// EnergyWatch: the energy balance of a running loop. The tick thread records, any thread reads.
#pragma once

#include "rt/mechanics/energy_balance.h"

#include <atomic>
#include <cstdint>
#include <vector>

namespace tactus::rt {

struct BodyMotion;
struct Model;
class State;

/// A copy of the balance; see EnergyBalance for each value.
struct EnergyReport {
  double growth = 0, scale = 0, drift = 0;  ///< J
  std::int64_t grows_since = -1;            ///< tick; -1: the energy does not grow
};

class EnergyWatch {
 public:
  /// Ticks from one look at the energy to the next, counted from tick 0: a sum over all bodies and force elements costs
  /// a share of a step, and an energy that grows goes on growing.
  static constexpr std::int64_t kEvery = 16;

  /// @param dt  length of a step, s
  EnergyWatch(const Model& model, double dt);
  ~EnergyWatch();

  // ---- the tick thread; any thread while no tick runs ----

  /// Begins a run: at set-up, after a reset or a restore.
  void begin(const Model& model, const State& state) noexcept;

  /// Takes the energy under the parameters that hold from now on as the new start; the change they cause is not growth.
  void rebase(const Model& model, const State& state) noexcept;

  /// @returns true if the energy begins to grow at this tick
  /// @rt no allocation, no lock, no throw, fixed work
  bool record(const Model& model, const State& state) noexcept;

  // ---- any thread ----

  EnergyReport report() const noexcept;
  bool grows() const noexcept { return grows_since_.load(std::memory_order_acquire) >= 0; }

 private:
  Energy energyAt(const Model& model, const State& state) noexcept;
  void publish() noexcept;

  EnergyBalance balance_;
  std::vector<BodyMotion> motions_;  ///< scratch
  std::atomic<double> growth_{0}, scale_{0}, drift_{0};
  std::atomic<std::int64_t> grows_since_{-1};
};

}  // namespace tactus::rt
