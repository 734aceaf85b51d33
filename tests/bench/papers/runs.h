// Runs of the offline methods for the papers' experiments, and what is read from them.
#pragma once

#include "rt/offline/integrator.h"
#include "tests/bench/papers/table.h"
#include "tests/support/offline_runs.h"

#include <string>
#include <vector>

namespace tactus::bench {

using Settings = std::vector<std::string>;
using tests::grid;
using tests::groundForce;
using tests::viewOf;

/// Runs a method from the declared start of a model.
/// @param[in] times  of the samples, s; empty: every step
rt::offline::Trajectory runOn(const rt::Model& model, const std::string& method, double step, double until,
                              const std::vector<double>& times, const Settings& settings);

/// The last multiple of a step up to `until`, s.
double wholeSteps(double step, double until);

/// Times of the samples of a run without its start, s.
std::vector<double> timesOf(const rt::offline::Trajectory& run);

const char* endingOf(const rt::offline::Trajectory& run);

/// The experiments of a paper: the name of each table and the function that writes it.
struct Experiment {
  const char* name;
  void (*run)(const Request&);
};

std::vector<Experiment> rosenbrockExperiments();
std::vector<Experiment> tangentExperiments();
std::vector<Experiment> implicitExperiments();
std::vector<Experiment> minimalExperiments();
std::vector<Experiment> ali3pExperiments();

}  // namespace tactus::bench
