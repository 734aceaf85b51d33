// Findings on a model -> Finding messages.
#pragma once

#include "rt/error.h"
#include "server/model_io/located_finding.h"

#include "tactus/v1/simulation.pb.h"

namespace tactus::server {

void writeFinding(const rt::Finding& finding, v1::Finding& message);
void writeFinding(const LocatedFinding& finding, v1::Finding& message);

}  // namespace tactus::server
