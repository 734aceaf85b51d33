// Coefficients of explicit Runge-Kutta methods.
#pragma once

#include <vector>

namespace tactus::rt::offline {

/// Coefficients of a method.
struct ExplicitRungeKutta {
  std::vector<std::vector<double>> a;  ///< rows of growing length
  std::vector<double> b, c;
  std::vector<double> embedded;  ///< weights of the embedded solution, or empty
  int order = 4;
};

const ExplicitRungeKutta& classicalRungeKutta();
const ExplicitRungeKutta& dormandPrince();  ///< order 5(4)

}  // namespace tactus::rt::offline
