// OpenCRG files (.crg): a grid of heights, or of friction, along a reference line.
#pragma once

#include "server/model_io/grid_file.h"

#include "tactus/v1/model.pb.h"

#include <string_view>
#include <vector>

namespace tactus::server {

/// What a file says. Positions are those of the file: x along the road's `along`, y to its left, from the road's
/// origin.
struct CrgRoad {
  v1::SurfaceGrid grid;  ///< values at the points, without what follows
  v1::RoadLine line;
  std::vector<double> base, banking;  ///< of each row: height of the reference line, m; slope to the left
};

/// Reads a file of OpenCRG 1.1 or 1.2, ASCII (LRFI, LDFI, KRFI, KDFI) or binary (KRBI, KDBI, LRBI, LDBI). Missing
/// values at the edges of a cross-section get the nearest value of it. A cross-section with unequal distances is
/// brought to its smallest distance, linear between its points. Options (border modes) have no effect; modifiers that
/// change the road are refused. A line of stations less than 0.25 m apart becomes one of points 0.25 m apart or a
/// little more, through every n-th station where these reach the end, else on the cubic between stations.
/// @returns false if `problem` says why not
/// @source ASAM OpenCRG 1.2, sections 7 to 9: heading, banking and slope count from the station before to that where
/// they
///         are; with an end of the line the integration from both sides is blended
bool readCrg(std::string_view bytes, CrgRoad& out, GridProblem& problem);

/// The heights with those of the reference line and its banking.
v1::SurfaceGrid heightsOf(const CrgRoad& road);

}  // namespace tactus::server
