// The calls on models.
#include "server/service/answer.h"
#include "server/service/finding.h"

namespace tactus::server {

namespace {

// The source of ValidateModel and LoadModel: a message, or the text of a file.
template <class Request>
ModelDocument readSource(const Request& request) {
  switch (request.source_case()) {
    case Request::kModel: return readModelMessage(request.model());
    case Request::kJson: return readModelText(request.json(), ModelSyntax::kJson);
    case Request::kText: return readModelText(request.text(), ModelSyntax::kText);
    default: throw RequestError(Reason::kRequestInvalid, "source", "the model is missing", "set model, json or text");
  }
}

}  // namespace

grpc::Status SimulationService::ListModels(grpc::ServerContext* context, const v1::ListModelsRequest* request,
                                           v1::ListModelsResponse* response) {
  return answer(*context, "ListModels", *request, [&] {
    for (v1::ModelInfo& info : models_.list()) *response->add_models() = std::move(info);
  });
}

grpc::Status SimulationService::GetModel(grpc::ServerContext* context, const v1::GetModelRequest* request,
                                         v1::GetModelResponse* response) {
  return answer(*context, "GetModel", *request, [&] {
    if (request->session().empty() == request->name().empty())
      throw RequestError(Reason::kRequestInvalid, "name", "give either a model or a session");
    if (!request->session().empty()) {
      const std::shared_ptr<Session> session = sessions_.find(request->session());
      *response->mutable_model() = session->tuning().message;
      *response->mutable_info() = describeModel(response->model());
      return;
    }
    ModelStore::Entry entry = models_.get(request->name(), "name");
    *response->mutable_info() = std::move(entry.info);
    *response->mutable_model() = std::move(entry.message);
  });
}

grpc::Status SimulationService::ValidateModel(grpc::ServerContext* context, const v1::ValidateModelRequest* request,
                                              v1::ValidateModelResponse* response) {
  return answer(*context, "ValidateModel", *request, [&] {
    bool valid = true;
    for (const LocatedFinding& finding : validate(readSource(*request))) {
      valid = valid && finding.finding.severity != rt::Severity::kError;
      writeFinding(finding, *response->add_findings());
    }
    response->set_valid(valid);
  });
}

grpc::Status SimulationService::LoadModel(grpc::ServerContext* context, const v1::LoadModelRequest* request,
                                          v1::LoadModelResponse* response) {
  return answer(*context, "LoadModel", *request, [&](Visit& visit) {
    ModelStore::Loaded loaded = models_.load(readSource(*request), visit.peer());
    visit.subject = loaded.info.name();
    *response->mutable_info() = std::move(loaded.info);
    for (const LocatedFinding& finding : loaded.warnings) writeFinding(finding, *response->add_findings());
    writeAssembly(loaded.assembly, *response->mutable_assembly());
    response->set_replaced(loaded.replaced);
  });
}

grpc::Status SimulationService::UnloadModel(grpc::ServerContext* context, const v1::UnloadModelRequest* request,
                                            v1::UnloadModelResponse*) {
  return answer(*context, "UnloadModel", *request,
                [&](const Visit& visit) { models_.unload(request->name(), visit.peer()); });
}

}  // namespace tactus::server
