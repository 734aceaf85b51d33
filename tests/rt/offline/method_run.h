// A run of one method over a model, and how far the ends of two runs are from each other.
#pragma once

#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/integrator.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace tactus::tests {

/// Keeps the start and the end. Checks that the run came to it.
inline rt::offline::Trajectory runOn(const rt::Model& model, const rt::offline::InputSignal& input,
                                     const std::string& method, double step, double until,
                                     const std::vector<std::string>& settings = {}) {
  const rt::State start = rt::initialState(model).state;
  rt::offline::Trajectory t =
      rt::offline::integrate({model, start, input, step, until, {until}, nullptr, {}}, method, settings);
  INFO(method << ": " << t.failure);
  CHECK(t.ending == rt::offline::Ending::kComplete);
  return t;
}

/// Largest distance of any body's center of mass at the end of two runs.
inline double distance(const rt::Model& model, const rt::offline::Trajectory& a, const rt::offline::Trajectory& b) {
  const rt::StateLayout layout(model);
  const rt::StateView s(layout, a.samples.back().state.data()), r(layout, b.samples.back().state.data());
  double worst = 0;
  for (int i = 0; i < model.bodyCount(); ++i) worst = rt::worst(worst, (s.r(i) - r.r(i)).norm());
  return worst;
}

}  // namespace tactus::tests
