// Names in a model message: those that elements declare, and those that refer to elements.
#pragma once

#include "tactus/v1/model.pb.h"

#include <functional>
#include <string>

namespace tactus::server {

/// Calls `visit` with each text by which a field refers to a body, to another element, to a table or to "ground".
void eachReference(google::protobuf::Message& message, const std::function<void(std::string& name)>& visit);

/// Whether a field of this name refers to an element: "body_1", "joint", "road".
bool isReference(const std::string& field);

/// Puts `prefix` before the names of all elements, parameters, initial conditions and tables of a model and before all
/// references to them; "ground" becomes `ground`. Paths of targets get both.
/// @param ground  "ground", or the name of a body of the model that includes this one
void prefixNames(v1::Model& model, const std::string& prefix, const std::string& ground);

}  // namespace tactus::server
