#include "rt/ali3p/chain/interfaces.h"

#include "rt/math/lane_transpose.h"

#include <algorithm>

namespace tactus::rt {

namespace {

/// Interfaces that share vectors.
constexpr int kWidth = 4;
using Several = Lanes<kWidth>;
using SeveralVectors = Eigen::Matrix<Several, 3, 1>;

/// Differences of the motion at interfaces, minus the right sides of their rows: of the points at their left, on the
/// segments before or on ground, less that of the points at their right.
SeveralVectors differencesAt(const SegmentRows& segments, int first, int level) noexcept {
  return lanesAt<kWidth>(segments, kEndsRight + 3 * level, first - 1) -
         lanesAt<kWidth>(segments, kEndsLeft + 3 * level, first);
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

/// Turns rows of four interfaces into one column each.
TACTUS_INLINE void toColumns(const SeveralVectors& rows, Column (&columns)[kWidth]) noexcept {
  Column::Vector square[kWidth] = {rows[0].vector(), rows[1].vector(), rows[2].vector(), rows[2].vector()};
  transpose(square);
  for (int i = 0; i < kWidth; ++i) columns[i] = Column(square[i]);
}

/// Symmetric matrices of four interfaces, from the rows of their six numbers, plus `diagonal` on their diagonals.
TACTUS_INLINE void toMatrices(const SegmentRows& segments, int row, int first, const Several& diagonal,
                              Column (&matrices)[kWidth][3]) noexcept {
  Several m[6];
  for (int k = 0; k < 6; ++k) m[k] = Several::from(segments.at(row + k, first));
  const SeveralVectors columns[3] = {
      {m[0] + diagonal, m[1], m[2]}, {m[1], m[3] + diagonal, m[4]}, {m[2], m[4], m[5] + diagonal}};
  for (int c = 0; c < 3; ++c) {
    Column of_interfaces[kWidth];
    toColumns(columns[c], of_interfaces);
    for (int i = 0; i < kWidth; ++i) matrices[i][c] = of_interfaces[i];
  }
}

/// The diagonal blocks of ali3p (37) before any interface is eliminated: eps + Y_right of the segment before + Y_left
/// of the segment behind.
void formBlocks(const ChainContext& context, InterfaceSystem& interfaces) noexcept {
  const SegmentRows& segments = context.ws.segmentsFor(interfaces);
  const bool is_absolute = context.settings.absolute_alpha > 0;
  const Several absolute(is_absolute ? 1 / context.settings.absolute_alpha : 0.0);
  const Several relative(is_absolute ? 0.0 : context.settings.relative_compliance / 3);
  Column::Vector physical_before = Column(0.0).vector();
  Column before[3] = {Column(0.0), Column(0.0), Column(0.0)};  // Y_right of the segment before
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    const Several physical = Several::from(segments.at(kPhysicalRight, i));
    const Several physical_left(__builtin_shufflevector(physical_before, physical.vector(), 3, 4, 5, 6));
    physical_before = physical.vector();
    const Several epsilon = absolute + relative * (physical_left + Several::from(segments.at(kPhysicalLeft, i)));
    epsilon.to(interfaces.rows.at(kEpsilon, i));
    Column left[kWidth][3], right[kWidth][3];
    toMatrices(segments, kYLeft, i, epsilon, left);
    toMatrices(segments, kYRight, i, Several(0.0), right);
    for (int k = 0; k < kWidth; ++k)
      for (int c = 0; c < 3; ++c) {
        interfaces.blocks[static_cast<std::size_t>(i + k)].D_inverse[c] = left[k][c] + before[c];
        before[c] = right[k][c];
      }
  }
}

/// The couplings of each interface with its neighbor towards the middle: the compliance across the segment between
/// them.
void formCouplings(const ChainContext& context, InterfaceSystem& interfaces) noexcept {
  const SegmentRows& segments = context.ws.segmentsFor(interfaces);
  const int middle = context.chain.segments / 2;
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    Several across[9];
    for (int k = 0; k < 9; ++k) across[k] = Several::from(segments.at(kYAcross + k, i));
    for (int c = 0; c < 3; ++c) {
      Column to_right[kWidth], to_left[kWidth];
      toColumns({across[c], across[c + 3], across[c + 6]}, to_right);
      toColumns({across[3 * c], across[3 * c + 1], across[3 * c + 2]}, to_left);
      for (int k = 0; k < kWidth; ++k) {
        const auto segment = static_cast<std::size_t>(i + k);
        if (i + k < middle)
          interfaces.blocks[segment].G[c] = to_right[k];
        else
          interfaces.blocks[segment + 1].G[c] = to_left[k];
      }
    }
  }
}

/// a x b
TACTUS_INLINE Column cross(const Column& a, const Column& b) noexcept {
  const Column a_shifted(__builtin_shufflevector(a.vector(), a.vector(), 1, 2, 0, 3));
  const Column b_shifted(__builtin_shufflevector(b.vector(), b.vector(), 1, 2, 0, 3));
  const Column shifted = a * b_shifted - a_shifted * b;
  return Column(__builtin_shufflevector(shifted.vector(), shifted.vector(), 1, 2, 0, 3));
}

/// Inverts a symmetric block; zero where there is no joint.
/// @returns false if it is not positive definite
TACTUS_INLINE bool invert(const Column (&block)[3], bool is_joined, Column (&inverse)[3]) noexcept {
  const Column cofactors[3] = {cross(block[1], block[2]), cross(block[2], block[0]), cross(block[0], block[1])};
  const Column products = block[0] * cofactors[0];
  const double determinant = products[0] + products[1] + products[2];
  const Column scale(is_joined ? 1 / determinant : 0.0);
  for (int c = 0; c < 3; ++c) inverse[c] = scale * cofactors[c];
  return !is_joined || (block[0][0] > 0 && cofactors[2][2] > 0 && determinant > 0);
}

/// Eliminates an interface with a given block from the block of its neighbor towards the middle.
/// @returns false if its block is not positive definite
TACTUS_INLINE bool eliminate(const Column (&block)[3], bool is_joined, InterfaceBlock& interface,
                             Column (&neighbor)[3]) noexcept {
  const Column coupling[3] = {interface.G[0], interface.G[1], interface.G[2]};
  const bool is_positive = invert(block, is_joined, interface.D_inverse);
  for (int c = 0; c < 3; ++c) interface.G[c] = plusProduct(Column(0.0), coupling, interface.D_inverse[c]);
  Column::Vector rows[kWidth] = {interface.G[0].vector(), interface.G[1].vector(), interface.G[2].vector(),
                                 interface.G[2].vector()};
  transpose(rows);
  for (int c = 0; c < 3; ++c) interface.G_transposed[c] = Column(rows[c]);
  // neighbor - G coupling^T
  for (int k = 0; k < 3; ++k) {
    neighbor[0] -= interface.G[k] * spread<0>(coupling[k]);
    neighbor[1] -= interface.G[k] * spread<1>(coupling[k]);
    neighbor[2] -= interface.G[k] * spread<2>(coupling[k]);
  }
  return is_positive;
}

bool factorInterfaces(const ChainContext& context, InterfaceSystem& interfaces) noexcept {
  formBlocks(context, interfaces);
  formCouplings(context, interfaces);
  const int count = context.chain.segments, middle = count / 2;
  InterfaceBlock* states = interfaces.blocks.data();
  const auto isJoined = [&](int interface) noexcept {
    return context.chain.interfaces[static_cast<std::size_t>(interface)].joined;
  };
  const auto load = [&](int interface, Column(&block)[3]) noexcept {
    for (int c = 0; c < 3; ++c) block[c] = states[interface].D_inverse[c];
  };
  Column left[3], right[3], next[3], center[3];
  load(0, left);
  load(count - 1, right);
  load(middle, center);
  bool is_positive = true;
  for (int k = 0; k + 1 < middle; ++k) {
    const int l = k, r = count - 1 - k;
    load(l + 1, next);
    is_positive = eliminate(left, isJoined(l), states[l], next) && is_positive;
    std::copy(next, next + 3, left);
    const bool is_last = r - 1 == middle;
    load(r - 1, next);
    is_positive = eliminate(right, isJoined(r), states[r], is_last ? center : next) && is_positive;
    std::copy(next, next + 3, right);
  }
  is_positive = eliminate(left, isJoined(middle - 1), states[middle - 1], center) && is_positive;
  return invert(center, isJoined(middle), states[middle].D_inverse) && is_positive;
}

/// The solutions of four interfaces as rows: the reverse of toColumns().
TACTUS_INLINE SeveralVectors solutionsOf(const InterfaceBlock* states) noexcept {
  Column::Vector square[kWidth];
  for (int i = 0; i < kWidth; ++i) square[i] = states[i].x.vector();
  transpose(square);
  return {Several(square[0]), Several(square[1]), Several(square[2])};
}

/// The right sides of all interfaces. Reads the rows in the vectors in which the sweep up has just stored them: vectors
/// of another width would have to wait until the stores reach the cache.
void formRightSides(const ChainContext& context, int level, double leak, InterfaceSystem& interfaces) noexcept {
  const SegmentRows& segments = context.ws.segmentsFor(interfaces);
  Column from_left(0.0);  // of the segment before
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    SeveralVectors own = differencesAt(segments, i, level) - lanesAt<kWidth>(segments, kELeft, i);
    if (leak != 0)
      own -=
          Several(leak) * Several::from(interfaces.rows.at(kEpsilon, i)) * lanesAt<kWidth>(interfaces.rows, kLambda, i);
    Column b[kWidth], e_right[kWidth];
    toColumns(own, b);
    toColumns(lanesAt<kWidth>(segments, kERight, i), e_right);
    for (int k = 0; k < kWidth; ++k) {
      interfaces.blocks[static_cast<std::size_t>(i + k)].x = b[k] + from_left;
      from_left = e_right[k];
    }
  }
}

}  // namespace

void loadMultipliers(const Chain& chain, const State& from, InterfaceSystem& interfaces) noexcept {
  const double* lambda = from.view().lambda();
  for (int i = 0; i < chain.segments; ++i) {
    const ChainInterface& interface = chain.interfaces[static_cast<std::size_t>(i)];
    interfaces.rows.setVector(
        kLambda, i,
        interface.joined ? Vector3d(interface.sign * ConstVec3Map(lambda + interface.row)) : Vector3d::Zero());
  }
}

bool solveInterfaces(const ChainContext& context, Level level, bool factor, double leak,
                     InterfaceSystem& interfaces) noexcept {
  const bool positive = !factor || factorInterfaces(context, interfaces);
  const int count = context.chain.segments, middle = count / 2;
  InterfaceBlock* states = interfaces.blocks.data();
  formRightSides(context, indexOf(level), leak, interfaces);

  // Towards the middle: each interface keeps its own part of its solution; its right side goes on.
  const Column none(0.0);
  const auto forward = [&](InterfaceBlock& interface, const Column& b, const Column& next) noexcept {
    interface.x = plusProduct(none, interface.D_inverse, b);
    return plusProduct(next, interface.G, b);
  };
  Column left = states[0].x, right = states[count - 1].x;
  for (int k = 0; k + 1 < middle; ++k) {
    left = forward(states[k], left, states[k + 1].x);
    right = forward(states[count - 1 - k], right, states[count - 2 - k].x);
  }
  const Column center = forward(states[middle - 1], left, right);

  // And back.
  left = right = states[middle].x = plusProduct(none, states[middle].D_inverse, center);
  for (int k = middle - 1; k > 0; --k) {
    left = states[k].x = plusProduct(states[k].x, states[k].G_transposed, left);
    right = states[count - k].x = plusProduct(states[count - k].x, states[count - k].G_transposed, right);
  }
  states[0].x = plusProduct(states[0].x, states[0].G_transposed, left);

  const Several share(level == Level::kAcceleration ? context.scale : 1.0);
  for (int i = 0; i < count; i += kWidth) {
    const SeveralVectors x = solutionsOf(states + i);
    putLanes<kWidth>(x, kLambdaIncrement, i, interfaces.rows);
    putLanes<kWidth>(solutionsOf(states + i + 1), kIncrementRight, i, interfaces.rows);
    if (level == Level::kVelocity) continue;
    putLanes<kWidth>(SeveralVectors(lanesAt<kWidth>(interfaces.rows, kLambda, i) + share * x), kLambda, i,
                     interfaces.rows);
  }
  return positive;
}

double squaredViolation(const ChainContext& context, const InterfaceSystem& interfaces, Level level) noexcept {
  const SegmentRows& segments = context.ws.segmentsFor(interfaces);
  Several sum(0.0);
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    const SeveralVectors differences = differencesAt(segments, i, indexOf(level));
    sum += Several::from(interfaces.rows.at(kJoined, i)) * differences.squaredNorm();
    sum += Several::from(segments.at(kViolation + indexOf(level), i));
  }
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

double squaredIncrement(const ChainContext& context, const InterfaceSystem& interfaces) noexcept {
  const SegmentRows& segments = context.ws.segmentsFor(interfaces);
  Several largest(0.0);
  for (int i = 0; i < context.chain.segments; i += kWidth) {
    const Several increments = Several::from(segments.at(kIncrement, i));
    largest = worst(largest, increments);
  }
  double of_all = 0;
  for (int k = 0; k < kWidth; ++k) of_all = worst(of_all, largest[k]);
  return of_all;
}

void storeMultipliers(const Chain& chain, const InterfaceSystem& interfaces, State& to) noexcept {
  for (int i = 0; i < chain.segments; ++i) {
    const ChainInterface& interface = chain.interfaces[static_cast<std::size_t>(i)];
    if (interface.joined) Vec3Map(to.lambda() + interface.row) = interface.sign * interfaces.rows.vector(kLambda, i);
  }
}

}  // namespace tactus::rt
