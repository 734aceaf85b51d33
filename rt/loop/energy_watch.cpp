#include "rt/loop/energy_watch.h"

#include "rt/mechanics/energy.h"
#include "rt/mechanics/kinematics.h"
#include "rt/model/model.h"
#include "rt/state/state.h"

namespace tactus::rt {

EnergyWatch::EnergyWatch(const Model& model, double dt) : balance_(model, dt), motions_(model.bodies.size()) {}

EnergyWatch::~EnergyWatch() = default;

Energy EnergyWatch::energyAt(const Model& model, const State& state) noexcept {
  const StateView view = state.view();
  for (std::size_t i = 0; i < motions_.size(); ++i) motions_[i] = bodyMotion(view, static_cast<int>(i));
  return energyOf(model, view, motions_.data());
}

void EnergyWatch::begin(const Model& model, const State& state) noexcept {
  balance_.begin(energyAt(model, state));
  publish();
}

void EnergyWatch::rebase(const Model& model, const State& state) noexcept {
  balance_.rebase(energyAt(model, state));
}

bool EnergyWatch::record(const Model& model, const State& state) noexcept {
  if (state.tick % kEvery != 0) return false;
  const bool grew = balance_.grows();
  balance_.record(state.tick, energyAt(model, state));
  publish();
  return balance_.grows() && !grew;
}

void EnergyWatch::publish() noexcept {
  growth_.store(balance_.growth(), std::memory_order_relaxed);
  scale_.store(balance_.scale(), std::memory_order_relaxed);
  drift_.store(balance_.drift(), std::memory_order_relaxed);
  grows_since_.store(balance_.growsSince(), std::memory_order_release);
}

EnergyReport EnergyWatch::report() const noexcept {
  const std::int64_t since = grows_since_.load(std::memory_order_acquire);
  return {growth_.load(std::memory_order_relaxed), scale_.load(std::memory_order_relaxed),
          drift_.load(std::memory_order_relaxed), since};
}

}  // namespace tactus::rt
