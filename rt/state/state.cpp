#include "rt/state/state.h"

#include "rt/math/fnv.h"
#include "rt/model/model.h"

#include <cstdio>

namespace tactus::rt {

StateLayout::StateLayout(const Model& model) noexcept
    : bodies(model.bodyCount()),
      rows(model.rows),
      displacements(model.displacements),
      internal_states(model.internal_states),
      actuators(model.actuatorCount()) {}

std::uint64_t hashState(const State& state) noexcept {
  return hashState(state.tick, state.values());
}

std::uint64_t hashState(std::int64_t tick, std::span<const double> values) noexcept {
  Fnv1a hash;
  hash.addBytes(&tick, sizeof tick);
  hash.addBytes(values.data(), values.size_bytes());
  return hash.value();
}

std::string formatHash(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace tactus::rt
