// The common part of the calls of SimulationService.
#pragma once

#include "server/service/simulation_service.h"
#include "server/service/status_map.h"
#include "server/session/session_message.h"

#include <functional>
#include <string>
#include <utility>

namespace tactus::server {

template <class Body>
grpc::Status SimulationService::answer(grpc::ServerContextBase& context, Body&& body) {
  return answerCall(context, [&] {
    requireOpen();
    std::forward<Body>(body)();
  });
}

/// Two requests with the same fingerprint have the same content.
template <class Request>
std::string fingerprint(const Request& request) {
  const std::string bytes = request.SerializeAsString();
  return request.GetTypeName() + "/" + std::to_string(bytes.size()) + "/" +
         std::to_string(std::hash<std::string>{}(bytes));
}

/// @throws RequestError for an id that is too long
inline void checkRequestId(const std::string& id) {
  if (id.size() > 128) throw RequestError(Reason::kRequestInvalid, "request_id", "at most 128 bytes");
}

template <class Request, class Act>
grpc::Status SimulationService::control(grpc::ServerContext& context, const Request& request, v1::Session& response,
                                        Act&& act) {
  return answer(context, [&] {
    checkRequestId(request.request_id());
    const std::shared_ptr<Session> session = sessions_.find(request.session());
    const auto cancelled = [&] { return context.IsCancelled() || draining_; };
    const std::string bytes = session->requests().once(request.request_id(), fingerprint(request), cancelled, [&] {
      act(*session);
      v1::Session status;
      writeSession(*session, status);
      return status.SerializeAsString();
    });
    response.ParseFromString(bytes);
  });
}

}  // namespace tactus::server
