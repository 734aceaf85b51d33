// The report of a search for an equilibrium or a trim, of a model and of a session.
#pragma once

#include "tactus/v1/simulation.pb.h"

#include <nlohmann/json.hpp>

#include <string>

namespace tactus::text {

/// The lines and tables of an equilibrium: how it was found, stability, reactions, signals.
std::string equilibriumText(const v1::FoundState& found);

/// Its members: figures, steps, bodies, reactions, signals.
nlohmann::ordered_json equilibriumJson(const v1::FoundState& found);

/// The lines and tables of a trim: how it was found, inputs, signals.
/// @param moving  whether the mechanism could move
std::string trimText(const v1::FoundState& found, bool moving);

/// Its members: figures, inputs, signals.
nlohmann::ordered_json trimJson(const v1::FoundState& found);

/// Whether a report has a finding: an equilibrium that is unstable or in a singular pose, an input out of range.
bool hasFinding(const v1::FoundState& found);

}  // namespace tactus::text
