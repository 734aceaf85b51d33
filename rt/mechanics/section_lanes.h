// Sections of beams side by side: the rows of rt/mechanics/primitives/section.h, four elements at a time, for RowLanes.
#pragma once

#include "rt/mechanics/kinematics.h"
#include "rt/mechanics/primitive_lanes.h"
#include "rt/mechanics/primitives/primitive.h"

namespace tactus::rt {

/// Values and Jacobian of the sections of a group.
/// @param[out] phi, jacobian  of all rows; those of the group are written
/// @rt no allocation, no throw, fixed work
void evaluateSections(const PrimitiveLanes& group, const BodyMotion* motions, double* phi,
                      RowJacobian* jacobian) noexcept;

/// Right sides at acceleration level.
/// @param[out] gamma  of all rows; those of the group are written
/// @rt no allocation, no throw, fixed work
void evaluateSectionGammas(const PrimitiveLanes& group, const BodyMotion* motions, double* gamma) noexcept;

/// The values alone, with the bits of evaluateSections().
/// @param[out] phi  of all rows; those of the group are written
/// @rt no allocation, no throw, fixed work
void evaluateSectionValues(const PrimitiveLanes& group, const BodyMotion* motions, double* phi) noexcept;

}  // namespace tactus::rt
