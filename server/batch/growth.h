// How an error grows over a run, and what becomes of it over a longer one.
#pragma once

#include <string>
#include <vector>

namespace tactus::server {

struct Growth {
  bool known = false;         ///< at least eight values, which do not begin after the second quarter
  bool exponential = false;   ///< else a power of time
  double rate = 0;            ///< 1/s if exponential, else the power, 0 to 3
  double extrapolated = 0;    ///< value at the wanted time; with the power 3 where the growth is not known
  double reaches_one_at = 0;  ///< s, when the value exceeds 1 first; where it does not in the run, the extrapolated
                              ///< time. 0: not before a thousand times the length of the run

  std::string text() const;  ///< "grow as t^1.1", "grow by a factor e in 0.4 s", "do not grow", "begin late ..."
};

/// Fits the largest values of the four quarters of a run: by an exponential if they rise by factors that do not fall
/// from quarter to quarter, else by a power of time. A value that begins in the third quarter or later, or that has too
/// few samples, does not show how it grows.
/// @param[in] t       s, rising, above 0
/// @param[in] value   not below 0
/// @param[in] wanted  s, at least t.back()
Growth growthOf(const std::vector<double>& t, const std::vector<double>& value, double wanted);

}  // namespace tactus::server
