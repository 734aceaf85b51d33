// Coefficients of the methods with tunable damping at high frequency, and of the Kennedy-Carpenter methods.
//
// rho_inf in [0, 1] is the magnitude of all roots of a method at infinite frequency: 0 damps most, 1 not at all.
// Sources: [MSE] and its references; closed forms replace tables where they exist. rt/doc/offline.md lists which
// numbers are derived, which are published, and the misprints.
#pragma once

#include <complex>
#include <string>
#include <vector>

namespace tactus::rt::offline {

/// y_k = sum_{j=1..r} alpha_j y_{k-j} + h sum_{j=0..r} beta_j yd_{k-j}; element j of each list.
struct MultistepCoefficients {
  std::vector<double> alpha;  ///< [0] is not used
  std::vector<double> beta;
};

/// r = 2, 3 or 4 steps. At rho_inf = 1 the formula is only weakly stable; see MultistepStepper for what is done then.
MultistepCoefficients multistepCoefficients(int r, double rho_inf);

/// Two steps of different length; `ratio` is the new step over the one before. All of beta multiply the new step.
MultistepCoefficients twoStepCoefficients(double rho_inf, double ratio);

/// The single-step form with r - 1 auxiliary rates v^1 ... v^{r-1}, v^0 = yd:
///
///   y_k = y_{k-1} + h (c_0 yd_k + c_1 yd_{k-1} + sum_j Re(e_j v^j_{k-1}))
///   v^j_k = (p_j v^{j-1}_{k-1} + q_j v^{j-1}_k - s_j v^j_{k-1})
///
/// equal to the multistep form in vector spaces. Element 0 of the lists is not used.
struct SingleStepCoefficients {
  double c_0, c_1;
  std::vector<std::complex<double>> e, p, q, s;
};

/// r = 2, 3 or 4.
SingleStepCoefficients singleStepCoefficients(int r, double rho_inf);

/// A stiffly accurate Runge-Kutta method with an explicit first stage and one diagonal coefficient gamma.
struct Esdirk {
  std::vector<std::vector<double>> a;  ///< rows of all stages; the last row is b
  std::vector<double> c;
  std::vector<double> embedded;  ///< weights of the embedded solution, or empty
  double gamma = 0;
  int order = 2;

  int stages() const { return static_cast<int>(c.size()); }
};

/// n = 2 is the rho_inf-Bathe method; n = 3, 4, 5: MSSTC(n). Second order, as flat as can be at low frequency.
Esdirk trapezoidalSubsteps(int n, double rho_inf);

/// MSSTH(n), n = 3, 4, 5, of order n. rho_inf up to 0.4 (0.3 for n = 5): beyond, the table is singular.
Esdirk highOrderSubsteps(int n, double rho_inf);

/// "esdirk32-4l", "esdirk32-5l" or "esdirk43-6l".
Esdirk kennedyCarpenter(const std::string& name);

}  // namespace tactus::rt::offline
