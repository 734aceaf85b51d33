// RequestError -> ErrorDetail.
#pragma once

#include "server/wire/request_error.h"

#include "tactus/v1/simulation.pb.h"

namespace tactus::server {

/// The word of ErrorDetail.reason.
const char* toString(Reason reason) noexcept;

/// Reason, field and hint as a message.
v1::ErrorDetail toDetail(const RequestError& error);

}  // namespace tactus::server
