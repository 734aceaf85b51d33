#include "rt/model/elements/beam_shape.h"

#include "rt/math/chordal_spline.h"

#include <cstddef>
#include <utility>

namespace tactus::rt {
namespace {

/// Parts of an element of a spline whose turns are added, so that a loop within an element is none of zero.
constexpr int kTurnParts = 8;

/// The span of the points with the place s, and the share of the span before s.
std::pair<std::size_t, double> spanAt(const std::vector<double>& places, double s) {
  std::size_t i = 0;
  while (i + 2 < places.size() && places[i + 1] < s) ++i;
  return {i, (s - places[i]) / (places[i + 1] - places[i])};
}

/// `v` mirrored about the line along the unit vector `c`.
Vector3d mirrored(const Vector3d& v, const Vector3d& c) {
  return 2 * v.dot(c) * c - v;
}

}  // namespace

Fields BeamPointSpec::fields() {
  static constexpr Field kFields[] = {
      field<&BeamPointSpec::position>(
          "position", "World frame.",
          {.unit = "m", .range = Range::kFinite, .required = true, .rule = "apart from the point before"}),
      field<&BeamPointSpec::twist>("twist", "Turn of the section about the axis of the beam, linear between points.",
                                   {.unit = "rad", .range = Range::kFinite}),
  };
  return kFields;
}

BeamShape::BeamShape(const std::vector<BeamPointSpec>& points, BeamCurve curve, int elements) {
  if (curve == BeamCurve::kSpline)
    followSpline(points, elements);
  else
    followPolyline(points, elements);
}

void BeamShape::followPolyline(const std::vector<BeamPointSpec>& points, int elements) {
  places.assign(points.size(), 0.0);
  for (std::size_t i = 1; i < points.size(); ++i)
    places[i] = places[i - 1] + (points[i].position - points[i - 1].position).norm();
  spacing = places.back() / elements;
  for (int k = 0; k <= elements; ++k) {
    const auto [i, share] = spanAt(places, k == elements ? places.back() : k * spacing);
    nodes.push_back(points[i].position + share * (points[i + 1].position - points[i].position));
    twists.push_back(points[i].twist + share * (points[i + 1].twist - points[i].twist));
  }
  for (std::size_t i = 1; i < nodes.size(); ++i) chords.push_back((nodes[i] - nodes[i - 1]).normalized());
  turns.assign(nodes.size(), 0.0);
  for (std::size_t i = 1; i < chords.size(); ++i) turns[i] = angleBetween(chords[i - 1], chords[i]);
  // Where the axis is smooth, its tangent at a node halves the turn; at ends and corners the tangent mirrors that of
  // the other end of the element, as on an arc.
  const auto smooth = [this](std::size_t node) {
    return node > 0 && node + 1 < nodes.size() && turns[node] < kBeamCorner;
  };
  const auto halving = [this](std::size_t node) { return (chords[node - 1] + chords[node]).normalized(); };
  for (std::size_t i = 0; i < chords.size(); ++i) {
    std::array<Vector3d, 2> t = {chords[i], chords[i]};
    const bool first = smooth(i), last = smooth(i + 1);
    if (first) t[0] = halving(i);
    if (last) t[1] = halving(i + 1);
    if (first && !last) t[1] = mirrored(t[0], chords[i]);
    if (last && !first) t[0] = mirrored(t[1], chords[i]);
    tangents.push_back(t);
    const double half = 0.5 * angleBetween(t[0], t[1]);
    lengths.push_back((nodes[i + 1] - nodes[i]).norm() * (half > 1e-6 ? half / std::sin(half) : 1.0));
  }
}

void BeamShape::followSpline(const std::vector<BeamPointSpec>& points, int elements) {
  std::vector<Vector3d> positions;
  for (const BeamPointSpec& point : points) positions.push_back(point.position);
  const ChordalSpline spline(std::move(positions));
  for (std::size_t i = 0; i < points.size(); ++i) places.push_back(spline.lengthTo(i));
  spacing = spline.length() / elements;
  lengths.assign(static_cast<std::size_t>(elements), spacing);
  Vector3d before = spline.tangent(0);
  for (int k = 0; k <= elements; ++k) {
    const double s = k == elements ? spline.length() : k * spacing;
    const auto [i, share] = spanAt(places, s);
    twists.push_back(points[i].twist + share * (points[i + 1].twist - points[i].twist));
    nodes.push_back(k == elements ? points.back().position : spline.position(s));
    double turn = 0;
    for (int part = 1; k > 0 && part <= kTurnParts; ++part) {
      const Vector3d next = spline.tangent(s - spacing * (kTurnParts - part) / kTurnParts);
      turn += angleBetween(before, next);
      before = next;
    }
    turns.push_back(turn);
    if (k > 0) {
      chords.push_back((nodes[nodes.size() - 1] - nodes[nodes.size() - 2]).normalized());
      tangents.push_back({tangents.empty() ? spline.tangent(0) : tangents.back()[1], before});
    }
  }
}

}  // namespace tactus::rt
