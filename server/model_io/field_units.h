// The unit of each field of a model message, from the descriptions of the elements.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <string>

namespace tactus::server {

/// "N/m"; "1" for a number without dimension; empty for a field that no element describes.
const std::string& unitOf(const google::protobuf::FieldDescriptor& field);

/// Whether the element decides what unit a number of the field has: "m or rad", "N/m, N m/rad, N".
bool unitDepends(const google::protobuf::FieldDescriptor& field);

/// The unit of such a number, once its element is complete. All units of the field where the element does not say it.
/// @param index    of a list: place of the number in it
/// @param message  that has the field
/// @param owner    the message around it, such as the spring of a stop; null: there is none
std::string unitOf(const google::protobuf::FieldDescriptor& field, int index, const google::protobuf::Message& message,
                   const google::protobuf::Message* owner);

}  // namespace tactus::server
