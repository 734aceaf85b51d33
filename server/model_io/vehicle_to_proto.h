// Descriptions of tyres with slip, powertrains, controls and surfaces into messages: a part of toProto().
#pragma once

#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

namespace tactus::server {

void writeSlipTyre(const rt::SlipTyreSpec& in, v1::SlipTyre& out);
void writePowertrain(const rt::PowertrainSpec& in, v1::Powertrain& out);
void writeControl(const rt::ControlSpec& in, v1::Control& out);
void writeSurfaceGrid(const rt::SurfaceGridSpec& in, v1::SurfaceGrid& out);

}  // namespace tactus::server
