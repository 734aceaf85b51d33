#include "rt/mechanics/coupler.h"

#include "rt/mechanics/primitives/primitives.h"
#include "rt/model/model.h"

#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace tactus::rt {

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// The angles of a coupler at most.
constexpr std::size_t kMaxAngles = 3;

/// Turns of the angles that a coupler may turn: the first two in a search, the last closes the row.
struct Turns {
  std::array<double, kMaxAngles> of{};
  double gap = std::numeric_limits<double>::infinity();
  double count = 0;
  bool closes = false;

  bool betterThan(const Turns& other, double margin) const noexcept {
    if (closes != other.closes) return closes;
    if (!closes) return gap < other.gap - margin;
    return count < other.count || (count == other.count && gap < other.gap - margin);
  }
};

/// @param steps   what one turn of each angle adds to the row
/// @param phi     of the row without turns
/// @param closed  a gap that counts as closed
Turns fewestTurns(const std::vector<double>& steps, double phi, double closed) noexcept {
  constexpr int kMaxTurns = 100;
  constexpr double kRoundOff = 1e-9;
  // 0, 1, -1, 2, -2, ...
  const auto turnsAt = [](int k) noexcept { return (k % 2 == 0 ? -1 : 1) * ((k + 1) / 2); };
  const double last = steps.back();
  const int first_range = steps.size() > 1 ? 2 * kMaxTurns : 0, second_range = steps.size() > 2 ? 2 * kMaxTurns : 0;
  Turns best;
  for (int i = 0; i <= first_range; ++i)
    for (int k = 0; k <= second_range; ++k) {
      const double a = turnsAt(i), b = turnsAt(k);
      const double left = phi + (first_range > 0 ? a * steps[0] : 0) + (second_range > 0 ? b * steps[1] : 0);
      const double c = std::nearbyint(-left / last);
      const double gap = std::abs(left + c * last);
      const Turns next{{a, b, c}, gap, std::abs(a) + std::abs(b) + std::abs(c), gap <= closed};
      if (next.betterThan(best, kRoundOff * std::abs(last))) best = next;
    }
  return best;
}

}  // namespace

double evaluateCoupler(const Model& model, const Coupler& coupler, const BodyMotion* motions,
                       const double* displacements, RowJacobian& own, RowJacobian* further) noexcept {
  const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
  own = {};
  for (int i = 0; i < joint.pair_count; ++i) further[i] = {};
  double sum = 0;
  for (std::size_t k = 0; k < coupler.terms.size(); ++k) {
    const Primitive& term = coupler.terms[k];
    double phi;
    RowJacobian h;
    evaluateRows(term, motions, &phi, &h);
    sum += term.displacement < 0 ? phi : continueRow(term, motions, displacements, phi);
    for (std::size_t side = 0; side < 2; ++side) {
      const int place = coupler.places[k][side];
      if (place < 0) continue;
      RowJacobian& to = place < 2 ? own : further[place / 2 - 1];
      for (int c = 0; c < 6; ++c) to.h[place % 2][c] += h.h[side][c];
    }
  }
  return sum;
}

void evaluateCoupler(const Model& model, const Coupler& coupler, const BodyMotion* motions, const double* displacements,
                     double* phi, RowJacobian* jacobian) noexcept {
  const Joint& joint = model.joints[static_cast<std::size_t>(coupler.joint)];
  phi[joint.first_row] = evaluateCoupler(model, coupler, motions, displacements, jacobian[joint.first_row],
                                         jacobian + model.rows + joint.first_pair);
}

void evaluateAllRows(const Model& model, const BodyMotion* motions, const double* displacements, double* phi,
                     RowJacobian* jacobian) noexcept {
  for (const Primitive& p : model.primitives)
    evaluateContinuedRows(p, motions, displacements, phi + p.row, jacobian + p.row);
  for (const Coupler& coupler : model.couplers) evaluateCoupler(model, coupler, motions, displacements, phi, jacobian);
}

double couplerValue(const Coupler& coupler, const BodyMotion* motions, const double* displacements) noexcept {
  double sum = 0;
  for (const Primitive& term : coupler.terms) {
    double phi;
    RowJacobian unused;
    evaluateRows(term, motions, &phi, &unused);
    sum += term.displacement < 0 ? phi : continueRow(term, motions, displacements, phi);
  }
  return sum;
}

void startCouplerAngles(const Model& model, const BodyMotion* motions, double* angles) {
  std::vector<bool> counted(static_cast<std::size_t>(model.displacements), false);
  for (const Joint& joint : model.joints)
    for (int i = joint.first_primitive; i < joint.first_primitive + joint.primitive_count; ++i) {
      const Primitive& p = model.primitives[static_cast<std::size_t>(i)];
      if (p.displacement < 0) continue;
      withPrimitive(p.kind, [&](auto primitive) {
        if (primitive.kStartsTurns || joint.law == LawKind::kDriven)
          counted[static_cast<std::size_t>(p.displacement)] = true;
      });
    }
  for (const Coupler& coupler : model.couplers) {
    if (model.joints[static_cast<std::size_t>(coupler.joint)].compliant()) continue;
    std::vector<double> steps;
    std::vector<int> turning;
    double sizes = 0;
    for (const Primitive& term : coupler.terms) {
      sizes += term.t_1.norm() + std::abs(term.rho_1);
      if (term.displacement < 0 || counted[static_cast<std::size_t>(term.displacement)]) continue;
      if (turning.size() == kMaxAngles) break;
      counted[static_cast<std::size_t>(term.displacement)] = true;
      steps.push_back(-term.rho_1 * kTurn);
      turning.push_back(term.displacement);
    }
    const double phi = couplerValue(coupler, motions, angles), closed = model.assembly.position * sizes;
    if (steps.empty() || std::abs(phi) <= closed) continue;
    const Turns turns = fewestTurns(steps, phi, closed);
    for (std::size_t k = 0; k < turning.size(); ++k)
      angles[turning[k]] += kTurn * (k + 1 == turning.size() ? turns.of.back() : turns.of[k]);
  }
}

double couplerGamma(const Coupler& coupler, const BodyMotion* motions) noexcept {
  double sum = 0;
  for (const Primitive& term : coupler.terms) {
    double gamma;
    evaluateGamma(term, motions, &gamma);
    sum += gamma;
  }
  return sum;
}

}  // namespace tactus::rt
