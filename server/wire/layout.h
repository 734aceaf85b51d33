// SignalDirectory -> Signal and Layout messages.
#pragma once

#include "rt/signals/signal_directory.h"

#include "tactus/v1/state.pb.h"

#include <cstdint>
#include <vector>

namespace tactus::server {

/// One entry of the directory.
void writeSignal(const rt::Signal& signal, v1::Signal& message);

/// Names in order, and the hash that both ends of a stream must agree on.
void writeLayout(const rt::SignalDirectory& directory, const std::vector<int>& indices, v1::Layout& message);

/// Refuses a layout other than the one that the client expects; zero accepts any layout.
/// @throws RequestError kLayoutMismatch
void expectLayout(std::uint64_t expected, std::uint64_t found, const char* field);

}  // namespace tactus::server
