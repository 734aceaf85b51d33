// Rules of acceptance that hold for every published case.
#pragma once

#include "rt/math/worst.h"
#include "tests/support/mechanisms.h"
#include "tests/support/simulation.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::tests {

/// Constraint norms after each step, and the norm of the Euler parameters. The solver factors again where a step would
/// leave more than 1e-10 (Settings::refactor_violation) in a row; 1e-9 is three times the largest norm that is seen.
/// Euler parameters are normalized in each step: 1e-12 is round-off with room.
inline void checkConstraintNorms(const Recording& recording) {
  CHECK(recording.worst.constraint_position <= 1e-9);
  CHECK(recording.worst.constraint_velocity <= 1e-9);
  CHECK(recording.worst_norm <= 1e-12);
}

/// Errors of steps that are halved each time show order 2. The next term of the error shifts the observed order by up
/// to 0.07; the bound is three times that.
inline void checkOrderTwo(const std::vector<double>& errors) {
  CAPTURE(errors);
  for (const double order : observedOrders(errors)) CHECK(order == Approx(2).margin(0.2));
}

/// The motion of every body is the same to 2e-9 over the first second when bodies and joints are listed in another
/// order: sums of other terms first differ in the last digits only.
inline void checkOrderOfListing(const rt::ModelSpec& spec, const rt::Settings& settings) {
  std::vector<std::string> signals;
  for (const rt::BodySpec& b : spec.bodies) {
    for (const char* part : {".r.*", ".p.*", ".v.*", ".omega.*"}) signals.push_back(b.name + part);
  }
  const Recording one = record(spec, settings, 1, signals);
  REQUIRE(one.ok);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Recording other = record(reordered(spec, seed), settings, 1, signals);
    REQUIRE(other.ok);
    double worst = 0;
    for (const auto& [name, values] : one.values()) {
      for (std::size_t k = 0; k < values.size(); ++k) worst = rt::worst(worst, std::abs(values[k] - other[name][k]));
    }
    // Round-off of other orders of summation, grown over one second, is 1e-11. The plan may take the freedoms of joints
    // in one listing and rows in the other (tree of seed 2): these two solutions are 1.4e-9 apart.
    CHECK(worst <= 2e-9);
  }
}

}  // namespace tactus::tests
