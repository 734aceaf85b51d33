// The answer of the server to the opening of a stream.
#pragma once

#include "clients/cpp/error.h"

namespace tactus::client {

/// Reads the first response of a stream into `call.opened`.
/// @param[in,out] call  with context, stream, response, opened and ended
/// @throws ClientError if the server refuses the stream; `call.ended` is then set
template <class Call>
void readOpening(Call& call) {
  const bool answered = call.stream->Read(&call.response);
  if (!answered || !call.response.has_opened()) {
    call.ended = true;
    if (answered) call.context.TryCancel();
    throw errorOf(call.stream->Finish(), call.context);
  }
  call.opened.Swap(call.response.mutable_opened());
}

}  // namespace tactus::client
