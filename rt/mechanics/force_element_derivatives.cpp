#include "rt/mechanics/force_element_derivatives.h"

#include "rt/model/model.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <functional>

namespace tactus::rt {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Differences: small against what the laws bend over, large against round-off. m and rad; m/s and rad/s.
constexpr double kPositionStep = 1e-6, kVelocityStep = 1e-5, kInternalStateStep = 1e-7;

/// The mechanism around which an element is varied.
struct Place {
  std::vector<BodyMotion> motions;
  std::vector<double> internal_states;
};

/// An element by what it depends on and acts on, and what it does there.
struct KeptElement {
  std::vector<int> bodies, internal_states;
  std::function<void(const Place&, std::vector<Load>& loads, std::vector<double>& rates)> evaluate;
};

void addBody(int body, std::vector<int>& bodies) {
  if (std::find(bodies.begin(), bodies.end(), body) == bodies.end()) bodies.push_back(body);
}

/// Loads of the element's bodies, six each, and the rates of its internal states.
VectorXd outcome(const KeptElement& element, const Place& place) {
  std::vector<Load> loads(place.motions.size());
  std::vector<double> rates(place.internal_states.size(), 0.0);
  element.evaluate(place, loads, rates);
  VectorXd all(6 * element.bodies.size() + element.internal_states.size());
  auto at = all.begin();
  for (const int body : element.bodies) {
    const Load& load = loads[static_cast<std::size_t>(body)];
    at = std::copy_n(load.force.data(), 3, at);
    at = std::copy_n(load.torque.data(), 3, at);
  }
  for (const int index : element.internal_states) *at++ = rates[static_cast<std::size_t>(index)];
  return all;
}

/// Changes one of the twelve values of a motion: position and rotation, velocity and angular velocity.
void vary(BodyMotion& motion, int direction, double by) {
  const Vector3d unit = Vector3d::Unit(direction % 3);
  switch (direction / 3) {
    case 0: motion.r += by * unit; return;
    case 1: motion.R = Eigen::AngleAxisd(by, unit).toRotationMatrix() * motion.R; return;
    case 2: motion.v += by * unit; return;
    default: motion.omega_w += by * unit; return;
  }
}

void differentiate(const KeptElement& element, Place& place, ElementDerivatives& out) {
  const auto count = static_cast<Eigen::Index>(element.bodies.size());
  for (const int moved : element.bodies) {
    BodyMotion& motion = place.motions[static_cast<std::size_t>(moved)];
    const BodyMotion held = motion;
    MatrixXd slope(6 * count + static_cast<Eigen::Index>(element.internal_states.size()), 12);
    for (int direction = 0; direction < 12; ++direction) {
      const double step = direction < 6 ? kPositionStep : kVelocityStep;
      vary(motion, direction, step);
      const VectorXd above = outcome(element, place);
      motion = held;
      vary(motion, direction, -step);
      slope.col(direction) = (above - outcome(element, place)) / (2 * step);
      motion = held;
    }
    for (Eigen::Index k = 0; k < count; ++k)
      out.loads.push_back({element.bodies[static_cast<std::size_t>(k)], moved, slope.block<6, 6>(6 * k, 0),
                           slope.block<6, 6>(6 * k, 6)});
    for (std::size_t k = 0; k < element.internal_states.size(); ++k) {
      const auto row = slope.row(6 * count + static_cast<Eigen::Index>(k));
      out.rates_by_motion.push_back({element.internal_states[k], moved, row.head<6>(), row.tail<6>()});
    }
  }
  for (const int varied : element.internal_states) {
    double& value = place.internal_states[static_cast<std::size_t>(varied)];
    const double held = value;
    value = held + kInternalStateStep;
    const VectorXd above = outcome(element, place);
    value = held - kInternalStateStep;
    const VectorXd slope = (above - outcome(element, place)) / (2 * kInternalStateStep);
    value = held;
    for (Eigen::Index k = 0; k < count; ++k)
      out.loads_by_internal_state.push_back(
          {element.bodies[static_cast<std::size_t>(k)], varied, slope.segment<6>(6 * k)});
    for (std::size_t k = 0; k < element.internal_states.size(); ++k)
      out.rates_by_internal_state.push_back(
          {element.internal_states[k], varied, slope[6 * count + static_cast<Eigen::Index>(k)]});
  }
}

}  // namespace

std::vector<BodyLoadDerivative> differentiateDirectLoads(const Model& model, const BodyMotion* motions,
                                                         const double* displacements) {
  const ElementContext at{model, motions, {displacements, nullptr, {}, 0}};
  std::vector<BodyLoadDerivative> all;
  forEachKind([&](auto kind) {
    if constexpr (!kind.kKept)
      for (const auto& element : elementsOf(kind, model)) kind.differentiate(element, at, all);
  });
  return all;
}

ElementDerivatives differentiateElements(const Model& model, const BodyMotion* motions, const ElementInput& input) {
  Place place{{motions, motions + model.bodies.size()},
              {input.internal_states, input.internal_states + model.internal_states}};
  ElementDerivatives out;
  forEachKind([&](auto kind) {
    if constexpr (kind.kKept)
      for (const auto& element : elementsOf(kind, model)) {
        KeptElement varied;
        kind.forEachBody(model, element, [&](int body) { addBody(body, varied.bodies); });
        if constexpr (kind.kRates > 0)
          for (int k = 0; k < kind.kRates; ++k) varied.internal_states.push_back(kind.firstState(element) + k);
        varied.evaluate = [&](const Place& here, std::vector<Load>& loads, std::vector<double>& rates) {
          const ElementContext at{
              model, here.motions.data(), {input.displacements, here.internal_states.data(), input.values, 0}};
          const auto evaluation = kind.evaluate(element, at);
          kind.addLoad(element, evaluation, at, loads.data());
          if constexpr (kind.kRates > 0)
            kind.writeRates(element, evaluation, here.internal_states.data(), rates.data());
        };
        differentiate(varied, place, out);
      }
  });
  return out;
}

}  // namespace tactus::rt
