// The frequencies in a set of series.
#pragma once

#include <cstddef>
#include <vector>

namespace tactus::server {

struct Spectrum {
  std::vector<double> frequency;  ///< Hz, from one over the length of the series to half the sampling rate
  std::vector<double> amplitude;  ///< root of the sum of squares over the series, in their unit
  double dominant = 0;            ///< Hz, where the amplitude is largest; 0 where there is none
  double fast_share = 0;          ///< of the sum of squared amplitudes, above half the highest frequency
};

/// Discrete Fourier transform of each series, without its mean.
/// @param[in] series    all of one length; fewer than eight values have no spectrum
/// @param[in] interval  s between two values
Spectrum spectrumOf(const std::vector<std::vector<double>>& series, double interval);

}  // namespace tactus::server
