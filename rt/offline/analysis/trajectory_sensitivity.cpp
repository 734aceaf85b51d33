#include "rt/offline/analysis/trajectory_sensitivity.h"

#include "rt/error.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

namespace {

ParameterDifferences differencesOf(const std::vector<ParameterSide>& sides) {
  if (sides.size() == 2) return {{sides[0], sides[1], sides[0].offset - sides[1].offset}};
  if (sides.size() != 3 || sides[0].offset != 0)
    throw Error("a parameter has two sides, or three beginning with offset 0");
  // f'(0) = 2 (f(d) - f(0)) / d - (f(2 d) - f(0)) / (2 d)
  return {{sides[1], sides[0], 0.5 * sides[1].offset}, {sides[2], sides[0], -sides[2].offset}};
}

}  // namespace

std::vector<double> sharesOf(int side) {
  if (side == 0) return {1, -1};
  return {0, 0.5 * side, 1.0 * side};
}

TrajectorySensitivity::TrajectorySensitivity(const Model& model, const State& start, const std::vector<double>& input,
                                             std::vector<VariedModel> parameters)
    : model_(model),
      input_(input),
      nominal_(model, [this](double, std::span<double> out) { std::copy(input_.begin(), input_.end(), out.begin()); }),
      parameters_(std::move(parameters)),
      state_(start) {
  const auto system = [&](const Model& varied) {
    auto made = std::make_unique<const EquationsOfMotion>(
        varied, [this](double, std::span<double> out) { std::copy(input_.begin(), input_.end(), out.begin()); });
    if (made->size() != nominal_.size() || made->rows() != nominal_.rows() ||
        made->internalStateCount() != nominal_.internalStateCount())
      throw Error("a parameter changes the number of bodies, constraint rows or internal states of the model");
    return made;
  };
  for (const VariedModel& parameter : parameters_) {
    std::vector<ParameterSide> sides;
    for (const VariedSide& side : parameter) {
      systems_.push_back(system(*side.model));
      sides.push_back({systems_.back().get(), side.start, &side.outputs, side.offset});
    }
    differences_.push_back(differencesOf(sides));
  }
  tangent_ = tangentAt(start, 0, {});
  begin(start);
}

void TrajectorySensitivity::advance(const State& next, double t, const std::vector<double>& input) {
  input_ = input;
  const double half = 0.5 * (t - t_);
  const MatrixXd one = MatrixXd::Identity(x_.rows(), x_.rows());
  const MatrixXd left = x_ + half * (tangent_.A * x_ + tangent_.B);
  state_ = next;
  t_ = t;
  Tangent free = tangentAt(next, t, {});
  const bool same = free.at->coordinates().chosen() == tangent_.at->coordinates().chosen();
  // The step ends in the coordinates in which it began.
  tangent_ = same ? std::move(free) : tangentAt(next, t, tangent_.at->coordinates().chosen());
  LuFactors factors;
  factors.compute(one - half * tangent_.A);
  x_ = factors.solve(MatrixXd(left + half * tangent_.B));  // analysis (19)
  if (!same) useCoordinatesOf(std::move(free));
}

MatrixXd TrajectorySensitivity::outputs() const {
  MatrixXd values;
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const VectorXd column = tangent_.at->outputsBy(state_, changeOf(p), differences_[p]);
    if (p == 0) values.resize(column.size(), static_cast<Eigen::Index>(parameters_.size()));
    values.col(static_cast<Eigen::Index>(p)) = column;
  }
  return values;
}

TrajectorySensitivity::Tangent TrajectorySensitivity::tangentAt(const State& state, double t,
                                                                std::vector<Coordinate> chosen) {
  Tangent tangent;
  tangent.at = std::make_unique<Linearization>(model_, nominal_.pointOf(state, t), input_, std::move(chosen));
  Linearization& at = *tangent.at;
  const int size = at.size();
  tangent.A.resize(size, size);
  tangent.B.resize(size, static_cast<Eigen::Index>(parameters_.size()));
  for (int k = 0; k < size; ++k) {
    const Change c = at.changeByStates(VectorXd::Unit(size, k));
    tangent.A.col(k) = at.rateOf(c, at.internalRateOf(c), Vector3d::Zero());
  }
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    Change c = at.changeBy(differences_[p]);
    tangent.B.col(static_cast<Eigen::Index>(p)) =
        at.rateOf(c, at.internalRateOf(c) + at.internalRateBy(differences_[p]), Vector3d::Zero());
    tangent.by_parameter.push_back(std::move(c));
  }
  return tangent;
}

// The whole change of the motion by a parameter: by the states, and with the states held.
Change TrajectorySensitivity::changeOf(std::size_t parameter) const {
  const Linearization& at = *tangent_.at;
  const Change& held = tangent_.by_parameter[parameter];
  Change c = at.changeByStates(x_.col(static_cast<Eigen::Index>(parameter)));
  c.y += held.y;
  c.yd += held.yd;
  c.ydd += held.ydd;
  c.m += held.m;
  c.force = held.force;
  return c;
}

// The states in which the runs of the varied models begin.
void TrajectorySensitivity::begin(const State& start) {
  const Linearization& at = *tangent_.at;
  const int n = at.count();
  const Chart chart(nominal_, nominal_.pointOf(start, 0));
  x_.resize(at.size(), static_cast<Eigen::Index>(parameters_.size()));
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    Change c;
    c.y = c.yd = VectorXd::Zero(nominal_.size());
    VectorXd internal = VectorXd::Zero(at.internalStates());
    for (const ParameterDifference& part : differences_[p]) {
      const MotionPoint above = part.above.system->pointOf(*part.above.start, 0);
      const MotionPoint below = part.below.system->pointOf(*part.below.start, 0);
      const ChartPoint a = chart.coordinatesOf(above), b = chart.coordinatesOf(below);
      c.y += (a.y - b.y) / part.divisor;
      c.yd += (a.yd - b.yd) / part.divisor;
      if (at.internalStates() > 0) internal += (above.internal_states - below.internal_states) / part.divisor;
    }
    auto column = x_.col(static_cast<Eigen::Index>(p));
    column.head(n) = at.coordinates().S() * c.y;
    column.segment(n, n) = at.ratesOf(at.velocityOf(c), c.y);
    column.tail(at.internalStates()) = internal;
  }
}

// The same motion in the coordinates that another choice describes it by.
void TrajectorySensitivity::useCoordinatesOf(Tangent next) {
  const int n = next.at->count();
  MatrixXd x(x_.rows(), x_.cols());
  for (std::size_t p = 0; p < parameters_.size(); ++p) {
    const Change c = changeOf(p);
    auto column = x.col(static_cast<Eigen::Index>(p));
    column.head(n) = next.at->coordinates().S() * c.y;
    column.segment(n, n) = next.at->ratesOf(next.at->velocityOf(c), c.y);
    column.tail(x.rows() - 2 * n) = c.m;
  }
  x_ = std::move(x);
  tangent_ = std::move(next);
}

}  // namespace tactus::rt::offline
