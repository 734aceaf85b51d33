// The common part of the calls of SimulationService.
#pragma once

#include "server/service/simulation_service.h"
#include "server/service/status_map.h"
#include "server/session/session_message.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace tactus::server {

template <class Request>
void SimulationService::requireReach(const Visit& visit, const Request& request) const {
  // Without a session field, and for what a request asks for beyond its session, the call itself decides.
  if constexpr (requires { request.session(); }) {
    const Reach reach = visit.rule().reach;
    if (reach != Reach::kOwnSession && reach != Reach::kDriven) return;
    const std::shared_ptr<Session> session = sessions_.find(request.session());
    const SessionSpec& spec = session->spec();
    if (reach == Reach::kDriven)
      requireDriver(visit.peer(), spec.owner, spec.name);
    else
      requireOwner(visit.peer(), spec.owner, "session \"" + spec.name + '"');
  }
}

template <class Request, class Body>
grpc::Status SimulationService::answer(grpc::ServerContextBase& context, const char* rpc, const Request& request,
                                       Body&& body) {
  std::optional<Visit> visit;
  const grpc::Status status = answerCall(context, [&] {
    visit.emplace(door_, context, rpc);
    visit->requireRole();
    requireOpen();
    requireReach(*visit, request);
    if constexpr (std::is_invocable_v<Body, Visit&>)
      std::forward<Body>(body)(*visit);
    else
      std::forward<Body>(body)();
  });
  if constexpr (std::is_base_of_v<google::protobuf::Message, Request>)
    door_.note(context, visit ? &visit->peer() : nullptr, rpcRule(rpc), request, visit ? visit->subject : "", status);
  return status;
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
std::string SimulationService::once(RequestLog<std::string>& log, const grpc::ServerContext& context,
                                    const Request& request, const Visit& visit, Act&& act) const {
  checkRequestId(request.request_id());
  // Two identities may choose the same id.
  const std::string id = request.request_id().empty() ? "" : request.request_id() + '/' + visit.peer().name;
  const auto cancelled = [&] { return context.IsCancelled() || draining_; };
  return log.once(id, fingerprint(request), cancelled, [&]() -> std::string {
    try {
      return act().SerializeAsString();
    } catch (...) { throw AnsweredFailure(toAnswer(std::current_exception())); }
  });
}

template <class Request, class Act>
grpc::Status SimulationService::control(grpc::ServerContext& context, const char* rpc, const Request& request,
                                        v1::Session& response, Act&& act) {
  return answer(context, rpc, request, [&](const Visit& visit) {
    const std::shared_ptr<Session> session = sessions_.find(request.session());
    response.ParseFromString(once(session->requests(), context, request, visit, [&] {
      if constexpr (std::is_invocable_v<Act, Session&, const Visit&>)
        act(*session, visit);
      else
        act(*session);
      v1::Session status;
      writeSession(*session, status);
      return status;
    }));
  });
}

}  // namespace tactus::server
