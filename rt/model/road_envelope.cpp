#include "rt/model/road_envelope.h"

#include "rt/math/cubic_weights.h"

#include <algorithm>
#include <cmath>

namespace tactus::rt {
namespace {

/// Points of the envelope, and places where the disc may touch, in one radius at most.
constexpr double kFinest = 64;
/// Places to touch between two points of the heights at most.
constexpr double kBetween = 4;

/// The grid of an envelope: points of the heights that one step takes, and how many it has.
struct Extent {
  int stride;
  double spacing;
  int margin;  ///< rows before the first and behind the last of the heights
  double rows, columns;

  Extent(double rows_of_heights, double columns_of_heights, double spacing_of_heights, double radius)
      : stride(static_cast<int>(std::clamp(std::floor(radius / (kFinest * spacing_of_heights)), 1.0, 1e6))),
        spacing(stride * spacing_of_heights),
        margin(static_cast<int>(std::min(std::ceil(radius / spacing), 2 * kFinest)) + 1),
        rows(std::ceil((rows_of_heights - 1) / stride) + 1 + 2 * margin),
        columns(std::ceil((columns_of_heights - 1) / stride) + 1) {}
};

/// The heights along one column, smooth, constant beyond the ends; x in m from the first row.
class Column {
 public:
  Column(const SurfaceGrid& grid, int column) : grid_(grid), column_(std::min(column, grid.columns - 1)) {}

  double at(double x) const {
    const double place = std::clamp(x / grid_.spacing, 0.0, static_cast<double>(grid_.rows - 1));
    const int cell = std::min(static_cast<int>(place), grid_.rows - 2);
    const CubicWeights weights(place - cell);
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += weights.w[k] * point(cell - 1 + k);
    return sum;
  }

 private:
  double point(int row) const {
    const auto r = static_cast<std::size_t>(std::clamp(row, 0, grid_.rows - 1));
    return grid_.values[r * static_cast<std::size_t>(grid_.columns) + static_cast<std::size_t>(column_)];
  }

  const SurfaceGrid& grid_;
  int column_;
};

}  // namespace

std::size_t envelopeSize(std::size_t rows, std::size_t columns, double spacing, double radius) {
  const Extent extent(static_cast<double>(rows), static_cast<double>(columns), spacing, radius);
  return static_cast<std::size_t>(extent.rows) * static_cast<std::size_t>(extent.columns);
}

SurfaceGrid envelopeOf(const SurfaceGrid& heights, double radius) {
  const Extent extent(heights.rows, heights.columns, heights.spacing, radius);
  SurfaceGrid out;
  out.spacing = extent.spacing;
  if (heights.across_spacing > 0) out.across_spacing = extent.stride * heights.across_spacing;
  out.along = heights.along - extent.margin * extent.spacing;
  out.across = heights.across;
  out.rows = static_cast<int>(extent.rows);
  out.columns = static_cast<int>(extent.columns);
  out.values.resize(static_cast<std::size_t>(out.rows) * static_cast<std::size_t>(out.columns));

  const double step = std::max(heights.spacing / kBetween, radius / kFinest);
  const int reach = static_cast<int>(radius / step);
  for (int column = 0; column < out.columns; ++column) {
    const Column surface(heights, column * extent.stride);
    for (int row = 0; row < out.rows; ++row) {
      const double x = (row - extent.margin) * extent.spacing;
      double highest = surface.at(x);
      for (int k = -reach; k <= reach; ++k) {
        const double s = k * step;
        highest = std::max(highest, surface.at(x + s) + std::sqrt(std::max(0.0, radius * radius - s * s)) - radius);
      }
      out.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(out.columns) +
                 static_cast<std::size_t>(column)] = highest;
    }
  }
  return out;
}

int takeEnvelope(int road, double radius, Model& model) {
  const SurfaceGrid& heights = model.roads[static_cast<std::size_t>(road)].heights;
  if (heights.values.empty()) return -1;
  const auto found = std::find_if(model.envelopes.begin(), model.envelopes.end(),
                                  [&](const RoadEnvelope& e) { return e.road == road && e.radius == radius; });
  if (found != model.envelopes.end()) return static_cast<int>(found - model.envelopes.begin());
  model.envelopes.push_back({road, radius, envelopeOf(heights, radius)});
  return static_cast<int>(model.envelopes.size()) - 1;
}

}  // namespace tactus::rt
