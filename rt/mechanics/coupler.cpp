#include "rt/mechanics/coupler.h"

#include "rt/model/model.h"

namespace tactus::rt {

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
