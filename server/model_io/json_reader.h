// JSON text to the events of a MessageBuilder.
#pragma once

#include "server/model_io/message_builder.h"

#include <string_view>

namespace tactus::server {

/// @returns false if the syntax is broken or the builder is exhausted; the finding is made
bool readJson(std::string_view text, MessageBuilder& builder);

}  // namespace tactus::server
