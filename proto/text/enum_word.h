// Values of the enums of the wire as words.
#pragma once

#include <google/protobuf/descriptor.h>

#include <string>

namespace tactus::text {

/// "ramping" for INPUT_MODE_RAMPING of InputMode: without the prefix, in lower case, with blanks.
/// @returns the number as text if the enum has no such value: the server knows a newer version
std::string enumWord(const google::protobuf::EnumDescriptor& type, int value);

}  // namespace tactus::text
