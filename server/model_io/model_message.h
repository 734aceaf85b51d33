// tactus.v1.Model from and to ModelSpec. The rules of a valid model are in rt/model; here is only what the message can
// break and the description cannot.
#pragma once

#include "rt/error.h"
#include "rt/model/model_spec.h"

#include "tactus/v1/model.pb.h"

#include <vector>

namespace tactus::server {

/// What cannot be translated becomes a finding and keeps its default in `spec`; see readFields().
/// @param spec  empty
std::vector<rt::Finding> fromProto(const v1::Model& message, rt::ModelSpec& spec);

/// The message that says everything that the description says; defaults are written out.
v1::Model toProto(const rt::ModelSpec& spec);

/// The same, with lists of numbers and of coefficients in the form and order of the message that the description comes
/// from: targets of parameters count them.
v1::Model toProto(const rt::ModelSpec& spec, const v1::Model& given);

}  // namespace tactus::server
