// A message as JSON text for people: names as in the proto, lists of numbers on one line.
#pragma once

#include <google/protobuf/message.h>

#include <string>

namespace tactus::server {

/// Fields that are set, in the order of their numbers; numbers with as many digits as they need.
std::string writeJson(const google::protobuf::Message& message);

}  // namespace tactus::server
