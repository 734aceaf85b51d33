// Runs of the flexible mechanisms of [MSE] by its methods and by the step of the server, and what is read from them.
#pragma once

#include "rt/model/model.h"
#include "tests/bench/papers/implicit_cases.h"
#include "tests/support/compare.h"

#include <array>
#include <string>
#include <vector>

namespace tactus::bench {

/// What the figures of a mechanism show of one node of a beam.
struct FlexibleSubject {
  const char* model;                ///< built-in
  const char* body;                 ///< the node
  bool turns;                       ///< rotation (rad) and rate (rad/s) about x, or position, velocity and acceleration
                                    ///< along z (m, s); world axes
  std::vector<std::string> forces;  ///< with `turns`: their mean is the third value
  /// If set, the angle of the drive. The table of the model takes it at its own times, and every 2 ms at first.
  double (*angle)(double t) = nullptr;
  double fine_until = 0;  ///< s
  /// Of the flexible four-bar: elements of its bars; zero: those of the built-in model.
  std::array<int, 3> elements = {};
};

/// The values of a subject along a run.
struct History {
  std::vector<double> t;                     ///< s
  std::array<std::vector<double>, 3> value;  ///< as the subject says; the third is zero if it has none
  std::vector<double> energy;                ///< kinetic and potential, J
  bool failed = false;
  double iterations_of_solve = 0, cpu_s = 0;

  double end() const { return t.back(); }
  tests::Series series(std::size_t which) const;
};

/// The methods of the paper, and the step of the server.
std::vector<ImplicitCase> flexibleCases();

class FlexibleMechanism {
 public:
  explicit FlexibleMechanism(FlexibleSubject subject);

  /// @param[in] step_of_solve  s; a step is as long as the solves of the method together
  History run(const ImplicitCase& c, double step_of_solve, double until) const;

 private:
  FlexibleSubject subject_;
  rt::Model model_;
  int body_;
};

/// A run that began at rest, with rates and accelerations that are central differences of fourth order of its
/// positions: on index-3 equations an ESDIRK method is of its order in positions alone. The last two samples are left
/// out.
History withDifferences(History run);

/// Part of a run, s.
struct Window {
  double from, to;
};

/// "complete", or the time at which a run failed within the window or before.
std::string endingIn(const History& run, Window window);

/// Largest difference from a reference in the window, in percent of the largest value of the reference there.
double differencePercent(const History& run, const History& reference, std::size_t which, Window window);

/// The relative error of [MSE] Eq. (26) over the steps in the window.
double relativeError(const History& run, const History& reference, std::size_t which, Window window);

double rms(const History& run, std::size_t which, Window window);

/// Root mean square of what remains of a value after its moving mean of 0.1 s is taken away: oscillations above 10 Hz.
double ripple(const History& run, std::size_t which, Window window);

}  // namespace tactus::bench
