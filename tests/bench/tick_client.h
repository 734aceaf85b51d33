// The near end of the Tick stream of a session in lockstep: once with the client library, once with the bare stub.
#pragma once

#include "tests/bench/round_trip.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::bench {

/// Both make a lockstep session of the model, drive every input of it and read the given signals.
/// @throws ClientError, Error if the stream does not open
std::unique_ptr<RoundTripClient> connectWithLibrary(const std::string& address, const std::string& model,
                                                    const std::vector<std::string>& signals);
std::unique_ptr<RoundTripClient> connectWithStub(const std::string& address, const std::string& model,
                                                 const std::vector<std::string>& signals);

}  // namespace tactus::bench
