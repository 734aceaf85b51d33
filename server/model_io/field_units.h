// The unit of each field of a model message, from the descriptions of the elements.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>

namespace tactus::server {

/// "N/m"; "1" for a number without dimension; empty for a field that no element describes.
const std::string& unitOf(const google::protobuf::FieldDescriptor& field);

/// The same for a field of a message that several kinds of elements hold: of "m or rad", what belongs to the owner.
/// @param owner  the message around that of the field, such as the spring of a stop; null: not known
std::string unitOf(const google::protobuf::FieldDescriptor& field, const google::protobuf::Message* owner);

}  // namespace tactus::server
