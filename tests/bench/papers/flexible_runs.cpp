#include "tests/bench/papers/flexible_runs.h"

#include "rt/error.h"
#include "rt/math/euler_parameters.h"
#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "rt/signals/signal_reader.h"
#include "server/models/built_in_models.h"
#include "tests/bench/papers/runs.h"
#include "tests/support/beams.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tactus::bench {

namespace {

using namespace rt::offline;

constexpr double kSameTime = 1e-9;  // s, round-off of a time

bool within(double t, Window window) {
  return t >= window.from - kSameTime && t <= window.to + kSameTime;
}

/// Indices of the samples of a run in a window.
std::pair<std::size_t, std::size_t> samplesIn(const History& run, Window window) {
  const auto first = std::lower_bound(run.t.begin(), run.t.end(), window.from - kSameTime);
  const auto last = std::upper_bound(run.t.begin(), run.t.end(), window.to + kSameTime);
  return {static_cast<std::size_t>(first - run.t.begin()), static_cast<std::size_t>(last - run.t.begin())};
}

int indexOf(const rt::Model& model, const std::string& body) {
  const auto found = std::find(model.body_names.begin(), model.body_names.end(), body);
  if (found == model.body_names.end()) throw Error("the model has no body \"" + body + '"');
  return static_cast<int>(found - model.body_names.begin());
}

rt::ModelSpec specOf(const FlexibleSubject& subject) {
  rt::ModelSpec spec = server::openBuiltInModel(subject.model).spec;
  if (subject.elements[0] > 0) spec = tests::meshedFourBar(spec, subject.elements);
  if (subject.angle == nullptr) return spec;
  auto& table = std::get<rt::TableSpec>(spec.drives.at(0).function);
  std::vector<double> times;
  for (int k = 0; 2e-3 * k < subject.fine_until; ++k) times.push_back(2e-3 * k);
  const auto rest = std::upper_bound(table.times.begin(), table.times.end(), times.back() + kSameTime);
  times.insert(times.end(), rest, table.times.end());
  table.times = std::move(times);
  table.values.clear();
  for (const double t : table.times) table.values.push_back(subject.angle(t));
  return spec;
}

Settings settingsOf(const ImplicitCase& c) {
  if (c.method == "ali3p") return {};
  // No row of the mechanisms is redundant, so that none needs compliance.
  Settings settings = {"relative_compliance=0", "tolerance=1e-9"};
  if (!c.rho_inf.empty()) settings.push_back("rho_inf=" + c.rho_inf);
  return settings;
}

}  // namespace

tests::Series History::series(std::size_t which) const {
  return {t, value[which], {}};
}

std::vector<ImplicitCase> flexibleCases() {
  std::vector<ImplicitCase> all = implicitCases();
  all.push_back({"ali3p", 1, ""});
  return all;
}

FlexibleMechanism::FlexibleMechanism(FlexibleSubject subject)
    : subject_(std::move(subject)), model_(rt::buildModel(specOf(subject_))), body_(indexOf(model_, subject_.body)) {}

History FlexibleMechanism::run(const ImplicitCase& c, double step_of_solve, double until) const {
  const double h = c.solves * step_of_solve, start = cpuSeconds();
  const Trajectory run = runOn(model_, c.method, h, wholeSteps(h, until), {}, settingsOf(c));
  History history;
  history.cpu_s = cpuSeconds() - start;
  history.failed = run.ending != Ending::kComplete;
  history.iterations_of_solve = static_cast<double>(run.statistics.newton_iterations) /
                                static_cast<double>(std::max<std::int64_t>(1, run.statistics.steps * c.solves));

  std::vector<std::string> names = {"energy.kinetic", "energy.potential"};
  names.insert(names.end(), subject_.forces.begin(), subject_.forces.end());
  const rt::SignalDirectory directory(model_);
  rt::SignalReader reader(directory, directory.resolve(names));
  rt::Snapshot snapshot(model_);
  std::vector<double> read(names.size());
  rt::Matrix3d back = rt::Matrix3d::Identity();
  for (const Sample& sample : run.samples) {
    snapshot.state = sample.state;
    reader.read(snapshot, read);
    const rt::StateView s = viewOf(model_, sample);
    history.t.push_back(sample.t);
    history.energy.push_back(read[0] + read[1]);
    std::array<double, 3> values{s.r(body_).z(), s.v(body_).z(), s.a(body_).z()};
    if (subject_.turns) {
      const rt::Matrix3d R = rt::rotationMatrix(rt::Vector4d(s.p(body_)));
      if (history.t.size() == 1) back = R.transpose();
      const Eigen::AngleAxisd turn(rt::Matrix3d(R * back));
      values = {turn.angle() * turn.axis().x(), (R * s.omega(body_)).x(), 0};
      for (std::size_t k = 2; k < read.size(); ++k) values[2] += read[k] / static_cast<double>(read.size() - 2);
    }
    for (std::size_t k = 0; k < values.size(); ++k) history.value[k].push_back(values[k]);
  }
  return history;
}

History withDifferences(History run) {
  const std::vector<double> u = run.value[0];
  const double h = run.t[1] - run.t[0];
  const std::size_t count = u.size() - 2;
  for (std::size_t k = 0; k < count; ++k) {
    const auto at = [&](int offset) {
      const auto i = static_cast<std::ptrdiff_t>(k) + offset;
      return i < 0 ? u[0] : u[static_cast<std::size_t>(i)];  // at rest before the start
    };
    run.value[1][k] = (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * h);
    run.value[2][k] = (-at(-2) + 16 * at(-1) - 30 * at(0) + 16 * at(1) - at(2)) / (12 * h * h);
  }
  run.t.resize(count);
  for (std::vector<double>& value : run.value) value.resize(count);
  run.energy.resize(count);
  return run;
}

std::string endingIn(const History& run, Window window) {
  if (!run.failed || run.end() > window.to) return "complete";
  return "fails at " + Cell(run.end()).text() + " s";
}

double differencePercent(const History& run, const History& reference, std::size_t which, Window window) {
  const tests::Series exact = reference.series(which);
  double largest = 0, peak = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    if (!within(run.t[k], window) || run.t[k] > reference.end()) continue;
    const double wanted = tests::valueAt(exact, run.t[k]);
    largest = rt::worst(largest, std::abs(run.value[which][k] - wanted));
    peak = rt::worst(peak, std::abs(wanted));
  }
  return 100 * largest / peak;
}

double relativeError(const History& run, const History& reference, std::size_t which, Window window) {
  const tests::Series exact = reference.series(which);
  double differences = 0, size = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k) {
    if (!within(run.t[k], window)) continue;
    const double wanted = tests::valueAt(exact, run.t[k]);
    differences += std::pow(run.value[which][k] - wanted, 2);
    size += wanted * wanted;
  }
  return std::sqrt(differences / size);  // Eq. (26)
}

double rms(const History& run, std::size_t which, Window window) {
  const auto [first, last] = samplesIn(run, window);
  double sum = 0;
  for (std::size_t k = first; k < last; ++k) sum += run.value[which][k] * run.value[which][k];
  return std::sqrt(sum / static_cast<double>(last - first));
}

double ripple(const History& run, std::size_t which, Window window) {
  constexpr double kHalf = 0.05;  // s
  const std::vector<double>& value = run.value[which];
  double sum = 0;
  int count = 0;
  for (auto [k, last] = samplesIn(run, {window.from + kHalf, window.to - kHalf}); k < last; ++k) {
    const auto [low, high] = samplesIn(run, {run.t[k] - kHalf, run.t[k] + kHalf});
    double mean = 0;
    for (std::size_t i = low; i < high; ++i) mean += value[i] / static_cast<double>(high - low);
    sum += (value[k] - mean) * (value[k] - mean);
    ++count;
  }
  return std::sqrt(sum / count);
}

}  // namespace tactus::bench
