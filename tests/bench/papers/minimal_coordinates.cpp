// [MCS] section 3: the planar pendulum, the slider-crank (figures 3 to 6), the spatial pendulum (figures 7 to 10) and
// the top (figures 12 to 14), each with coordinates that are continued and with coordinates factored anew in each step.
#include "rt/math/worst.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "rt/offline/minimal/minimal_stepper.h"
#include "tests/bench/papers/runs.h"
#include "tests/rt/offline/plain_systems.h"
#include "tests/support/closed_forms.h"
#include "tests/support/compare.h"
#include "tests/support/paper_mechanisms.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tactus::bench {

namespace {

using namespace rt::offline;

struct Choice {
  const char* name;
  Factorization factorization;
  bool continuation;
};

constexpr Choice kProposed{"qr continued", Factorization::kQr, true},
    kTraditional{"qr anew", Factorization::kQr, false};
const std::vector<Choice> kChoices = {
    kProposed,    {"svd continued", Factorization::kSvd, true}, {"eigen continued", Factorization::kEigen, true},
    kTraditional, {"svd anew", Factorization::kSvd, false},     {"eigen anew", Factorization::kEigen, false}};

/// Dormand and Prince's method, as in the paper.
MinimalStepper::Settings settingsOf(const Choice& choice) {
  MinimalStepper::Settings settings;
  settings.factorization = choice.factorization;
  settings.continuation = choice.continuation;
  settings.method = &dormandPrince();
  settings.record = true;
  return settings;
}

/// Runs a stepper in steps of h or less and calls f(stepper, k) after each; returns the largest turn of the basis in a
/// step, as the Frobenius norm of its change, and the number of steps that turn a column back.
struct Turns {
  double largest = 0;
  int flips = 0;
};

template <class F>
Turns follow(MinimalStepper& stepper, double h, double until, F&& f) {
  Turns turns;
  for (long long k = 1; stepper.point().t < until - 1e-9 * h; ++k) {
    const MatrixXd before = stepper.basis();
    stepper.advance(std::min(h, until - stepper.point().t));
    turns.largest = std::max(turns.largest, (stepper.basis() - before).norm());
    if ((before.transpose() * stepper.basis()).diagonal().minCoeff() < 0) ++turns.flips;
    f(stepper, k);
  }
  return turns;
}

/// A mechanism of the paper with the steps and the duration of its figures.
struct Figures {
  const char* name;
  rt::ModelSpec spec;
  double h, until, sampling, brief_until;
  const char* reference;             ///< file of the last body's position
  std::vector<std::string> columns;  ///< of that file: x, y, z or x alone
  int coordinates;                   ///< generalized coordinates that the figures show
  bool has_basis;                    ///< and the entries of their columns of Q2 that move the last body
};

/// Largest distance of the last body from the reference, at the times that both have, up to a time.
class ErrorSoFar {
 public:
  explicit ErrorSoFar(const Figures& figures) {
    const tests::Table table = tests::Table::reference(figures.reference);
    for (const std::string& column : figures.columns) series_.push_back(table.series(column));
  }
  void take(double t, const Eigen::Vector3d& r) {
    const std::vector<double>& times = series_.front().t;
    while (next_ < times.size() && times[next_] < t - 1e-9) ++next_;
    if (next_ == times.size() || times[next_] > t + 1e-9) return;
    double sum = 0;
    for (std::size_t i = 0; i < series_.size(); ++i)
      sum += std::pow(r[static_cast<Eigen::Index>(i)] - series_[i].value[next_], 2);
    largest_ = rt::worst(largest_, std::sqrt(sum));
  }
  double largest() const { return largest_; }

 private:
  std::vector<tests::Series> series_;
  std::size_t next_ = 0;
  double largest_ = 0;
};

std::vector<std::string> columnsOf(const Figures& figures) {
  std::vector<std::string> columns = {"basis", "t_s", "x_m", "y_m", "z_m", "angle_rad"};
  for (const char* stem : {"q", "rate_q"})
    for (int k = 1; k <= figures.coordinates; ++k) columns.push_back(stem + std::to_string(k));
  for (int k = 1; figures.has_basis && k <= figures.coordinates; ++k)
    for (const char* axis : {"x", "y", "z"}) columns.push_back("Q2_" + std::to_string(k) + axis);
  return columns;
}

void drawFigures(const Request& request, const Figures& figures) {
  const rt::Model model = rt::buildModel(figures.spec);
  const EquationsOfMotion equations(model, declaredInput(model));
  const MotionPoint start = equations.pointOf(rt::initialState(model).state, 0);
  Table curves(request, figures.name, 2, Compare::kCurve, 1e-3, columnsOf(figures));
  Table errors(request, std::string(figures.name) + "_errors", 2, Compare::kFigures, 0.2,
               {"basis", "until_s", "step_s", "error_m"});
  const auto every = std::llround(figures.sampling / figures.h), brief = std::llround(figures.brief_until / figures.h);
  const auto last = 6 * (model.bodyCount() - 1);
  for (const Choice& choice : {kProposed, kTraditional}) {
    MinimalStepper stepper(equations, start, settingsOf(choice));
    ErrorSoFar error(figures);
    const auto take = [&](const MinimalStepper& s, long long k) {
      const Eigen::Vector3d r = s.point().position.segment<3>(last);
      error.take(s.point().t, r);
      if (k == brief) errors.row({choice.name, figures.brief_until, figures.h, error.largest()});
      if (k % every != 0) return;
      std::vector<Cell> cells = {choice.name, s.point().t, r[0],
                                 r[1],        r[2],        s.point().angles.empty() ? 0 : s.point().angles[0]};
      const std::vector<double> own = s.ownValues();
      const auto freedoms = static_cast<std::size_t>(s.basis().cols());
      for (const std::size_t from : {std::size_t{0}, freedoms})
        for (int i = 0; i < figures.coordinates; ++i) cells.emplace_back(own[from + static_cast<std::size_t>(i)]);
      for (int column = 0; figures.has_basis && column < figures.coordinates; ++column)
        for (const int axis : {0, 1, 2}) cells.emplace_back(s.basis()(last + axis, column));
      curves.row(cells);
    };
    take(stepper, 0);
    follow(stepper, figures.h, request.brief ? figures.brief_until : figures.until, take);
    if (!request.brief) errors.row({choice.name, figures.until, figures.h, error.largest()});
  }
}

void sliderCrank(const Request& request) {
  drawFigures(request, {"figures_3_to_6",
                        tests::spatialSliderCrank(),
                        1e-5,
                        5,
                        0.05,
                        0.05,
                        "slider_crank.csv",
                        {"slider_x[m]"},
                        1,
                        false});
}

void spatialPendulum(const Request& request) {
  drawFigures(request, {"figures_7_to_10",
                        tests::spatialPendulum(),
                        1e-3,
                        5,
                        0.025,
                        0.2,
                        "spatial_pendulum.csv",
                        {"x[m]", "y[m]", "z[m]"},
                        2,
                        true});
}

void spinTop(const Request& request) {
  drawFigures(
      request,
      {"figures_12_to_14", tests::spinTop(), 1e-4, 10, 0.1, 0.2, "spin_top.csv", {"x[m]", "y[m]", "z[m]"}, 5, false});
}

/// Turns of the bases and errors at the end, for every factorization.
void turns(const Request& request) {
  Table table(request, "turns", 3, Compare::kFigures, 0.05,
              {"mechanism", "basis", "step_s", "end_x_m", "end_y_m", "end_z_m", "largest_turn", "turns_back"});
  const std::pair<rt::ModelSpec, double> cases[] = {
      {tests::spatialPendulum(), 1}, {tests::spinTop(), 10}, {tests::spatialSliderCrank(), 5}};
  for (const auto& [spec, until] : cases) {
    const rt::Model model = rt::buildModel(spec);
    const EquationsOfMotion equations(model, declaredInput(model));
    const MotionPoint start = equations.pointOf(rt::initialState(model).state, 0);
    for (const Choice& choice : kChoices) {
      if (request.brief && until > 1) continue;
      MinimalStepper stepper(equations, start, settingsOf(choice));
      const Turns found = follow(stepper, 1e-3, until, [](const MinimalStepper&, long long) {});
      const Eigen::Vector3d end = stepper.point().position.segment<3>(6 * (model.bodyCount() - 1));
      table.row({spec.name, choice.name, 1e-3, end[0], end[1], end[2], found.largest, found.flips});
    }
  }
}

/// Section 3.1: against the closed form, and the sign of Q2.
void planarPendulum(const Request& request) {
  Table table(request, "planar_pendulum", 1, Compare::kFigures, 0.1,
              {"basis", "until_s", "error_m", "largest_turn", "bound_of_turn", "turns_back"});
  const tests::PointPendulum pendulum(9.81);
  constexpr double kUntil = 10;
  for (const Choice& choice : kChoices) {
    MinimalStepper::Settings settings = settingsOf(choice);
    settings.tolerances = {1e-10, 1e-10, true};
    settings.record = false;
    MinimalStepper stepper(pendulum, pendulum.pointAt(std::numbers::pi / 2, 0), settings);
    double error = 0, fastest = 0;
    const Turns found = follow(stepper, 0.01, kUntil, [&](const MinimalStepper& s, long long) {
      const double angle = tests::pendulumFromHorizontal(s.point().t, 9.81);
      error = rt::worst(error, (s.point().position - Eigen::Vector2d(std::sin(angle), -std::cos(angle))).norm());
      fastest = rt::worst(fastest, s.point().velocity.norm());
    });
    table.row({choice.name, kUntil, error, found.largest, 0.01 * fastest, found.flips});
  }
}

}  // namespace

std::vector<Experiment> minimalExperiments() {
  return {{"planar_pendulum", planarPendulum},
          {"figures_7_to_10", spatialPendulum},
          {"figures_12_to_14", spinTop},
          {"turns", turns},
          {"figures_3_to_6", sliderCrank}};
}

}  // namespace tactus::bench
