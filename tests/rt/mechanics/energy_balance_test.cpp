#include "rt/mechanics/energy_balance.h"

#include "rt/mechanics/energy.h"
#include "rt/model/model.h"
#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::rt;

namespace {

Energy energy(double kinetic, double potential, double dissipated = 0, double input = 0) {
  return {kinetic, potential, dissipated, input, kinetic + potential + dissipated - input};
}

EnergyBalance balanceOf(const Energy& start) {
  EnergyBalance balance(buildModel(tests::doublePendulum()), 1e-3);
  balance.begin(start);
  return balance;
}

}  // namespace

TEST_CASE("energy that goes to and fro, is dissipated, or comes from an input is no growth", "[rt][mechanics]") {
  EnergyBalance balance = balanceOf(energy(10, 5));
  balance.record(1, energy(0, 15));           // all of it is potential
  balance.record(2, energy(3, 2, 10));        // most of it is dissipated
  balance.record(3, energy(50, 2, 10, 47));   // an input drives it
  balance.record(4, energy(90, 2, -30, 47));  // friction that was loaded at the start gives back what it had stored
  CHECK_FALSE(balance.grows());
  CHECK(balance.growth() == 0);
  CHECK(balance.scale() == 90);
}

TEST_CASE("a growth above a tenth of the energy of the motion is reported since its first tick", "[rt][mechanics]") {
  EnergyBalance balance = balanceOf(energy(10, 5));
  balance.record(7, energy(10, 5.9));
  CHECK_FALSE(balance.grows());
  balance.record(8, energy(10, 6.1));
  balance.record(9, energy(10, 5));
  CHECK(balance.grows());
  CHECK(balance.growsSince() == 8);
  CHECK(balance.growth() == Approx(1.1));
  CHECK(balance.drift() == Approx(1.1));
  balance.begin(energy(10, 6));
  CHECK_FALSE(balance.grows());
}

TEST_CASE("what a motion from rest gains in its first step is no growth once the motion has outgrown it",
          "[rt][mechanics]") {
  EnergyBalance balance = balanceOf(energy(0, 0));
  balance.record(1, energy(1e-3, 0.0, 0.0, 5e-4));
  CHECK(balance.growsSince() == 1);
  balance.record(2, energy(1, 0, 0, 1));
  CHECK_FALSE(balance.grows());
  CHECK(balance.growth() == Approx(5e-4));
  balance.record(3, energy(1.2, 0, 0, 1));
  CHECK(balance.growsSince() == 3);
}

TEST_CASE("the round-off of a mechanism at rest is no growth", "[rt][mechanics]") {
  EnergyBalance balance = balanceOf(energy(0, 0));
  balance.record(1, energy(1e-32, 1e-16));
  CHECK_FALSE(balance.grows());
}

TEST_CASE("what a change of the model gives is no growth, and what had grown before stays", "[rt][mechanics]") {
  EnergyBalance balance = balanceOf(energy(10, 5));
  balance.record(1, energy(10, 5.5));
  balance.rebase(energy(20, 40));
  balance.record(2, energy(20, 40));
  CHECK_FALSE(balance.grows());
  CHECK(balance.growth() == Approx(0.5));
  CHECK(balance.drift() == Approx(0.5));
  balance.record(3, energy(20, 42));
  CHECK(balance.growth() == Approx(2.5));
  CHECK(balance.growsSince() == 3);
}
