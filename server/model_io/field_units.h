// The unit of each field of a model message, from the descriptions of the elements.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace tactus::server {

/// "N/m"; "1" for a number without dimension; empty for a field that no element describes.
const std::string& unitOf(const google::protobuf::FieldDescriptor& field);

}  // namespace tactus::server
