#include "rt/mechanics/energy_balance.h"

#include "rt/mechanics/energy.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

/// Positions below this share of the model's length are round-off.
constexpr double kRoundOff = 1e-9;

}  // namespace

EnergyBalance::EnergyBalance(const Model& model, double dt) {
  double mass = 0;
  for (const Body& body : model.bodies) mass += body.mass;
  const double length = kRoundOff * model.length, speed = length / dt;
  round_off_ = mass * (model.gravity.norm() * length + speed * speed);
}

// Energy of the motion without what inputs gave, and without what friction and treads gave back of their start.
double EnergyBalance::mechanicalOf(const Energy& energy) const noexcept {
  return energy.kinetic + energy.potential - energy.input + std::min(0.0, energy.dissipated - start_dissipated_);
}

void EnergyBalance::begin(const Energy& energy) noexcept {
  start_dissipated_ = energy.dissipated;
  start_input_ = energy.input;
  start_ = mechanicalOf(energy);
  start_total_ = energy.total;
  gained_ = drifted_ = growth_ = drift_ = 0;
  scale_ = energy.kinetic;
  grows_since_ = -1;
}

void EnergyBalance::rebase(const Energy& energy) noexcept {
  start_ = mechanicalOf(energy) - gained_;
  start_total_ = energy.total - drifted_;
}

void EnergyBalance::record(std::int64_t tick, const Energy& energy) noexcept {
  gained_ = mechanicalOf(energy) - start_;
  drifted_ = energy.total - start_total_;
  growth_ = std::max(growth_, gained_);
  drift_ = std::max(drift_, std::abs(drifted_));
  scale_ =
      std::max({scale_, energy.kinetic, energy.dissipated - start_dissipated_, std::abs(energy.input - start_input_)});
  // A motion that outgrows what it gained at its first steps, which are long for a start from rest, is sound.
  if (growth_ <= kReported * scale_ + round_off_)
    grows_since_ = -1;
  else if (grows_since_ < 0)
    grows_since_ = tick;
}

}  // namespace tactus::rt
