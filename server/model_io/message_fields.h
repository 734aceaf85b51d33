// Fields of a spec from and to the fields of a message with the same names, by the reflection of protobuf.
#pragma once

#include "rt/model/field.h"
#include "rt/model/finding_list.h"

#include <google/protobuf/message.h>

#include <cstdint>
#include <optional>
#include <string>

namespace tactus::server {

/// Reads a message into a spec. What cannot be translated becomes a finding and keeps its default: a list of the wrong
/// length, a required list that is missing, a oneof without a kind, the number of an unknown enum value.
/// @param path  of the message in the model, for the findings; empty for the model itself
void readFields(const google::protobuf::Message& message, rt::Fields fields, void* spec, const std::string& path,
                rt::FindingList& out);

/// The whole number at a path of a message, "composites[0].beam.elements"; none: there is none.
std::optional<std::uint32_t> wholeAt(const google::protobuf::Message& message, const std::string& path);

/// Writes everything that a spec says into an empty message; defaults are written out.
void writeFields(const void* spec, rt::Fields fields, google::protobuf::Message& message);

}  // namespace tactus::server
