// CreateSessionRequest -> SessionSpec, Session -> session message.
#pragma once

#include "server/config.h"
#include "server/session/session.h"

#include "tactus/v1/simulation.pb.h"

namespace tactus::server {

/// Everything of the request but its model.
/// @throws RequestError naming the field: clock, scale, scripted_inputs[2].values[0], ...
SessionSpec readSessionSpec(const v1::CreateSessionRequest& request, std::shared_ptr<const rt::Model> model,
                            const Limits& limits, int default_priority = 0);

void writeSession(Session& session, v1::Session& message);

LeaseRequest readLease(const std::string& controller, bool takeover, const std::string& reason, const char* role);

/// Controller and takeover of a TickOpen or an OpenDeviceLinkRequest. @param role  name of a controller that gives none
/// @throws RequestError kRequestInvalid
template <class Request>
LeaseRequest readLease(const Request& request, const char* role) {
  return readLease(request.controller(), request.takeover(), request.takeover_reason(), role);
}

v1::ClockMode toProto(ClockChoice::Mode mode) noexcept;
v1::SessionState toProto(SessionState state) noexcept;

void writeAssembly(const rt::AssemblyResult& assembly, v1::AssemblyReport& message);

}  // namespace tactus::server
