#include "rt/mechanics/road_line.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {

namespace {

constexpr int kMaxSteps = 12;         ///< of Newton's method; it ends after three or four
constexpr double kExact = 1e-13;      ///< step over the spacing
constexpr double kMinStretch = 0.05;  ///< at the center of curvature the way along the road has no derivative

/// Position and derivatives by the way from the first knot.
struct Local {
  double x, y, dx, dy, ddx, ddy;
};

Local spanAt(const RoadLine::Knot& a, const RoadLine::Knot& b, double h, double t) noexcept {
  const double u = 1 - t, k = h * h / 6, m = h / 6;
  return {u * a.x + t * b.x + k * ((u * u * u - u) * a.xx + (t * t * t - t) * b.xx),
          u * a.y + t * b.y + k * ((u * u * u - u) * a.yy + (t * t * t - t) * b.yy),
          (b.x - a.x) / h + m * ((1 - 3 * u * u) * a.xx + (3 * t * t - 1) * b.xx),
          (b.y - a.y) / h + m * ((1 - 3 * u * u) * a.yy + (3 * t * t - 1) * b.yy),
          u * a.xx + t * b.xx,
          u * a.yy + t * b.yy};
}

/// @param way  m from the first knot: of a closed line from minus one length to two lengths
Local evaluate(const RoadLine& line, double way) noexcept {
  const auto n = static_cast<int>(line.knots.size());
  const double at = way / line.spacing;
  if (line.closed) {
    const double whole = std::floor(at);
    const int span = (static_cast<int>(whole) % n + n) % n;
    return spanAt(line.knots[static_cast<std::size_t>(span)], line.knots[static_cast<std::size_t>((span + 1) % n)],
                  line.spacing, at - whole);
  }
  const int span = std::clamp(static_cast<int>(std::clamp(at, 0.0, static_cast<double>(n))), 0, n - 2);
  const double t = std::clamp(at - span, 0.0, 1.0);
  Local local = spanAt(line.knots[static_cast<std::size_t>(span)], line.knots[static_cast<std::size_t>(span + 1)],
                       line.spacing, t);
  // Straight on beyond the ends.
  const double beyond = way - line.spacing * (span + t);
  if (at < 0 || at > n - 1) {
    local.x += beyond * local.dx;
    local.y += beyond * local.dy;
    local.ddx = local.ddy = 0;
  }
  return local;
}

/// The knot from which a search begins.
int knotNear(const RoadLine& line, double x, double y) noexcept {
  const double column = std::clamp((x - line.low_x) / line.side, 0.0, line.columns - 1.0);
  const double row = std::clamp((y - line.low_y) / line.side, 0.0, line.rows - 1.0);
  const std::size_t square =
      static_cast<std::size_t>(row) * static_cast<std::size_t>(line.columns) + static_cast<std::size_t>(column);
  if (!line.first_fine.empty() && line.first_fine[square] >= 0) {
    const auto piece = [&line](double at) {
      return std::min(static_cast<int>((at - std::floor(at)) * line.split), line.split - 1);
    };
    const int knot =
        line.fine[static_cast<std::size_t>(line.first_fine[square] + piece(row) * line.split + piece(column))];
    if (knot >= 0) return knot;
  }
  return line.nearest[square];
}

/// Goes to the neighbor as long as it is nearer.
int descend(const RoadLine& line, int knot, double x, double y) noexcept {
  const auto n = static_cast<int>(line.knots.size());
  const auto square = [&](int k) {
    const RoadLine::Knot& at = line.knots[static_cast<std::size_t>(k)];
    return (at.x - x) * (at.x - x) + (at.y - y) * (at.y - y);
  };
  double here = square(knot);
  for (int step = 0; step < line.reach; ++step) {
    const int next = line.closed ? (knot + 1) % n : std::min(knot + 1, n - 1);
    const int back = line.closed ? (knot + n - 1) % n : std::max(knot - 1, 0);
    const double ahead = square(next), behind = square(back);
    if (ahead >= here && behind >= here) break;
    knot = ahead < behind ? next : back;
    here = std::min(ahead, behind);
  }
  return knot;
}

}  // namespace

LinePlace placeOn(const RoadLine& line, double x, double y) noexcept {
  // A number that is none would index nothing; the step that brings it ends by its own check.
  if (!(std::abs(x) < 1e9 && std::abs(y) < 1e9)) return {};
  double way = line.spacing * descend(line, knotNear(line, x, y), x, y);
  Local at = evaluate(line, way);
  for (int step = 0; step < kMaxSteps; ++step) {
    // (C - P) C' = 0
    const double slope = at.dx * at.dx + at.dy * at.dy + (at.x - x) * at.ddx + (at.y - y) * at.ddy;
    const double change = -((at.x - x) * at.dx + (at.y - y) * at.dy) / std::max(slope, kMinStretch);
    const bool outside = !line.closed && (way < 0 || way > line.length());
    way += outside ? change : std::clamp(change, -line.spacing, line.spacing);
    at = evaluate(line, way);
    if (std::abs(change) <= kExact * line.spacing) break;
  }
  const double speed = std::sqrt(at.dx * at.dx + at.dy * at.dy);
  LinePlace place;
  place.forward_x = at.dx / speed;
  place.forward_y = at.dy / speed;
  place.across = place.forward_x * (y - at.y) - place.forward_y * (x - at.x);
  const double curvature = (at.dx * at.ddy - at.dy * at.ddx) / (speed * speed * speed);
  place.stretch = std::max(speed * (1 - curvature * place.across), kMinStretch);
  if (line.closed) way -= line.length() * std::floor(way / line.length());
  place.along = line.start + way;
  return place;
}

LinePoint pointOf(const RoadLine& line, double along) noexcept {
  const Local at = evaluate(line, along - line.start);
  const double speed = std::sqrt(at.dx * at.dx + at.dy * at.dy);
  return {at.x, at.y, at.dx / speed, at.dy / speed};
}

}  // namespace tactus::rt
