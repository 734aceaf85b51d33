// The frequencies in a set of series.
#pragma once

#include <cstddef>
#include <vector>

namespace tactus::server {

struct Spectrum {
  std::vector<double> frequency;  ///< Hz, from 1 / duration of the series to half the sampling rate
  std::vector<double> amplitude;  ///< root of the sum of squares over the series, in the unit of the series
  double dominant = 0;            ///< frequency of the largest amplitude, Hz; 0 without a spectrum
  double fast_share = 0;          ///< share of the squared amplitudes above half the highest frequency
};

/// The discrete Fourier transform of each series, without its mean.
/// @param[in] series    series of equal length; fewer than eight values have no spectrum
/// @param[in] interval  time between two values, s
Spectrum spectrumOf(const std::vector<std::vector<double>>& series, double interval);

}  // namespace tactus::server
