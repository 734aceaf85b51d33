// The rates of a mechanism's states by the equations of motion alone: what a linear system must be the derivative of.
//
// A state is placed by Newton's method on constraints and coordinates; accelerations come from the saddle point, rates
// of the coordinates' rates from differences along the motion. No derivative of rt/offline/analysis is used.
#pragma once

#include "rt/mechanics/joint_constraints.h"
#include "rt/offline/analysis/linear_system.h"
#include "rt/offline/core/chart.h"
#include "rt/offline/core/saddle_point.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace tactus::tests {

using Eigen::MatrixXd;
using Eigen::VectorXd;

class RateOracle {
 public:
  RateOracle(const rt::Model& model, const rt::State& state, std::vector<double> input, double t,
             const rt::offline::LinearSystem& system)
      : input_(std::move(input)),
        equations_(model,
                   [this](double, std::span<double> out) { std::copy(input_.begin(), input_.end(), out.begin()); }),
        start_(equations_.pointOf(state, t)),
        chosen_(system.chosen),
        state_(state) {
    rt::offline::settleAccelerations(equations_, start_);
  }

  std::vector<double>& input() { return input_; }

  /// The motion whose z, w and m differ from those of the start by dx.
  rt::offline::MotionPoint motionAt(const VectorXd& dx) const {
    const auto n = static_cast<Eigen::Index>(chosen_.size());
    const VectorXd z = displacements(start_, start_) + dx.head(n), w = rates(start_) + dx.segment(n, n);
    rt::offline::MotionPoint at = start_;
    for (int pass = 0;; ++pass) {
      const rt::offline::IndependentCoordinates here(equations_, at, chosen_);
      const VectorXd left = z - displacements(at, start_), phi = equations_.constraints(at);
      const double size = left.lpNorm<Eigen::Infinity>() + (phi.size() > 0 ? phi.lpNorm<Eigen::Infinity>() : 0);
      if (size < 1e-14 * (1 + equations_.length())) {
        at.velocity = here.answer(equations_.rowRates(at.t)) + here.T() * w;
        break;
      }
      if (pass == 30) break;  // at round-off
      at = rt::offline::Chart(equations_, at).placeAt(here.answer(-phi) + here.T() * left);
    }
    const rt::offline::IndependentCoordinates here(equations_, at, chosen_);
    at.velocity = here.answer(equations_.rowRates(at.t)) + here.T() * w;
    if (at.internal_states.size() > 0) at.internal_states += dx.tail(dx.size() - 2 * n);
    rt::offline::settleAccelerations(equations_, at);
    return at;
  }

  /// x' there.
  VectorXd rateAt(const rt::offline::MotionPoint& at) const {
    const auto n = static_cast<Eigen::Index>(chosen_.size());
    VectorXd rate(2 * n + at.internal_states.size());
    const double h = 1e-5;
    const rt::offline::MotionPoint after = moved(at, h), before = moved(at, -h);
    rate << (displacements(after, moved(start_, h)) - displacements(before, moved(start_, -h))) / (2 * h),
        (rates(after) - rates(before)) / (2 * h), equations_.internalStateRates(at);
    // A rotation counts from the moving start; other displacements count from zero.
    const VectorXd w = rates(start_);
    for (Eigen::Index k = 0; k < n; ++k)
      if (chosen_[static_cast<std::size_t>(k)].kind == rt::offline::Coordinate::Kind::kRotation) rate[k] += w[k];
    return rate;
  }

  rt::State stateAt(const rt::offline::MotionPoint& at) const {
    rt::State state = state_;
    std::copy(input_.begin(), input_.end(), state.input());
    equations_.writeMotion(at, state);
    return state;
  }

 private:
  rt::offline::MotionPoint moved(const rt::offline::MotionPoint& at, double h) const {
    rt::offline::MotionPoint next = rt::offline::Chart(equations_, at).placeAt(h * at.velocity);
    next.velocity = at.velocity + h * at.acceleration;
    return next;
  }

  /// Rotations of bodies count from a reference.
  VectorXd displacements(const rt::offline::MotionPoint& at, const rt::offline::MotionPoint& reference) const {
    using Kind = rt::offline::Coordinate::Kind;
    const std::vector<rt::BodyMotion> motions = equations_.motionsOf(at);
    VectorXd z(static_cast<Eigen::Index>(chosen_.size()));
    for (Eigen::Index k = 0; k < z.size(); ++k) {
      const rt::offline::Coordinate& c = chosen_[static_cast<std::size_t>(k)];
      const auto of = static_cast<std::size_t>(c.of);
      if (c.kind == Kind::kJointAngle)
        z[k] = rt::jointAngle(equations_.model().joints[of], motions.data());
      else if (c.kind == Kind::kJointTravel)
        z[k] = rt::jointTravel(equations_.model().joints[of], motions.data());
      else if (c.kind == Kind::kTranslation)
        z[k] = at.position[6 * c.of + c.axis];
      else
        z[k] = rt::offline::parametersOf(at.orientation[of], reference.orientation[of])[c.axis];
    }
    return z;
  }

  VectorXd rates(const rt::offline::MotionPoint& at) const {
    using Kind = rt::offline::Coordinate::Kind;
    const std::vector<rt::BodyMotion> motions = equations_.motionsOf(at);
    VectorXd w(static_cast<Eigen::Index>(chosen_.size()));
    for (Eigen::Index k = 0; k < w.size(); ++k) {
      const rt::offline::Coordinate& c = chosen_[static_cast<std::size_t>(k)];
      if (c.kind == Kind::kJointAngle)
        w[k] = rt::jointRate(equations_.model().joints[static_cast<std::size_t>(c.of)], motions.data());
      else if (c.kind == Kind::kJointTravel)
        w[k] = rt::jointTravelRate(equations_.model().joints[static_cast<std::size_t>(c.of)], motions.data());
      else
        w[k] = at.velocity[6 * c.of + c.axis + (c.kind == Kind::kRotation ? 3 : 0)];
    }
    return w;
  }

  std::vector<double> input_;
  rt::offline::EquationsOfMotion equations_;
  rt::offline::MotionPoint start_;
  std::vector<rt::offline::Coordinate> chosen_;
  rt::State state_;
};

/// Positions, velocities and accelerations of all bodies: outputs that every mechanism has.
inline VectorXd motionOfBodies(const rt::State& state) {
  return Eigen::Map<const VectorXd>(state.values().data(), state.layout().lambda());
}

/// Compares each column of A, B, C and D with central differences of the oracle.
/// @param[in] step  of the differences, below the kinks of the laws
inline void checkLinearSystem(const rt::Model& model, const rt::State& state, const std::vector<double>& input,
                              double t = 0, double step = 1e-4, double bound = 1e-5) {
  const rt::offline::LinearSystem system = rt::offline::linearSystem(model, state, input, t, motionOfBodies);
  RateOracle oracle(model, state, input, t, system);
  const auto size = system.A.rows();
  CHECK((oracle.rateAt(oracle.motionAt(VectorXd::Zero(size))) - system.rate).norm() < bound * (1 + system.rate.norm()));
  const double scale = 1 + system.A.cwiseAbs().maxCoeff(), output_scale = 1 + system.C.cwiseAbs().maxCoeff();
  for (Eigen::Index k = 0; k < size; ++k) {
    CAPTURE(model.name, system.states[static_cast<std::size_t>(k)].name);
    const VectorXd dx = step * VectorXd::Unit(size, k);
    const rt::offline::MotionPoint after = oracle.motionAt(dx), before = oracle.motionAt(-dx);
    const VectorXd column = (oracle.rateAt(after) - oracle.rateAt(before)) / (2 * step);
    CHECK((column - system.A.col(k)).lpNorm<Eigen::Infinity>() < bound * scale);
    const VectorXd seen = (motionOfBodies(oracle.stateAt(after)) - motionOfBodies(oracle.stateAt(before))) / (2 * step);
    CHECK((seen - system.C.col(k)).lpNorm<Eigen::Infinity>() < bound * output_scale);
  }
  const VectorXd zero = VectorXd::Zero(size);
  for (std::size_t k = 0; k < input.size(); ++k) {
    CAPTURE(model.name, system.inputs[k]);
    const double h = step * std::max(1.0, std::abs(input[k]));
    const auto with = [&](double value) {
      oracle.input()[k] = value;
      const rt::offline::MotionPoint at = oracle.motionAt(zero);
      const VectorXd rate = oracle.rateAt(at), seen = motionOfBodies(oracle.stateAt(at));
      VectorXd all(rate.size() + seen.size());
      all << rate, seen;
      return all;
    };
    const VectorXd column = (with(input[k] + h) - with(input[k] - h)) / (2 * h);
    oracle.input()[k] = input[k];
    const auto c = static_cast<Eigen::Index>(k);
    CHECK((column.head(size) - system.B.col(c)).lpNorm<Eigen::Infinity>() <
          bound * (1 + system.B.cwiseAbs().maxCoeff()));
    CHECK((column.tail(column.size() - size) - system.D.col(c)).lpNorm<Eigen::Infinity>() <
          bound * (1 + system.D.cwiseAbs().maxCoeff()));
  }
}

}  // namespace tactus::tests
