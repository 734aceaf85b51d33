#include "server/batch/spectrum.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <complex>
#include <numbers>

using namespace tactus::server;

TEST_CASE("a spectrum separates slow errors from errors that alternate from sample to sample", "[server][batch]") {
  std::vector<double> slow, fast;
  for (int k = 0; k < 101; ++k) {
    slow.push_back(3 + 2e-3 * std::sin(2 * std::acos(-1.0) * 2 * k / 101));
    fast.push_back(k % 2 == 0 ? 1e-2 : -1e-2);
  }
  const Spectrum one = spectrumOf({slow}, 0.01);
  CHECK(one.dominant == Approx(2 / 1.01));
  CHECK(one.amplitude[1] == Approx(2e-3));
  CHECK(one.fast_share < 1e-9);  // round-off: the series is one sine
  const Spectrum other = spectrumOf({slow, fast, fast}, 0.01);
  CHECK(other.dominant == Approx(50 / 1.01));
  CHECK(other.fast_share > 0.3);  // the fast series have most of the power
  CHECK(spectrumOf({{1, 2, 3}}, 0.01).frequency.empty());
}

TEST_CASE("a spectrum is the discrete Fourier transform of any number of samples", "[server][batch]") {
  for (const std::size_t n : {8U, 9U, 100U, 101U}) {
    std::vector<double> values;
    for (std::size_t k = 0; k < n; ++k) values.push_back(std::sin(0.7 * static_cast<double>(k * k)));
    const Spectrum spectrum = spectrumOf({values}, 1.0);
    REQUIRE(spectrum.amplitude.size() == n / 2);
    for (std::size_t f = 1; f <= n / 2; ++f) {
      std::complex<double> sum = 0;
      for (std::size_t k = 0; k < n; ++k)
        sum += values[k] * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(f * k) / static_cast<double>(n));
      // Round-off of n terms of size one. The highest frequency of an even number has no mirrored one.
      const double sides = 2 * f == n ? 1 : 2;
      CHECK(spectrum.amplitude[f - 1] ==
            Approx(sides * std::abs(sum) / static_cast<double>(n)).epsilon(0).margin(1e-13));
    }
  }
}
