// A mechanism at the predictor of its first step, with the parts of a tree workspace: what the tests of the tree share.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/ali3p/tree/solve.h"
#include "rt/ali3p/tree/workspace.h"
#include "rt/model/model.h"
#include "rt/model/model_spec.h"
#include "rt/plan/outline.h"
#include "tests/support/dense_oracle.h"

#include <Eigen/Dense>

#include <array>
#include <vector>

namespace tactus::tests {

/// Step length of the tests of one step, s.
inline constexpr double kDt = 1e-2;

/// Increments and multipliers of a solve.
struct SolveErrors {
  double x, lambda;  ///< largest error, relative to the largest value
};

struct TreeProblem {
  /// At the predictor, with rows and loads evaluated.
  TreeProblem(const rt::ModelSpec& spec, double step_length);
  TreeProblem(const rt::Model& the_model, const rt::Plan& the_plan, double step_length);

  double scale() const { return 0.25 * dt * dt; }

  /// Rows and loads at the iterate.
  void evaluate();
  int formTangent(const rt::Settings& settings);
  bool factor();
  /// Right side and solution in ws.unknowns.
  void solve(rt::RightSide right_side);

  /// The matrix [W^-1 H^T; H -eps] of the tangent, all bodies first; built from the parts, not from the fronts.
  Eigen::MatrixXd matrix() const;
  /// Right side of natural sizes: forces of order 1, gaps of order 1e-4.
  Eigen::VectorXd randomRightSide(rt::RightSide right_side, unsigned seed) const;
  /// Solves a random right side and compares with one dense solve in extended precision.
  SolveErrors compareSolve(rt::RightSide right_side, unsigned seed);

  rt::Model model;
  rt::Plan plan;
  double dt;
  rt::TreeWorkspace ws;
};

/// Settings with a relative compliance.
rt::Settings settingsWith(double relative_compliance, bool gyroscopic = false);

/// Divides a tree however small it is.
rt::DivisionRule alwaysDivided();

/// The plans that are chosen, and those of rows alone and of every forest of freedoms, each also divided into units
/// where it can be.
std::vector<rt::Plan> everyPlan(const rt::Model& model);

/// Checks every plan of a mechanism, with either tangent, against the dense solve.
void checkAgainstDense(const rt::ModelSpec& spec, double tolerance, double relative_compliance = 1e-9);

/// A free hub with `arms` equal arms of two bodies each.
rt::ModelSpec equalArms(int arms);

/// The bodies of the batch that holds a body, by lane; -1 where a lane is empty.
std::array<int, rt::kBatchLanes> companyOf(const rt::Plan& plan, int body);

}  // namespace tactus::tests
