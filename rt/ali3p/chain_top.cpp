#include "rt/ali3p/chain_top.h"

namespace tactus::rt {

namespace {

const Vector3d kOrigin = Vector3d::Zero();

/// Motion of the point at the left of a cut: the end of the segment before, or ground.
const Vector3d& leftOf(const ChainContext& context, const ChainTop& top, std::size_t cut, int level) noexcept {
  if (cut > 0) return context.ws.chain.segments[cut - 1].ends[top.valid].right[level];
  return level == 0 ? context.chain.left_ground : kOrigin;
}

/// Inverse of a symmetric matrix; false if it is not positive definite.
bool invert(const Symmetric3<double>& m, Symmetric3<double>& inverse) noexcept {
  const double determinant = m.determinant();
  inverse = (1.0 / determinant) * m.adjugate();
  return m.xx > 0 && m.xx * m.yy - m.yx * m.yx > 0 && determinant > 0;
}

/// D_i = eps + Y_right of the segment before + Y_left of the one behind - G_i Y_across of the one before.
bool factorCuts(const ChainContext& context, ChainTop& top) noexcept {
  const auto& segments = context.ws.chain.segments;
  bool positive = true;
  for (std::size_t i = 0; i < top.cuts.size(); ++i) {
    ChainCutState& cut = top.cuts[i];
    const ChainSegment& right = segments[i];
    double physical = right.physical_left;
    Symmetric3<double> D = right.Y_left;
    cut.G.setZero();
    if (i > 0) {
      const ChainSegment& left = segments[i - 1];
      physical += left.physical_right;
      cut.G = times<double>(left.Y_across.transpose(), top.cuts[i - 1].D_inverse);
      D = minusProduct<double>(D + left.Y_right, cut.G, left.Y_across);
    }
    cut.epsilon = context.settings.absolute_alpha > 0 ? 1 / context.settings.absolute_alpha
                                                      : context.settings.relative_compliance * physical / 3;
    if (!context.chain.cuts[i].joined) {
      cut.D_inverse = Symmetric3<double>::zero();
      continue;
    }
    positive = invert(D + Symmetric3<double>::diagonal(cut.epsilon), cut.D_inverse) && positive;
  }
  return positive;
}

}  // namespace

void loadCuts(const Chain& chain, const State& from, ChainTop& top) noexcept {
  const double* lambda = from.view().lambda();
  for (std::size_t i = 0; i < top.cuts.size(); ++i) {
    const ChainCut& cut = chain.cuts[i];
    top.cuts[i].lambda = cut.joined ? Vector3d(cut.sign * ConstVec3Map(lambda + cut.row)) : kOrigin;
  }
}

bool solveCuts(const ChainContext& context, Level level, bool factor, double leak, ChainTop& top) noexcept {
  const bool positive = !factor || factorCuts(context, top);
  const auto& segments = context.ws.chain.segments;
  const std::size_t count = top.cuts.size();
  const int at = indexOf(level);
  for (std::size_t i = 0; i < count; ++i) {
    ChainCutState& cut = top.cuts[i];
    Vector3d b = leftOf(context, top, i, at) - segments[i].ends[top.valid].left[at] - segments[i].e_left -
                 leak * cut.epsilon * cut.lambda;
    if (i > 0) b += segments[i - 1].e_right + cut.G * top.cuts[i - 1].increment;
    cut.increment = b;
  }
  // On the way back, `increment` turns from a right side into the solution.
  const double share = level == Level::kPosition ? 1.0 : level == Level::kAcceleration ? context.scale : 0.0;
  for (std::size_t i = count; i-- > 0;) {
    ChainCutState& cut = top.cuts[i];
    Vector3d x = cut.D_inverse * cut.increment;
    if (i + 1 < count) x += top.cuts[i + 1].G.transpose() * top.cuts[i + 1].increment;
    if (!context.chain.cuts[i].joined) x.setZero();
    cut.increment = x;
    cut.lambda += share * x;
  }
  return positive;
}

double cutViolation(const ChainContext& context, const ChainTop& top, Level level) noexcept {
  const int at = indexOf(level);
  double sum = 0;
  for (std::size_t i = 0; i < context.chain.cuts.size(); ++i)
    if (context.chain.cuts[i].joined)
      sum += (leftOf(context, top, i, at) - context.ws.chain.segments[i].ends[top.valid].left[at]).squaredNorm();
  return sum;
}

void storeCuts(const Chain& chain, const ChainTop& top, State& to) noexcept {
  for (std::size_t i = 0; i < top.cuts.size(); ++i)
    if (chain.cuts[i].joined) Vec3Map(to.lambda() + chain.cuts[i].row) = chain.cuts[i].sign * top.cuts[i].lambda;
}

}  // namespace tactus::rt
