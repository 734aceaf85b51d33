// Beams for tests: one that ground holds, and cross-sections by their numbers.
#pragma once

#include "rt/model/model_spec.h"

#include <array>
#include <vector>

namespace tactus::tests {

/// A beam "beam" along the points with its first node held by ground; axis 2 of the sections near z, no gravity.
rt::ModelSpec clampedBeam(const std::vector<rt::Vector3d>& points, int elements, const rt::BeamSectionKinds& section);

/// @param EA, GA  N, GA along both axes
/// @param GJ, EI  N m^2, EI about both axes
/// @param mass    kg/m
/// @param rho_I   kg m, about axes 2 and 3; twice that about axis 1
rt::GeneralSectionSpec sectionOf(double EA, double GA, double GJ, double EI, double mass, double rho_I);

/// The flexible four-bar with other numbers of elements in the bars ab, bc and cd.
rt::ModelSpec meshedFourBar(rt::ModelSpec spec, const std::array<int, 3>& elements);

}  // namespace tactus::tests
