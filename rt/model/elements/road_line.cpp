#include "rt/model/elements/road_line.h"

#include "rt/model/rules.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxPoints = 50'000;
constexpr double kAround = 50;  ///< of the grid beyond the line, m
constexpr double kMaxSquares = 250'000;
/// Of split squares: how far from the line they are, and the least side of their pieces, m.
constexpr double kNearLine = 15, kFinestPiece = 1;
/// Between two points, over the spacing: the way along the line is at least the distance, and a line that bends more
/// than this within one spacing is no road.
constexpr double kShortest = 0.9, kLongest = 1.001;

using Knots = std::vector<RoadLine::Knot>;

/// M at the knots from M[i-1] + 4 M[i] + M[i+1] = 6 (y[i-1] - 2 y[i] + y[i+1]) / h^2, by relaxation: each pass leaves
/// at most half of the error.
void solveSecondDerivatives(RoadLine& line) {
  constexpr int kPasses = 64;
  const auto n = static_cast<int>(line.knots.size());
  if (n < 3) return;
  const double scale = 6 / (line.spacing * line.spacing);
  const auto at = [&](int i) -> RoadLine::Knot& { return line.knots[static_cast<std::size_t>((i + n) % n)]; };
  const int first = line.closed ? 0 : 1, end = line.closed ? n : n - 1;
  for (int pass = 0; pass < kPasses; ++pass) {
    for (int i = first; i < end; ++i) {
      const RoadLine::Knot &a = at(i - 1), &c = at(i + 1);
      RoadLine::Knot& b = at(i);
      b.xx = (scale * (a.x - 2 * b.x + c.x) - a.xx - c.xx) / 4;
      b.yy = (scale * (a.y - 2 * b.y + c.y) - a.yy - c.yy) / 4;
    }
    if (line.closed) continue;
    line.knots.front().xx = at(1).xx, line.knots.front().yy = at(1).yy;
    line.knots.back().xx = at(n - 2).xx, line.knots.back().yy = at(n - 2).yy;
  }
}

/// Fills the squares: first those with knots, then each from its neighbors, in two passes over the grid each way.
class Squares {
 public:
  explicit Squares(RoadLine& line) : line_(line) {
    double high_x = line.knots.front().x, high_y = line.knots.front().y;
    line.low_x = high_x, line.low_y = high_y;
    for (const RoadLine::Knot& knot : line.knots) {
      line.low_x = std::min(line.low_x, knot.x), high_x = std::max(high_x, knot.x);
      line.low_y = std::min(line.low_y, knot.y), high_y = std::max(high_y, knot.y);
    }
    line.low_x -= kAround, line.low_y -= kAround;
    const double width = high_x + kAround - line.low_x, height = high_y + kAround - line.low_y;
    line.side = std::max(2 * line.spacing, std::sqrt(width * height / kMaxSquares));
    line.columns = static_cast<int>(width / line.side) + 1;
    line.rows = static_cast<int>(height / line.side) + 1;
    line.nearest.assign(static_cast<std::size_t>(line.rows) * static_cast<std::size_t>(line.columns), -1);
  }

  void fill() {
    for (std::size_t k = 0; k < line_.knots.size(); ++k)
      offer(static_cast<int>((line_.knots[k].y - line_.low_y) / line_.side),
            static_cast<int>((line_.knots[k].x - line_.low_x) / line_.side), static_cast<int>(k));
    for (int pass = 0; pass < 2; ++pass) {
      for (int row = 0; row < line_.rows; ++row)
        for (int column = 0; column < line_.columns; ++column) take(row, column);
      for (int row = line_.rows - 1; row >= 0; --row)
        for (int column = line_.columns - 1; column >= 0; --column) take(row, column);
    }
    // Half a diagonal from the middle of the square, and as much for what the passes left out.
    line_.reach = static_cast<int>(2 * line_.side / line_.spacing) + 2;
  }

 private:
  int& at(int row, int column) {
    return line_.nearest[static_cast<std::size_t>(row) * static_cast<std::size_t>(line_.columns) +
                         static_cast<std::size_t>(column)];
  }
  double distance(int row, int column, int knot) const {
    const RoadLine::Knot& k = line_.knots[static_cast<std::size_t>(knot)];
    return std::hypot(line_.low_x + (column + 0.5) * line_.side - k.x, line_.low_y + (row + 0.5) * line_.side - k.y);
  }
  void offer(int row, int column, int knot) {
    int& held = at(row, column);
    if (held < 0 || distance(row, column, knot) < distance(row, column, held)) held = knot;
  }
  void take(int row, int column) {
    for (int r = std::max(row - 1, 0); r <= std::min(row + 1, line_.rows - 1); ++r)
      for (int c = std::max(column - 1, 0); c <= std::min(column + 1, line_.columns - 1); ++c)
        if (at(r, c) >= 0) offer(row, column, at(r, c));
  }

  RoadLine& line_;
};

/// Splits the squares near the line of a large road. A piece has the knot nearest to its middle of all knots that are
/// near it. The pieces are bounded by the length of the line: some 3 million for the longest one.
class Pieces {
 public:
  explicit Pieces(RoadLine& line) : line_(line) {
    const double finest = std::max(2 * line.spacing, kFinestPiece);
    line.split = line.side > finest ? static_cast<int>(std::ceil(line.side / finest)) : 1;
    side_ = line.side / line.split;
    around_ = std::max(kNearLine, 2 * side_);
  }

  void fill() {
    if (line_.split == 1) return;
    line_.first_fine.assign(line_.nearest.size(), -1);
    forEachKnot([&](int knot) {
      const Range x = rangeOf(at(knot).x - line_.low_x, line_.columns),
                  y = rangeOf(at(knot).y - line_.low_y, line_.rows);
      for (int row = y.first / line_.split; row <= y.last / line_.split; ++row)
        for (int column = x.first / line_.split; column <= x.last / line_.split; ++column) firstOf(row, column) = 0;
    });
    int pieces = 0;
    for (int& first : line_.first_fine)
      if (first == 0) first = std::exchange(pieces, pieces + line_.split * line_.split);
    line_.fine.assign(static_cast<std::size_t>(pieces), -1);
    forEachKnot([&](int knot) {
      const Range x = rangeOf(at(knot).x - line_.low_x, line_.columns),
                  y = rangeOf(at(knot).y - line_.low_y, line_.rows);
      for (int row = y.first; row <= y.last; ++row)
        for (int column = x.first; column <= x.last; ++column) offer(row, column, knot);
    });
  }

 private:
  /// Rows or columns of pieces, counted over the whole grid.
  struct Range {
    int first, last;
  };

  const RoadLine::Knot& at(int knot) const { return line_.knots[static_cast<std::size_t>(knot)]; }
  int& firstOf(int row, int column) {
    return line_.first_fine[static_cast<std::size_t>(row) * static_cast<std::size_t>(line_.columns) +
                            static_cast<std::size_t>(column)];
  }
  Range rangeOf(double x, int squares) const {
    return {static_cast<int>(std::max(x - around_, 0.0) / side_),
            std::min(static_cast<int>((x + around_) / side_), squares * line_.split - 1)};
  }
  /// As many knots as a piece has along its side, about: the search finds those between.
  template <class F>
  void forEachKnot(F&& f) const {
    const int step = std::max(1, static_cast<int>(side_ / (2 * line_.spacing)));
    for (int knot = 0; knot < static_cast<int>(line_.knots.size()); knot += step) f(knot);
  }
  void offer(int row, int column, int knot) {
    const auto square = [&](int k) {
      const double x = line_.low_x + (column + 0.5) * side_ - at(k).x, y = line_.low_y + (row + 0.5) * side_ - at(k).y;
      return x * x + y * y;
    };
    const int n = line_.split;
    int& held = line_.fine[static_cast<std::size_t>(firstOf(row / n, column / n) + row % n * n + column % n)];
    if (held < 0 || square(knot) < square(held)) held = knot;
  }

  RoadLine& line_;
  double side_, around_;
};

}  // namespace

Fields RoadLineSpec::fields() {
  static constexpr Field kFields[] = {
      field<&RoadLineSpec::start>("start", "Way along the road at the first point.",
                                  {.unit = "m", .range = Range::kFinite}),
      field<&RoadLineSpec::spacing>("spacing", "Way along the road from point to point.",
                                    {.unit = "m", .range = Range::kPositive}),
      field<&RoadLineSpec::points>(
          "points", "Positions along `along` and to its left, from the origin of the road, point by point.",
          {.unit = "m",
           .range = Range::kFinite,
           .rule = "2 to 50 000 points; the distance of neighbors is 0.9 to 1 times spacing"}),
      field<&RoadLineSpec::closed>("closed", "The road is a ring: the last point is one spacing before the first.",
                                   {.rule = "with 8 or more points"}),
  };
  return kFields;
}

void check(const RoadLineSpec& line, const FindingPlace& at) {
  const std::size_t count = line.points.size();
  const std::size_t fewest = line.closed ? 8 : 2;
  if (count % 2 != 0 || count / 2 < fewest || count / 2 > kMaxPoints)
    return at.error(
        ".points", std::to_string(count) + " numbers",
        line.closed ? "must be pairs of numbers, 8 to 50 000 pairs" : "must be pairs of numbers, 2 to 50 000 pairs");
  if (!(line.spacing > 0)) return;
  const std::size_t last = line.closed ? count : count - 2;
  for (std::size_t i = 0; i < last; i += 2) {
    const std::size_t next = (i + 2) % count;
    const double distance = std::hypot(line.points[next] - line.points[i], line.points[next + 1] - line.points[i + 1]);
    if (distance >= kShortest * line.spacing && distance <= kLongest * line.spacing) continue;
    const std::string points = at.path + ".points";
    return at.out.error(element(points.c_str(), next), printed(distance) + " m from the point before",
                        "must be 0.9 to 1 times spacing from the point before",
                        "spacing is the way along the road; use more points where it bends");
  }
}

RoadLine makeRoadLine(const RoadLineSpec& spec) {
  RoadLine line;
  line.start = spec.start;
  line.spacing = spec.spacing;
  line.closed = spec.closed;
  for (std::size_t i = 0; i + 1 < spec.points.size(); i += 2)
    line.knots.push_back({spec.points[i], spec.points[i + 1]});
  solveSecondDerivatives(line);
  Squares(line).fill();
  Pieces(line).fill();
  return line;
}

}  // namespace tactus::rt
