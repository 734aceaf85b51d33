// A polynomial of time, which a drive follows.
#pragma once

#include "rt/model/elements/element.h"

#include <vector>

namespace tactus::rt {

/// c0 + c1 t + c2 t^2 + ...
struct PolynomialSpec {
  std::vector<double> coefficients;

  static constexpr const char* kName = "polynomial";
  static Fields fields();
};

void check(const PolynomialSpec& spec, const FindingPlace& at);
void build(const PolynomialSpec& spec, Drive& drive);

}  // namespace tactus::rt
