// A client of the Tick stream of a lockstep session: once with the client library, once with the bare stub.
#pragma once

#include "tests/bench/round_trip.h"

#include <memory>
#include <string>
#include <vector>

namespace tactus::bench {

/// Both create a lockstep session of the model, drive all of its inputs and read the given signals.
/// @throws ClientError, Error if the stream does not open
std::unique_ptr<RoundTripClient> connectWithLibrary(const std::string& address, const std::string& model,
                                                    const std::vector<std::string>& signals);
std::unique_ptr<RoundTripClient> connectWithStub(const std::string& address, const std::string& model,
                                                 const std::vector<std::string>& signals);

}  // namespace tactus::bench
