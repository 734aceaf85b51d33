#include "rt/ali3p/chain_top.h"

#include "rt/math/lane_transpose.h"

namespace tactus::rt {

namespace {

/// Several cuts at once.
constexpr int kWidth = 4;
using Several = Lanes<kWidth>;
using SeveralVectors = Eigen::Matrix<Several, 3, 1>;

/// Motion of the points at the left of cuts, on the segments before or on ground, against those at their right.
SeveralVectors gapsAt(const SegmentRows& segments, const ChainTop& top, int first, int level) noexcept {
  return lanesAt<kWidth>(segments, endRow(top.valid, true, level), first - 1) -
         lanesAt<kWidth>(segments, endRow(top.valid, false, level), first);
}

/// Inverse of a symmetric matrix; false if it is not positive definite.
bool invert(const Symmetric3<double>& m, Symmetric3<double>& inverse) noexcept {
  const double determinant = m.determinant();
  inverse = (1.0 / determinant) * m.adjugate();
  return m.xx > 0 && m.xx * m.yy - m.yx * m.yx > 0 && determinant > 0;
}

/// The diagonal block of a cut before any other is eliminated: eps + Y_right of the segment before + Y_left of the one
/// behind.
Symmetric3<double> blockOf(const ChainContext& context, int cut, SegmentRows& cuts) noexcept {
  const SegmentRows& segments = context.ws.chain.segments;
  const double physical = *segments.at(kPhysicalRight, cut - 1) + *segments.at(kPhysicalLeft, cut);
  const double epsilon = context.settings.absolute_alpha > 0 ? 1 / context.settings.absolute_alpha
                                                             : context.settings.relative_compliance * physical / 3;
  *cuts.at(kEpsilon, cut) = epsilon;
  return segments.symmetric(kYRight, cut - 1) + segments.symmetric(kYLeft, cut) + Symmetric3<double>::diagonal(epsilon);
}

void setColumns(const Matrix3d& m, Column (&columns)[3]) noexcept {
  for (int c = 0; c < 3; ++c) columns[c] = Column(Column::Vector{m(0, c), m(1, c), m(2, c), 0.0});
}

/// Inverts the block of a cut; zero where there is no joint.
bool invertBlock(const ChainContext& context, int cut, const Symmetric3<double>& block, ChainTop& top,
                 Symmetric3<double>& inverse) noexcept {
  bool positive = true;
  if (context.chain.cuts[static_cast<std::size_t>(cut)].joined)
    positive = invert(block, inverse);
  else
    inverse = Symmetric3<double>::zero();
  setColumns(inverse.full(), top.states[static_cast<std::size_t>(cut)].D_inverse);
  return positive;
}

/// Eliminates a cut from the block of its neighbour towards the middle, to which `across` takes it.
bool eliminate(const ChainContext& context, int cut, const Symmetric3<double>& block, const Matrix3d& across,
               ChainTop& top, Symmetric3<double>& neighbour) noexcept {
  ChainCutState& state = top.states[static_cast<std::size_t>(cut)];
  Symmetric3<double> inverse;
  const bool positive = invertBlock(context, cut, block, top, inverse);
  const Matrix3d G = times<double>(across, inverse);
  setColumns(G, state.G);
  setColumns(G.transpose(), state.G_transposed);
  neighbour = minusProduct<double>(neighbour, G, across.transpose());
  return positive;
}

bool factorCuts(const ChainContext& context, ChainTop& top) noexcept {
  const SegmentRows& segments = context.ws.chain.segments;
  const int count = context.chain.segments, middle = count / 2;
  const auto block = [&](int cut) noexcept { return blockOf(context, cut, top.cuts); };
  Symmetric3<double> left = block(0), right = block(count - 1), centre = block(middle), inverse;
  bool positive = true;
  for (int k = 0; k + 1 < middle; ++k) {
    const int l = k, r = count - 1 - k;
    Symmetric3<double> next_left = block(l + 1);
    positive = eliminate(context, l, left, segments.matrix(kYAcross, l).transpose(), top, next_left) && positive;
    left = next_left;
    Symmetric3<double> next_right = r - 1 > middle ? block(r - 1) : centre;
    positive = eliminate(context, r, right, segments.matrix(kYAcross, r - 1), top, next_right) && positive;
    (r - 1 > middle ? right : centre) = next_right;
  }
  const int l = middle - 1;
  positive = eliminate(context, l, left, segments.matrix(kYAcross, l).transpose(), top, centre) && positive;
  return invertBlock(context, middle, centre, top, inverse) && positive;
}

template <int k>
TACTUS_INLINE Column spread(const Column& x) noexcept {
  return Column(__builtin_shufflevector(x.vector(), x.vector(), k, k, k, k));
}

/// sum + M x
TACTUS_INLINE Column plusProduct(Column sum, const Column (&m)[3], const Column& x) noexcept {
  sum += m[0] * spread<0>(x);
  sum += m[1] * spread<1>(x);
  sum += m[2] * spread<2>(x);
  return sum;
}

/// Vectors of four cuts as columns, from their rows.
TACTUS_INLINE void toColumns(const SeveralVectors& rows, Column (&columns)[kWidth]) noexcept {
  Column::Vector square[kWidth] = {rows[0].vector(), rows[1].vector(), rows[2].vector(), rows[2].vector()};
  transpose(square);
  for (int i = 0; i < kWidth; ++i) columns[i] = Column(square[i]);
}

/// The reverse, for the solutions of four cuts.
TACTUS_INLINE SeveralVectors solutionsOf(const ChainCutState* states) noexcept {
  Column::Vector square[kWidth];
  for (int i = 0; i < kWidth; ++i) square[i] = states[i].x.vector();
  transpose(square);
  return {Several(square[0]), Several(square[1]), Several(square[2])};
}

/// The right sides of all cuts. What the sweep up has just stored is read as it was stored: vectors that do not fit
/// would have to wait until it has reached the cache.
void formRightSides(const ChainContext& context, int level, double leak, ChainTop& top) noexcept {
  const SegmentRows& segments = context.ws.chain.segments;
  Column from_left(0.0);  // of the segment before
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    SeveralVectors own = gapsAt(segments, top, i, level) - lanesAt<kWidth>(segments, kELeft, i);
    if (leak != 0)
      own -= Several(leak) * Several::from(top.cuts.at(kEpsilon, i)) * lanesAt<kWidth>(top.cuts, kLambda, i);
    Column b[kWidth], e_right[kWidth];
    toColumns(own, b);
    toColumns(lanesAt<kWidth>(segments, kERight, i), e_right);
    for (int k = 0; k < kWidth; ++k) {
      top.states[static_cast<std::size_t>(i + k)].x = b[k] + from_left;
      from_left = e_right[k];
    }
  }
}

}  // namespace

void loadCuts(const Chain& chain, const State& from, ChainTop& top) noexcept {
  const double* lambda = from.view().lambda();
  for (int i = 0; i < chain.segments; ++i) {
    const ChainCut& cut = chain.cuts[static_cast<std::size_t>(i)];
    top.cuts.setVector(kLambda, i, cut.joined ? Vector3d(cut.sign * ConstVec3Map(lambda + cut.row)) : Vector3d::Zero());
  }
}

bool solveCuts(const ChainContext& context, Level level, bool factor, double leak, ChainTop& top) noexcept {
  const bool positive = !factor || factorCuts(context, top);
  const int count = context.chain.segments, middle = count / 2;
  ChainCutState* states = top.states.data();
  formRightSides(context, indexOf(level), leak, top);

  // Towards the middle: each cut keeps its own part of its solution; its right side goes on.
  const Column none(0.0);
  const auto forward = [&](ChainCutState& cut, const Column& b, const Column& next) noexcept {
    cut.x = plusProduct(none, cut.D_inverse, b);
    return plusProduct(next, cut.G, b);
  };
  Column left = states[0].x, right = states[count - 1].x;
  for (int k = 0; k + 1 < middle; ++k) {
    left = forward(states[k], left, states[k + 1].x);
    right = forward(states[count - 1 - k], right, states[count - 2 - k].x);
  }
  const Column centre = forward(states[middle - 1], left, right);

  // And back.
  left = right = states[middle].x = plusProduct(none, states[middle].D_inverse, centre);
  for (int k = middle - 1; k > 0; --k) {
    left = states[k].x = plusProduct(states[k].x, states[k].G_transposed, left);
    right = states[count - k].x = plusProduct(states[count - k].x, states[count - k].G_transposed, right);
  }
  states[0].x = plusProduct(states[0].x, states[0].G_transposed, left);

  const Several share(level == Level::kAcceleration ? context.scale : 1.0);
  for (int i = 0; i < count; i += kWidth) {
    const SeveralVectors x = solutionsOf(states + i);
    putLanes<kWidth>(x, kLambdaIncrement, i, top.cuts);
    putLanes<kWidth>(solutionsOf(states + i + 1), kIncrementRight, i, top.cuts);
    if (level == Level::kVelocity) continue;
    putLanes<kWidth>(SeveralVectors(lanesAt<kWidth>(top.cuts, kLambda, i) + share * x), kLambda, i, top.cuts);
  }
  return positive;
}

double squaredViolation(const ChainContext& context, const ChainTop& top, Level level) noexcept {
  const SegmentRows& segments = context.ws.chain.segments;
  Several sum(0.0);
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    const SeveralVectors gaps = gapsAt(segments, top, i, indexOf(level));
    sum += Several::from(top.cuts.at(kJoined, i)) * gaps.squaredNorm();
    sum += Several::from(segments.at(kViolation + indexOf(level), i));
  }
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

double squaredIncrement(const ChainContext& context) noexcept {
  Several largest(0.0);
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    const Several increments = Several::from(context.ws.chain.segments.at(kIncrement, i));
    largest = worst(largest, increments);
  }
  double of_all = 0;
  for (int k = 0; k < kWidth; ++k) of_all = largest[k] <= of_all ? of_all : largest[k];
  return of_all;
}

void storeCuts(const Chain& chain, const ChainTop& top, State& to) noexcept {
  for (int i = 0; i < chain.segments; ++i) {
    const ChainCut& cut = chain.cuts[static_cast<std::size_t>(i)];
    if (cut.joined) Vec3Map(to.lambda() + cut.row) = cut.sign * top.cuts.vector(kLambda, i);
  }
}

}  // namespace tactus::rt
