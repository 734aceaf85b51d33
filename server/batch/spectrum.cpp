#include "server/batch/spectrum.h"

#include <unsupported/Eigen/FFT>

#include <cmath>
#include <complex>

namespace tactus::server {

Spectrum spectrumOf(const std::vector<std::vector<double>>& series, double interval) {
  Spectrum spectrum;
  const std::size_t n = series.empty() ? 0 : series.front().size();
  if (n < 8) return spectrum;
  // The transform at frequency 0 is the mean of a series, which does not count.
  Eigen::FFT<double> fft;
  std::vector<std::complex<double>> transform;
  std::vector<double> power(n / 2, 0);
  for (const std::vector<double>& values : series) {
    fft.fwd(transform, values);
    for (std::size_t f = 1; f <= n / 2; ++f) power[f - 1] += std::norm(transform[f]);
  }
  double all = 0, fast = 0, largest = 0;
  for (std::size_t f = 1; f <= n / 2; ++f) {
    // The highest frequency of an even number of samples has no mirrored one.
    const double sides = 2 * f == n ? 1 : 2, p = 0.5 * sides * power[f - 1];
    spectrum.frequency.push_back(static_cast<double>(f) / (static_cast<double>(n) * interval));
    spectrum.amplitude.push_back(sides * std::sqrt(power[f - 1]) / static_cast<double>(n));
    all += p;
    if (f > n / 4) fast += p;
    if (p > largest) largest = p, spectrum.dominant = spectrum.frequency.back();
  }
  if (all > 0) spectrum.fast_share = fast / all;
  return spectrum;
}

}  // namespace tactus::server
