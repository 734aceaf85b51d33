// What a disc that rolls along a road with heights is lifted by: found at set-up, on a grid of its own.
#pragma once

#include "rt/model/model.h"

#include <cstddef>

namespace tactus::rt {

/// Height of the lowest point of the disc, which touches the heights somewhere and is above them nowhere else, at every
/// point of a grid: as fine as that of the heights, or 64 points a radius, and a radius longer at both ends.
SurfaceGrid envelopeOf(const SurfaceGrid& heights, double radius);

/// Numbers that it would have.
std::size_t envelopeSize(std::size_t rows, std::size_t columns, double spacing, double radius);

/// Index in Model::envelopes of that of a road for a radius; a new one is made. -1 for a road without heights.
int takeEnvelope(int road, double radius, Model& model);

}  // namespace tactus::rt
