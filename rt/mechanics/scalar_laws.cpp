#include "rt/mechanics/scalar_laws.h"

#include "rt/model/model.h"

#include <algorithm>

namespace tactus::rt {

ScalarLaws::ScalarLaws(const Model& model, std::vector<int> rows) {
  std::sort(rows.begin(), rows.end());
  for (const Joint& joint : model.joints) {
    if (!joint.compliant() || !std::binary_search(rows.begin(), rows.end(), joint.first_row)) continue;
    const CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    if (law.rows != 1 || !law.linear() || law.has_input) continue;
    if (runs_.empty() || runs_.back().row + runs_.back().count != joint.first_row)
      runs_.push_back({joint.first_row, 0, law_.size()});
    ++runs_.back().count;
    law_.push_back(joint.law_index);
    K_.push_back(law.K(0, 0));
    C_.push_back(law.C(0, 0));
    rest_.push_back(law.rest[0]);
    preload_.push_back(law.preload[0]);
    damped_ = damped_ || law.C(0, 0) != 0;
  }
  E_.resize(law_.size());
  share_.resize(law_.size());
}

bool ScalarLaws::has(int law) const noexcept {
  return std::find(law_.begin(), law_.end(), law) != law_.end();
}

template <class F>
void ScalarLaws::forEachRun(F&& f) const noexcept {
  for (const Run& run : runs_) f(run.row, run.count, run.first);
}

void ScalarLaws::take(const std::vector<Matrix6d>& compliance, const std::vector<Matrix6d>& elastic_share) noexcept {
  for (std::size_t k = 0; k < law_.size(); ++k) {
    E_[k] = compliance[static_cast<std::size_t>(law_[k])](0, 0);
    share_[k] = elastic_share[static_cast<std::size_t>(law_[k])](0, 0);
  }
}

void ScalarLaws::left(const double* phi, const double* rates, const double* lambda, double* to) const noexcept {
  forEachRun([&](int row, int count, std::size_t first) noexcept {
    const double *E = &E_[first], *K = &K_[first], *C = &C_[first], *rest = &rest_[first], *preload = &preload_[first];
    const double *x = phi + row, *v = rates + row, *l = lambda + row;
    double* __restrict result = to + row;
    for (int k = 0; k < count; ++k) result[k] = E[k] * (l[k] - (preload[k] + (K[k] * (x[k] - rest[k]) + C[k] * v[k])));
  });
}

void ScalarLaws::addDamping(double sign, const double* rates, double* lambda) const noexcept {
  forEachRun([&](int row, int count, std::size_t first) noexcept {
    const double *C = &C_[first], *v = rates + row;
    double* __restrict result = lambda + row;
    for (int k = 0; k < count; ++k) result[k] += sign * (C[k] * v[k]);
  });
}

void ScalarLaws::beginFilter(double dt, const double* phi, const double* start, const double* rates, double* filtered,
                             double* to) const noexcept {
  forEachRun([&](int row, int count, std::size_t first) noexcept {
    const double *share = &share_[first], *x = phi + row, *x_0 = start + row, *v = rates + row;
    double* __restrict of_filter = filtered + row, * __restrict result = to + row;
    for (int k = 0; k < count; ++k) result[k] = of_filter[k] = share[k] * ((x[k] - x_0[k]) / dt - v[k]);
  });
}

void ScalarLaws::continueFilter(double* filtered, double* solution) const noexcept {
  forEachRun([&](int row, int count, std::size_t first) noexcept {
    const double *share = &share_[first], *E = &E_[first];
    double* __restrict of_filter = filtered + row, * __restrict result = solution + row;
    for (int k = 0; k < count; ++k) result[k] = of_filter[k] = share[k] * (E[k] * result[k] + of_filter[k]);
  });
}

double ScalarLaws::dissipated(const double* rates) const noexcept {
  double sum = 0;
  forEachRun([&](int row, int count, std::size_t first) noexcept {
    for (int k = 0; k < count; ++k) {
      const double rate = rates[row + k];
      sum += rate * C_[first + static_cast<std::size_t>(k)] * rate;
    }
  });
  return sum;
}

}  // namespace tactus::rt
