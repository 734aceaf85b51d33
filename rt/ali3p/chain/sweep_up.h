// The sweep up: tangents of bodies, compounds of segments.
#pragma once

#include "rt/ali3p/chain/evaluation.h"
#include "rt/ali3p/stiffness_limit_lanes.h"

namespace tactus::rt {

/// Compliances of one body between its two joint points.
template <int W>
struct BodyCompliance {
  Symmetric3<Lanes<W>> left, right;
  LaneMatrix3<W> across;  ///< left by right
};

/// The metric W of one element with the multipliers at its left and right, after rotateTangent().
/// @param limited  one number a segment: counts bodies whose geometric stiffness is limited
template <int W>
TACTUS_INLINE void formLaneTangent(const ChainContext& context, const LaneElement<W>& element,
                                   const LaneVector3<W>& left, const LaneVector3<W>& right, LaneIterate<W>& s,
                                   double* limited) noexcept {
  const Symmetric3<Lanes<W>> J = s.w_J;
  const Lanes<W> scale = Lanes<W>(context.scale) * element.movable;
  // ali3p (10); none where the chain ends on ground
  const LaneMatrix3<W> stiffness = rotationalStiffness<Lanes<W>>(s.tangent_right, scale * right) -
                                   rotationalStiffness<Lanes<W>>(s.tangent_left, scale * left);
  const Symmetric3<Lanes<W>> K = Symmetric3<Lanes<W>>::lowerOf(stiffness);
  Symmetric3<Lanes<W>> J_hat = J + K;  // ali3p (9)
  limit<W>(J, K, J_hat, limited);
  J_hat += Symmetric3<Lanes<W>>::diagonal(Lanes<W>(0.5 * context.dt) * element.drag_angular);
  s.w_mass = scale / (element.mass + Lanes<W>(0.5 * context.dt) * element.drag_linear);
  s.w_J = (scale / J_hat.determinant()) * J_hat.adjugate();
}

/// W skew(b): column j is W (b x e_j).
template <int W>
TACTUS_INLINE LaneMatrix3<W> timesSkew(const LaneMatrix3<W>& m, const LaneVector3<W>& b) noexcept {
  LaneMatrix3<W> result;
  result.col(0) = m.col(1) * b[2] - m.col(2) * b[1];
  result.col(1) = m.col(2) * b[0] - m.col(0) * b[2];
  result.col(2) = m.col(0) * b[1] - m.col(1) * b[0];
  return result;
}

/// `mass` - skew(a) M.
template <int W>
TACTUS_INLINE LaneMatrix3<W> minusSkewTimes(const Lanes<W>& mass, const LaneVector3<W>& a,
                                            const LaneMatrix3<W>& m) noexcept {
  LaneMatrix3<W> result;
  for (int j = 0; j < 3; ++j) result.col(j) = m.col(j).cross(a);
  for (int j = 0; j < 3; ++j) result(j, j) += mass;
  return result;
}

/// H_a W H_b^T = w_mass I - skew(a) w_J skew(b) for the two points of a body: ali3p (32).
template <int W>
TACTUS_INLINE BodyCompliance<W> complianceOf(const LaneIterate<W>& s) noexcept {
  const LaneMatrix3<W> w_J = s.w_J.full();
  const LaneMatrix3<W> left = timesSkew<W>(w_J, s.tangent_left), right = timesSkew<W>(w_J, s.tangent_right);
  BodyCompliance<W> c;
  c.left = Symmetric3<Lanes<W>>::lowerOf(minusSkewTimes<W>(s.w_mass, s.tangent_left, left));
  c.right = Symmetric3<Lanes<W>>::lowerOf(minusSkewTimes<W>(s.w_mass, s.tangent_right, right));
  c.across = minusSkewTimes<W>(s.w_mass, s.tangent_left, right);
  return c;
}

/// The elements merged so far: compliances and free motion of the two ends, ali3p (31).
template <int W>
struct Compound {
  Symmetric3<Lanes<W>> left, right;
  LaneMatrix3<W> across;
  LaneVector3<W> e_left, e_right;
};

/// Factors the joint between a compound and the element at its right, and merges their compliances.
/// @param epsilon  compliance of the joint
/// @returns the smallest of the leading minors of its pivot block; 1 where there is no joint
template <int W>
TACTUS_INLINE Lanes<W> mergeCompliances(const LaneElement<W>& element, const Lanes<W>& epsilon,
                                        const BodyCompliance<W>& body, LaneIterate<W>& joint,
                                        Compound<W>& compound) noexcept {
  const Symmetric3<Lanes<W>> S = compound.right + body.left + Symmetric3<Lanes<W>>::diagonal(epsilon);
  const Lanes<W> determinant = S.determinant();
  // Without a joint, S may be zero; its inverse is to be.
  joint.S_inverse = (element.joined / (determinant + (1 - element.joined))) * S.adjugate();
  // ali3p (33), (34)
  joint.P = times(compound.across, joint.S_inverse);
  joint.Q = times<Lanes<W>>(body.across.transpose(), joint.S_inverse);
  compound.left = minusProduct<Lanes<W>>(compound.left, joint.P, compound.across.transpose());
  compound.right = minusProduct<Lanes<W>>(body.right, joint.Q, body.across);
  compound.across = joint.P * body.across;
  const Lanes<W> min_minor = minimum(minimum(S.xx, S.xx * S.yy - S.yx * S.yx), determinant);
  return element.joined * min_minor + (1 - element.joined);
}

/// See ChainLanes::sweepUp().
/// @param is_tried  keeps beta of the joints for restoreBeta()
template <bool factor, bool with_bodies, int W>
TACTUS_INLINE void sweepSegmentsUp(const ChainContext& context, int lane_group, const LaneElement<W>* elements,
                                   LaneIterate<W>* iterates, double leak, bool is_tried,
                                   const InterfaceSystem& interfaces) noexcept {
  SegmentRows& segments = context.ws.segmentsFor(interfaces);
  const int first = lane_group * W;
  const int last = context.chain.stations - 1;
  Compound<W> compound;
  BodyCompliance<W> body;
  LaneVector3<W> left_lambda = lanesAt<W>(interfaces.rows, kLambda, first);
  const LaneVector3<W> right_interface = lanesAt<W>(interfaces.rows, kLambda, first + 1);
  Lanes<W> physical_right(0), lowest(1);
  // Compliance of a joint: one of the two terms is zero.
  const bool is_absolute = context.settings.absolute_alpha > 0;
  const Lanes<W> absolute_epsilon(is_absolute ? 1 / context.settings.absolute_alpha : 0.0);
  const Lanes<W> relative_epsilon(is_absolute ? 0.0 : context.settings.relative_compliance / 3);
  double* limited = segments.at(kLimited, first);
  if constexpr (factor) Lanes<W>(0).to(limited);
  for (int k = 0; k <= last; ++k) {
    LaneIterate<W>& s = iterates[k];
    Lanes<W> physical(0);
    if constexpr (factor) {
      const LaneVector3<W>& right_lambda = k < last ? s.lambda : right_interface;
      formLaneTangent<W>(context, elements[k], left_lambda, right_lambda, s, limited);
      left_lambda = right_lambda;
      body = complianceOf<W>(s);
      physical = physical_right + body.left.trace();
      physical_right = body.right.trace();
    }
    LaneVector3<W> e_left, e_right;
    if constexpr (with_bodies) {
      const LaneVector3<W> translation = s.w_mass * s.force, rotation = s.w_J * s.torque;
      e_left = translation + rotation.cross(s.tangent_left);  // ali3p (32)
      e_right = translation + rotation.cross(s.tangent_right);
    } else {
      e_left.setConstant(Lanes<W>(0));
      e_right.setConstant(Lanes<W>(0));
    }
    if (k == 0) {
      if constexpr (factor) {
        compound.left = body.left;
        compound.right = body.right;
        compound.across = body.across;
        physical.to(segments.at(kPhysicalLeft, first));
      }
      compound.e_left = e_left;
      compound.e_right = e_right;
      continue;
    }
    LaneIterate<W>& joint = iterates[k - 1];
    LaneVector3<W> beta = compound.e_right + joint.beta - e_left;  // ali3p (35)
    if constexpr (factor) {
      const Lanes<W> epsilon = absolute_epsilon + relative_epsilon * physical;
      lowest = minimum(lowest, mergeCompliances(elements[k - 1], epsilon, body, joint, compound));
      beta -= Lanes<W>(leak) * epsilon * joint.lambda;
    } else if (is_tried) {
      joint.own_beta = joint.beta;
    }
    joint.beta = beta;
    subtractProduct(joint.P, beta, compound.e_left);  // ali3p (35)
    compound.e_right = e_right;
    addProduct(joint.Q, beta, compound.e_right);
  }

  putLanes<W>(compound.e_left, kELeft, first, segments);
  putLanes<W>(compound.e_right, kERight, first, segments);
  if constexpr (factor) {
    putLanes<W>(compound.left, kYLeft, first, segments);
    putLanes<W>(compound.right, kYRight, first, segments);
    for (int c = 0; c < 3; ++c) putLanes<W>(LaneVector3<W>(compound.across.col(c)), kYAcross + 3 * c, first, segments);
    physical_right.to(segments.at(kPhysicalRight, first));
    lowest.to(segments.at(kLowestMinor, first));
  }
}

}  // namespace tactus::rt
