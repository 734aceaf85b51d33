// Sums along the reference line of an OpenCRG file, and its points between stations.
#pragma once

#include "tactus/v1/model.pb.h"

#include <optional>
#include <vector>

namespace tactus::server {

/// Sums steps over the way from a start; where the end is known, the sum from the end is blended in.
/// @param steps  derivatives by the way, each from the station before to its own
/// @param du     way between stations, m
/// @source ASAM OpenCRG 1.2, section 8
std::vector<double> summed(const std::vector<double>& steps, double du, double start, std::optional<double> end);

/// A line of at most 50 000 points, at least 0.25 m apart or the two ends, as long as the way between the stations:
/// through every n-th station where these reach the last one, else on the cubic between stations.
/// @param x, y   of the stations, m; two or more of each
/// @param start  way at the first one, m
v1::RoadLine lineThrough(const std::vector<double>& x, const std::vector<double>& y, double start, double du);

}  // namespace tactus::server
