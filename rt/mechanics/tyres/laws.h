// The list of the laws of tyres with slip, in the order of rt/model/elements/tyre_laws.h.
//
// A law is a struct of four static functions over its constants:
//
//   stiffness(grip, tyre, load, camber)             dF/d(slip) without slip
//   force(grip, tyre, slip, stiffness)              steady force against a slip
//   limit(grip, tyre, slip, stiffness, speed)       largest deflection of the tread as a factor on the slip
//   speed(rolling, center)                          the speed at which the tread runs through the contact
#pragma once

#include "rt/mechanics/tyres/brush.h"
#include "rt/mechanics/tyres/linear.h"
#include "rt/mechanics/tyres/magic_formula.h"

#include <tuple>

namespace tactus::rt {

using TyreLaws = std::tuple<BrushLaw, MagicFormulaLaw, LinearLaw>;

}  // namespace tactus::rt
