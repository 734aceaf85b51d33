#include "rt/ali3p/step_end.h"

#include "rt/mechanics/elements/spring.h"

#include <vector>

namespace tactus::rt {

void storeInput(std::span<const double> input, State& to) noexcept {
  for (std::size_t i = 0; i < input.size(); ++i) to.input()[i] = input[i] + 0.0;
}

void integrateWork(const Model& model, double dt, const State& from, State& to) noexcept {
  const StateView previous = from.view();
  to.workInput() = previous.workInput() + 0.5 * dt * (previous.powerInput() + to.powerInput()) +
                   freeLengthWork(model, previous, to.view());
  to.workDissipated() = previous.workDissipated() + 0.5 * dt * (previous.powerDissipated() + to.powerDissipated());
}

bool isFinite(const State& state) noexcept {
  // A sum is finite only if all its terms are. Several sums, because one alone would wait for each addition.
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  const std::vector<double>& values = state.values();
  const std::size_t whole = values.size() / kSums * kSums;
  for (std::size_t i = 0; i < whole; i += kSums)
    for (std::size_t k = 0; k < kSums; ++k) sums[k] += values[i + k] * 0.0;
  for (std::size_t i = whole; i < values.size(); ++i) sums[i - whole] += values[i] * 0.0;
  for (std::size_t half = kSums / 2; half > 0; half /= 2)
    for (std::size_t k = 0; k < half; ++k) sums[k] += sums[half + k];
  return sums[0] == 0.0;
}

}  // namespace tactus::rt
