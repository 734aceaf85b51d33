// tactus.v1.Model to ModelSpec. The rules of a valid model are in rt/model; here is only what the message can break
// and the description cannot: lists of the wrong length, a missing kind, numbers of an unknown enum value.
#pragma once

#include "rt/error.h"
#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <vector>

namespace tactus::server {

/// What cannot be translated becomes a finding and keeps its default in `spec`.
std::vector<rt::Finding> fromProto(const v1::Model& message, rt::ModelSpec& spec);

}  // namespace tactus::server
