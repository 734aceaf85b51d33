#include "rt/offline/minimal/minimal_stepper.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

MinimalStepper::MinimalStepper(const DynamicSystem& system, const MotionPoint& start, const Settings& settings)
    : system_(system),
      settings_(settings),
      point_(start),
      rule_(TangentSpace(MatrixXd(system.jacobian(start))).ruleAfter({})),
      basis_(factoredBasis(MatrixXd(system.jacobian(start)), settings.factorization, rule_.threshold)),
      control_(settings.tolerances, settings.method->order - 1) {
  if (settings.tolerances.adaptive && settings.method->embedded.empty())
    throw Error("adaptive steps need rule=dormand-prince, which has an embedded solution");
  if (settings.record) traveled_ = VectorXd::Zero(basis_.free.cols());
}

std::vector<std::string> MinimalStepper::ownNames() const {
  std::vector<std::string> names;
  const auto numbered = [&](const std::string& what) {
    for (Eigen::Index k = 1; k <= traveled_.size(); ++k) names.push_back(what + std::to_string(k));
  };
  numbered("coordinate.");
  numbered("rate.");
  for (Eigen::Index k = 1; k <= traveled_.size(); ++k)
    for (int i = 1; i <= system_.size(); ++i) names.push_back("basis." + std::to_string(k) + '.' + std::to_string(i));
  return names;
}

std::vector<double> MinimalStepper::ownValues() const {
  // At a singular pose one more motion may be free; the columns are those of the start.
  const auto n = std::min(traveled_.size(), basis_.free.cols());
  std::vector<double> values(static_cast<std::size_t>(traveled_.size() * (2 + system_.size())), 0);
  const VectorXd rate = generalizedVelocity();
  for (Eigen::Index k = 0; k < n; ++k) {
    values[static_cast<std::size_t>(k)] = traveled_[k];
    values[static_cast<std::size_t>(traveled_.size() + k)] = rate[k];
    for (int i = 0; i < system_.size(); ++i)
      values[static_cast<std::size_t>((2 * traveled_.size()) + k * system_.size() + i)] = basis_.free(i, k);
  }
  return values;
}

MinimalStepper::Trial MinimalStepper::tryStep(double h, const MinimalCoordinates& coordinates) {
  const RungeKuttaStep step = rungeKuttaStep(*settings_.method, point_, coordinates, h, statistics_);
  Trial trial{step.end, step.s, 0};
  if (settings_.method->embedded.empty()) return trial;
  statistics_.error_estimate = std::max(statistics_.error_estimate, step.position_error.norm());
  trial.error = errorNorm(system_, settings_.tolerances, coordinates.basis().free, step.position_error, step.rate_error,
                          step.internal_error, point_, step.end);
  return trial;
}

void MinimalStepper::advance(double limit) {
  const MinimalCoordinates coordinates(system_, point_, basis_, rule_.threshold);
  const auto attempt = [&](double h) -> Trial {
    try {
      return tryStep(h, coordinates);
    } catch (const NoConvergence&) {
      if (!settings_.tolerances.adaptive) throw;
      return {point_, {}, kNoConvergence};
    }
  };
  Trial trial = attempt(control_.propose(limit));
  while (!control_.accept(trial.error)) {
    ++statistics_.rejected;
    trial = attempt(control_.propose(limit));
  }
  point_ = trial.point;
  if (traveled_.size() == trial.s.size()) traveled_ += trial.s;
  const TangentSpace space = setMultipliers(system_, rule_, point_);
  const MatrixXd H(system_.jacobian(point_));
  rule_ = space.ruleAfter(rule_);
  if (settings_.continuation) {
    basis_ = continuedBasis(H, basis_.free, rule_, settings_.factorization);
  } else {
    MotionBasis anew = factoredBasis(H, settings_.factorization, rule_.threshold);
    // At a singular pose no factorization knows the branch.
    const bool regular = anew.constrained.cols() >= rule_.rank;
    basis_ = regular ? std::move(anew) : continuedBasis(H, basis_.free, rule_, settings_.factorization);
  }
  ++statistics_.factorizations;
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
