// From the description of tyres, friction, powertrains and surfaces to their constants. Names are not its business.
#pragma once

#include "rt/model/model.h"
#include "rt/model/model_spec.h"

namespace tactus::rt {

Road makeRoad(const RoadSpec& spec);

/// @param[in,out] model  counts the internal states that the element takes
SlipTyre makeSlipTyre(const SlipTyreSpec& spec, int road, int body, Model& model);
JointFriction makeFriction(const JointFrictionSpec& spec, int joint, Model& model);
JointFriction makeBrake(const BrakeSpec& spec, int joint, Model& model);
Powertrain makePowertrain(const PowertrainSpec& spec, int carrier, const std::vector<int>& joints);

}  // namespace tactus::rt
