#include "rt/mechanics/elements/bushing.h"

namespace tactus::rt {

namespace {

/// What an input sets of a row.
double setOf(const InputOfRow& of_row, const double* input) noexcept {
  return of_row.actuator < 0 ? 0.0 : of_row.scaling(input[of_row.actuator]);
}

}  // namespace

const CompliantLaw& LinearRows::lawAt(const RowContext& at, const double*, const double*,
                                      CompliantLaw& scratch) noexcept {
  const CompliantLaw& law = at.law;
  if (!law.has_input) return law;
  scratch = law;
  for (int r = 0; r < law.rows; ++r)
    scratch.preload[r] += setOf(law.preload_of_row[static_cast<std::size_t>(r)], at.input);
  return scratch;
}

double LinearRows::storedEnergy(const RowContext& at, const double* phi) noexcept {
  const CompliantLaw& law = at.law;
  double sum = 0;
  for (int r = 0; r < law.rows; ++r) {
    const double x = phi[r] - law.rest[r];
    sum += law.preload[r] * x;
    for (int c = 0; c < law.rows; ++c) sum += 0.5 * x * law.K(r, c) * (phi[c] - law.rest[c]);
  }
  return sum;
}

ElementPower LinearRows::power(const RowContext& at, const double*, const double* rate) noexcept {
  const CompliantLaw& law = at.law;
  ElementPower power;
  for (int r = 0; r < law.rows; ++r)
    for (int c = 0; c < law.rows; ++c) power.dissipated += rate[r] * law.C(r, c) * rate[c];
  for (int r = 0; law.has_input && r < law.rows; ++r)
    power.input -= setOf(law.preload_of_row[static_cast<std::size_t>(r)], at.input) * rate[r];
  return power;
}

}  // namespace tactus::rt
