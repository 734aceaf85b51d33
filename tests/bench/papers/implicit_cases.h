// The methods of [MSE] section 5, as its figures show them.
#pragma once

#include <string>
#include <vector>

namespace tactus::bench {

/// A method with its damping and its implicit solves a step.
struct ImplicitCase {
  std::string method;
  int solves;
  std::string rho_inf;  ///< empty: the method has none
};

/// The methods in the order of the parts (a), (b), (c) of a figure.
std::vector<ImplicitCase> implicitCases();

}  // namespace tactus::bench
