// The calls on sessions.
#include "server/service/answer.h"
#include "server/session/parameter_request.h"

namespace tactus::server {

namespace {

// A page of sessions ends before the session that exceeds this size: gRPC refuses messages above 4 MiB.
constexpr std::size_t kPageBytes = 1u << 20;

// With parameters, as "chain:n=8". It is in each message of its session.
constexpr std::size_t kMaxModelName = 256;

}  // namespace

grpc::Status SimulationService::CreateSession(grpc::ServerContext* context, const v1::CreateSessionRequest* request,
                                              v1::Session* response) {
  return answer(*context, "CreateSession", *request, [&](Visit& visit) {
    if (!request->cpus().empty()) visit.requireRole(Role::kAdmin, "a choice of cores");
    if (request->priority() > config_.priority)
      visit.requireRole(Role::kAdmin, "a priority above that of the server, " + std::to_string(config_.priority) + ",");
    if (request->model_name().size() > kMaxModelName)
      throw RequestError(Reason::kRequestInvalid, "model_name", "at most 256 bytes");
    response->ParseFromString(once(creations_, *context, *request, visit, [&] {
      v1::Model message;
      switch (request->source_case()) {
        case v1::CreateSessionRequest::kModelName:
          message = models_.get(request->model_name(), "model_name").message;
          break;
        case v1::CreateSessionRequest::kModel: message = request->model(); break;
        default:
          throw RequestError(Reason::kRequestInvalid, "source", "the model is missing",
                             "give model_name, such as \"four_bar\", or a model");
      }
      std::shared_ptr<const rt::Model> model = models_.build(readModelMessage(message));
      if (!request->parameters().empty()) {
        const ParameterValues values = readParameters(request->parameters());
        TunedModel tuned = naming(values, "parameters", [&] { return tuneModel(message, *model, values); });
        message = std::move(tuned.message);
        model = std::move(tuned.model);
      }
      SessionSpec spec = readSessionSpec(*request, model, config_.limits, config_.priority);
      spec.model_message = std::make_shared<const v1::Model>(std::move(message));
      const auto session = sessions_.create(std::move(spec), visit.peer());
      v1::Session status;
      writeSession(*session, status);
      return status;
    }));
    visit.subject = response->name();
  });
}

grpc::Status SimulationService::GetSession(grpc::ServerContext* context, const v1::GetSessionRequest* request,
                                           v1::Session* response) {
  return answer(*context, "GetSession", *request,
                [&] { writeSession(*sessions_.find(request->session()), *response); });
}

grpc::Status SimulationService::ListSessions(grpc::ServerContext* context, const v1::ListSessionsRequest* request,
                                             v1::ListSessionsResponse* response) {
  return answer(*context, "ListSessions", *request, [&] {
    std::size_t bytes = 0;
    for (const auto& session : sessions_.list()) {
      const std::string& name = session->spec().name;
      if (name <= request->page_token()) continue;
      v1::Session message;
      writeSession(*session, message);
      bytes += message.ByteSizeLong();
      if (bytes > kPageBytes && !response->sessions().empty())
        return response->set_next_page_token(response->sessions().rbegin()->name());
      *response->add_sessions() = std::move(message);
    }
  });
}

grpc::Status SimulationService::DeleteSession(grpc::ServerContext* context, const v1::DeleteSessionRequest* request,
                                              v1::DeleteSessionResponse*) {
  return answer(*context, "DeleteSession", *request, [&] {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    sessions_.remove(request->session());
    links_.closeAll(session.get(), "the session was deleted");
    recordings_.stopAll(session.get());
  });
}

grpc::Status SimulationService::StartSession(grpc::ServerContext* context, const v1::StartSessionRequest* request,
                                             v1::Session* response) {
  return control(*context, "StartSession", *request, *response, [](Session& session) { session.start(); });
}

grpc::Status SimulationService::PauseSession(grpc::ServerContext* context, const v1::PauseSessionRequest* request,
                                             v1::Session* response) {
  return control(*context, "PauseSession", *request, *response, [](Session& session) { session.pause(); });
}

grpc::Status SimulationService::StepSession(grpc::ServerContext* context, const v1::StepSessionRequest* request,
                                            v1::Session* response) {
  return control(*context, "StepSession", *request, *response, [&](Session& session) {
    if (request->ticks() < 1 || request->ticks() > config_.limits.step_ticks)
      throw RequestError(Reason::kRequestInvalid, "ticks",
                         "must be from 1 to " + std::to_string(config_.limits.step_ticks));
    session.step(request->ticks(), [&] { return context->IsCancelled() || draining_; });
  });
}

grpc::Status SimulationService::ResetSession(grpc::ServerContext* context, const v1::ResetSessionRequest* request,
                                             v1::Session* response) {
  return control(*context, "ResetSession", *request, *response, [](Session& session) { session.reset(); });
}

grpc::Status SimulationService::EnterSafeState(grpc::ServerContext* context, const v1::EnterSafeStateRequest* request,
                                               v1::Session* response) {
  return control(*context, "EnterSafeState", *request, *response, [](Session& session) { session.enterSafeState(); });
}

grpc::Status SimulationService::ClearSafeState(grpc::ServerContext* context, const v1::ClearSafeStateRequest* request,
                                               v1::Session* response) {
  return control(*context, "ClearSafeState", *request, *response, [](Session& session) { session.clearSafeState(); });
}

}  // namespace tactus::server
