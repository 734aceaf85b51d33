#include "server/offline/spectrum.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

namespace tactus::server {

Spectrum spectrumOf(const std::vector<std::vector<double>>& series, double interval) {
  Spectrum spectrum;
  const std::size_t n = series.empty() ? 0 : series.front().size();
  if (n < 8) return spectrum;
  std::vector<std::complex<double>> turn(n);
  for (std::size_t k = 0; k < n; ++k)
    turn[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
  std::vector<double> power(n / 2, 0);
  for (const std::vector<double>& values : series) {
    double mean = 0;
    for (const double value : values) mean += value / static_cast<double>(n);
    for (std::size_t f = 1; f <= n / 2; ++f) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += (values[k] - mean) * turn[f * k % n];
      power[f - 1] += std::norm(sum);
    }
  }
  double all = 0, fast = 0, largest = 0;
  for (std::size_t f = 1; f <= n / 2; ++f) {
    const double p = power[f - 1];
    spectrum.frequency.push_back(static_cast<double>(f) / (static_cast<double>(n) * interval));
    spectrum.amplitude.push_back(2 * std::sqrt(p) / static_cast<double>(n));
    all += p;
    if (f > n / 4) fast += p;
    if (p > largest) largest = p, spectrum.dominant = spectrum.frequency.back();
  }
  if (all > 0) spectrum.fast_share = fast / all;
  return spectrum;
}

}  // namespace tactus::server
