// The sweep up: tangents of bodies, compounds of segments.
#include "rt/ali3p/chain_evaluation.h"
#include "rt/ali3p/chain_sweeps.h"
#include "rt/ali3p/tangent.h"

namespace tactus::rt {

namespace {

/// Compliances of one body between its two joint points.
struct BodyCompliance {
  Symmetric3<Lanes> left, right;
  LaneMatrix3 across;  ///< left by right
};

/// J_hat = J + K with K limited, where it has to be; lanes one by one, for it is rare.
int limit(const Symmetric3<Lanes>& J, const Symmetric3<Lanes>& K, Symmetric3<Lanes>& J_hat) noexcept {
  const Symmetric3<Lanes> rest = K + (-kStiffnessLimit) * J;
  const Lanes minor = rest.xx * rest.yy - rest.yx * rest.yx;
  const Lanes lowest = least(least(rest.xx, minor), rest.determinant());
  int limited = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    if (lowest[lane] > 0) continue;
    ++limited;
    const auto of = [lane](const Symmetric3<Lanes>& m) noexcept {
      return Symmetric3<double>{m.xx[lane], m.yx[lane], m.zx[lane], m.yy[lane], m.zy[lane], m.zz[lane]};
    };
    const Matrix3d sum = limitedSum(of(J).full(), of(K).full());
    J_hat.xx.set(lane, sum(0, 0));
    J_hat.yx.set(lane, sum(1, 0));
    J_hat.zx.set(lane, sum(2, 0));
    J_hat.yy.set(lane, sum(1, 1));
    J_hat.zy.set(lane, sum(2, 1));
    J_hat.zz.set(lane, sum(2, 2));
  }
  return limited;
}

/// The metric W of one place with the multipliers at its left and right.
/// @returns bodies whose geometric stiffness was limited
int formTangent(const ChainContext& context, const ChainPlace& place, const LaneVector3& left, const LaneVector3& right,
                ChainSlot& s) noexcept {
  const Symmetric3<Lanes> J = rotated(s.R, place.inertia);
  const LaneMatrix3 turn = turnStiffness<Lanes>(s.arm_right, right) - turnStiffness<Lanes>(s.arm_left, left);
  const Symmetric3<Lanes> K = Lanes(context.scale) * Symmetric3<Lanes>::lowerOf(turn);
  Symmetric3<Lanes> J_hat = J + K;
  const int limited = limit(J, K, J_hat);
  J_hat += Symmetric3<Lanes>::diagonal(Lanes(0.5 * context.dt) * place.drag_angular);
  const Lanes scale = Lanes(context.scale) * place.movable;
  s.w_mass = scale / (place.mass + Lanes(0.5 * context.dt) * place.drag_linear);
  s.w_J = (scale / J_hat.determinant()) * J_hat.adjugate();
  s.tangent_left = s.arm_left;
  s.tangent_right = s.arm_right;
  return limited;
}

/// H_a W H_b^T = w_mass I - skew(a) w_J skew(b) for the two points of a body.
BodyCompliance complianceOf(const ChainSlot& s) noexcept {
  const LaneMatrix3 W = s.w_J.full();
  // Column j of W skew(b) is W (b x e_j).
  const auto turned = [&W](const LaneVector3& b) noexcept {
    LaneMatrix3 m;
    m.col(0) = W.col(1) * b[2] - W.col(2) * b[1];
    m.col(1) = W.col(2) * b[0] - W.col(0) * b[2];
    m.col(2) = W.col(0) * b[1] - W.col(1) * b[0];
    return m;
  };
  const auto crossed = [](const LaneVector3& a, const LaneMatrix3& m) noexcept {
    LaneMatrix3 c;
    for (int j = 0; j < 3; ++j) c.col(j) = a.cross(m.col(j));
    return c;
  };
  const LaneMatrix3 left = turned(s.tangent_left), right = turned(s.tangent_right);
  const Symmetric3<Lanes> mass = Symmetric3<Lanes>::diagonal(s.w_mass);
  const auto minus = [&mass](const LaneMatrix3& m) noexcept {
    return mass + Lanes(-1) * Symmetric3<Lanes>::lowerOf(m);
  };
  BodyCompliance c;
  c.left = minus(crossed(s.tangent_left, left));
  c.right = minus(crossed(s.tangent_right, right));
  c.across = mass.full() - crossed(s.tangent_left, right);
  return c;
}

/// Compound of the places so far: compliances and free motion of its two ends.
struct Compound {
  Symmetric3<Lanes> left, right;
  LaneMatrix3 across;
  LaneVector3 e_left, e_right;
};

/// Factors the joint between a compound and the place at its right, and merges their compliances.
/// @returns the least of the leading minors of its pivot block; 1 where there is no joint
Lanes mergeCompliances(const ChainContext& context, const ChainPlace& place, const Lanes& physical,
                       const BodyCompliance& body, ChainSlot& joint, Compound& compound) noexcept {
  joint.epsilon = context.settings.absolute_alpha > 0 ? Lanes(1 / context.settings.absolute_alpha)
                                                      : Lanes(context.settings.relative_compliance / 3) * physical;
  const Symmetric3<Lanes> S = compound.right + body.left + Symmetric3<Lanes>::diagonal(joint.epsilon);
  const Lanes determinant = S.determinant();
  // Without a joint, S may be zero; its inverse is to be.
  joint.S_inverse = (place.joined / (determinant + (1 - place.joined))) * S.adjugate();
  joint.P = times(compound.across, joint.S_inverse);
  joint.Q = times<Lanes>(body.across.transpose(), joint.S_inverse);
  compound.left = minusProduct<Lanes>(compound.left, joint.P, compound.across.transpose());
  compound.right = minusProduct<Lanes>(body.right, joint.Q, body.across);
  compound.across = joint.P * body.across;
  const Lanes least_minor = least(least(S.xx, S.xx * S.yy - S.yx * S.yx), determinant);
  return place.joined * least_minor + (1 - place.joined);
}

template <bool factor, bool with_bodies>
void sweepUpFor(const ChainContext& context, int group, double leak, const ChainTop& top) noexcept {
  const ChainPlace* places = context.chain.group(group);
  ChainSlot* slots = context.slots(group);
  ChainSegment* segments = context.ws.chain.segments.data() + group * kLanes;
  ChainTotals& totals = context.ws.chain.totals[static_cast<std::size_t>(group)];
  const int last = context.chain.positions - 1;
  Compound compound;
  BodyCompliance body;
  LaneVector3 left_lambda = cutMultipliers(top, group, 0);
  const LaneVector3 right_cut = cutMultipliers(top, group, 1);
  Lanes physical_right(0), lowest(1);
  if constexpr (factor) totals.limited = 0;
  for (int k = 0; k <= last; ++k) {
    ChainSlot& s = slots[k];
    Lanes physical(0);
    if constexpr (factor) {
      const LaneVector3& right_lambda = k < last ? s.lambda : right_cut;
      totals.limited += formTangent(context, places[k], left_lambda, right_lambda, s);
      left_lambda = right_lambda;
      body = complianceOf(s);
      physical = physical_right + body.left.trace();
      physical_right = body.right.trace();
    }
    LaneVector3 e_left, e_right;
    if constexpr (with_bodies) {
      const LaneVector3 translation = s.w_mass * s.force, rotation = s.w_J * s.torque;
      e_left = translation + rotation.cross(s.tangent_left);
      e_right = translation + rotation.cross(s.tangent_right);
    } else {
      e_left.setConstant(Lanes(0));
      e_right.setConstant(Lanes(0));
    }
    if (k == 0) {
      if constexpr (factor) {
        compound.left = body.left;
        compound.right = body.right;
        compound.across = body.across;
        for (int lane = 0; lane < kLanes; ++lane) segments[lane].physical_left = physical[lane];
      }
      compound.e_left = e_left;
      compound.e_right = e_right;
      continue;
    }
    ChainSlot& joint = slots[k - 1];
    if constexpr (factor)
      lowest = least(lowest, mergeCompliances(context, places[k - 1], physical, body, joint, compound));
    joint.beta = compound.e_right + joint.gap - e_left;
    if (leak != 0) joint.beta -= Lanes(leak) * joint.epsilon * joint.lambda;
    compound.e_left -= joint.P * joint.beta;
    compound.e_right = e_right + joint.Q * joint.beta;
  }

  for (int lane = 0; lane < kLanes; ++lane) {
    ChainSegment& segment = segments[lane];
    for (int r = 0; r < 3; ++r) {
      segment.e_left[r] = compound.e_left[r][lane];
      segment.e_right[r] = compound.e_right[r][lane];
    }
    if constexpr (factor) {
      const auto of = [lane](const Symmetric3<Lanes>& m) noexcept {
        return Symmetric3<double>{m.xx[lane], m.yx[lane], m.zx[lane], m.yy[lane], m.zy[lane], m.zz[lane]};
      };
      segment.Y_left = of(compound.left);
      segment.Y_right = of(compound.right);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) segment.Y_across(r, c) = compound.across(r, c)[lane];
      segment.physical_right = physical_right[lane];
    }
  }
  if constexpr (factor) {
    totals.positive = true;
    for (int lane = 0; lane < kLanes; ++lane) totals.positive = lowest[lane] > 0 && totals.positive;
  }
}

}  // namespace

void sweepUp(const ChainContext& context, int group, bool factor, bool with_bodies, double leak,
             const ChainTop& top) noexcept {
  if (factor)
    with_bodies ? sweepUpFor<true, true>(context, group, leak, top)
                : sweepUpFor<true, false>(context, group, leak, top);
  else
    with_bodies ? sweepUpFor<false, true>(context, group, leak, top)
                : sweepUpFor<false, false>(context, group, leak, top);
}

}  // namespace tactus::rt
