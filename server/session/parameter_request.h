// ParameterError -> RequestError that names the field of the request.
#pragma once

#include "server/model_io/tuned_model.h"
#include "server/wire/request_error.h"

#include <string>

namespace tactus::server {

/// @param field  name of the list in the request
RequestError refusal(const ParameterError& error, const ParameterValues& values, const std::string& field);

/// Runs `act`; a ParameterError becomes the refusal.
template <class Act>
auto naming(const ParameterValues& values, const std::string& field, Act&& act) {
  try {
    return act();
  } catch (const ParameterError& error) { throw refusal(error, values, field); }
}

}  // namespace tactus::server
