#include "rt/offline/analysis/trajectory_sensitivity.h"

#include "rt/error.h"

#include <algorithm>
#include <utility>

namespace tactus::rt::offline {

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
    above_.push_back(system(*parameter.above));
    below_.push_back(system(*parameter.below));
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
    const VariedModel& parameter = parameters_[p];
    const VectorXd column =
        tangent_.at->outputsBy(state_, parameter.outputs_above, parameter.outputs_below, changeOf(p), sidesOf(p));
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
    Change c = at.changeBy(sidesOf(p));
    tangent.B.col(static_cast<Eigen::Index>(p)) =
        at.rateOf(c, at.internalRateOf(c) + at.internalRateBy(sidesOf(p)), Vector3d::Zero());
    tangent.by_parameter.push_back(std::move(c));
  }
  return tangent;
}

ParameterSides TrajectorySensitivity::sidesOf(std::size_t parameter) const {
  return {above_[parameter].get(), below_[parameter].get(), parameters_[parameter].step};
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
    const MotionPoint above = above_[p]->pointOf(*parameters_[p].start_above, 0);
    const MotionPoint below = below_[p]->pointOf(*parameters_[p].start_below, 0);
    const ChartPoint a = chart.coordinatesOf(above), b = chart.coordinatesOf(below);
    Change c;
    c.y = (a.y - b.y) / (2 * parameters_[p].step);
    c.yd = (a.yd - b.yd) / (2 * parameters_[p].step);
    auto column = x_.col(static_cast<Eigen::Index>(p));
    column.head(n) = at.coordinates().S() * c.y;
    column.segment(n, n) = at.ratesOf(at.velocityOf(c), c.y);
    if (at.internalStates() > 0)
      column.tail(at.internalStates()) = (above.internal_states - below.internal_states) / (2 * parameters_[p].step);
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
