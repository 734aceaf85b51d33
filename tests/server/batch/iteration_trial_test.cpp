// How many iterations a model with compliant rows needs: a short run finds it.
#include "server/batch/iteration_trial.h"

#include "rt/ali3p/monitor.h"
#include "rt/model/model.h"
#include "server/batch/offline_run.h"
#include "server/models/beams.h"
#include "server/models/built_in_models.h"

#include <catch2/catch.hpp>

#include <atomic>

using namespace tactus;
using namespace tactus::server;

namespace {

/// A wire as soft as rubber bends much in every step: its increments shrink slowly.
rt::Model softWire() {
  rt::ModelSpec spec = makeBeamChain(4);
  auto& wire = std::get<rt::BeamSpec>(spec.composites[0].kind);
  wire.material->young = 5e7;
  return rt::buildModel(spec);
}

}  // namespace

TEST_CASE("a trial finds the number of iterations with which all its steps converge", "[server][batch]") {
  const rt::Model model = softWire();
  const rt::Settings settings = rt::chooseSettings(model, 4'000'000);
  const IterationTrial trial = tryIterations(model, settings);
  CAPTURE(trial.steps, trial.not_converged, trial.increment);
  REQUIRE(trial.ok);
  CHECK(trial.not_converged > 0);
  REQUIRE(trial.needed > settings.iterations);
  REQUIRE(trial.needed <= rt::kMaxIterations);
  OfflineRunOptions options;
  options.settings = settings;
  options.settings.iterations = trial.needed;
  options.ticks = trial.steps;
  CHECK(runOffline(model, options, std::atomic<bool>(false)).not_converged == 0);
}

TEST_CASE("too few iterations for compliant rows are a warning that says how many are enough", "[server][batch]") {
  const rt::Model soft = softWire();
  const rt::Settings settings = rt::chooseSettings(soft, 4'000'000);
  const IterationTrial trial = tryIterations(soft, settings);
  const auto finding = findUnconverged(trial, settings);
  REQUIRE(finding);
  CHECK(finding->severity == rt::Severity::kWarning);
  CHECK(finding->path == "solver.iterations");
  CHECK(finding->value == std::to_string(settings.iterations));
  CHECK(finding->rule.find("should be " + std::to_string(trial.needed)) == 0);

  const rt::Model steel = rt::buildModel(makeBeamChain(4));
  const IterationTrial enough = tryIterations(steel, rt::chooseSettings(steel));
  CHECK(enough.needed == rt::chooseSettings(steel).iterations);
  CHECK_FALSE(findUnconverged(enough, rt::chooseSettings(steel)));
}
