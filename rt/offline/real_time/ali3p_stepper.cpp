#include "rt/offline/real_time/ali3p_stepper.h"

#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/extrapolation_limit.h"
#include "rt/model/model.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace tactus::rt::offline {

namespace {

constexpr int kMaxIterations = 20;

}  // namespace

Ali3pStepper::Ali3pStepper(const DynamicSystem& system, const MotionPoint& start, const Options& options)
    : equations_(mechanismOf(system)),
      options_(options),
      plan_(compilePlan(equations_.model())),
      state_(equations_.model()),
      workspace_(equations_.model(), plan_),
      point_(start) {
  equations_.writeMotion(start, state_);
  const std::vector<double> input = equations_.inputAt(start.t);
  std::copy(input.begin(), input.end(), state_.input());
}

StepReport Ali3pStepper::tryStep(const Settings& settings, std::span<const double> input) {
  const StepReport report = rt::step(equations_.model(), plan_, settings, input, state_, workspace_);
  statistics_.newton_iterations += report.iterations;
  statistics_.force_evaluations += report.iterations + 1;
  statistics_.factorizations += report.factorizations;
  return report;
}

void Ali3pStepper::advance(double h) {
  const Model& model = equations_.model();
  Settings settings = chooseSettings(model, std::llround(h * 1e9), options_.changes);
  if (settings.order() > 2 && settings.period_ns != checked_period_ns_) {
    if (const std::optional<Finding> finding = findAmplified(model, settings)) throw StepFailure(finding->rule);
    checked_period_ns_ = settings.period_ns;
  }
  const std::vector<double> input = equations_.inputAt(point_.t + h);

  const State before = state_;
  StepReport report = tryStep(settings, input);
  while (report.status == TickStatus::kOk && options_.tolerance > 0 &&
         report.increment > options_.tolerance * std::max(1.0, model.length) && settings.iterations < kMaxIterations) {
    settings.iterations = std::min(2 * settings.iterations, kMaxIterations);
    state_ = before;
    report = tryStep(settings, input);
  }
  if (report.status != TickStatus::kOk) throw StepFailure(toString(report.status));
  if (options_.tolerance > 0 && report.increment > options_.tolerance * std::max(1.0, model.length)) {
    std::ostringstream text;
    text << "no convergence in " << settings.iterations << " iterations; the last increment was " << report.increment
         << " m";
    throw StepFailure(text.str());
  }
  point_ = equations_.pointOf(state_, point_.t + h);
  ++statistics_.steps;
}

}  // namespace tactus::rt::offline
