#include "clients/cpp/client.h"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace tactus::client {
namespace {

using Stub = Connection::Stub;

bool endsWith(const std::string& text, const std::string& suffix) {
  return text.size() >= suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

}  // namespace

Client::Client(const std::string& address, ConnectOptions options)
    : connection_(std::make_shared<const Connection>(address, options)) {
  serverInfo();
}

v1::ServerInfo Client::serverInfo() const {
  return connection_->call(&Stub::GetServerInfo, v1::GetServerInfoRequest{});
}

std::vector<v1::ModelInfo> Client::models() const {
  const auto response = connection_->call(&Stub::ListModels, v1::ListModelsRequest{});
  return {response.models().begin(), response.models().end()};
}

v1::Model Client::model(const std::string& name) const {
  v1::GetModelRequest request;
  request.set_name(name);
  return connection_->call(&Stub::GetModel, request).model();
}

v1::ValidateModelResponse Client::validateModel(const v1::Model& model) const {
  v1::ValidateModelRequest request;
  *request.mutable_model() = model;
  return connection_->call(&Stub::ValidateModel, request);
}

v1::LoadModelResponse Client::loadModel(const v1::Model& model) const {
  v1::LoadModelRequest request;
  *request.mutable_model() = model;
  return connection_->call(&Stub::LoadModel, request);
}

v1::LoadModelResponse Client::loadModelFile(const std::string& path) const {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  if (!file || !(content << file.rdbuf())) throw std::runtime_error("cannot read the model file '" + path + "'");

  // The server reads the text itself, so that its findings carry lines.
  v1::LoadModelRequest request;
  if (endsWith(path, ".txtpb")) {
    request.set_text(content.str());
  } else {
    request.set_json(content.str());
  }
  return connection_->call(&Stub::LoadModel, request);
}

void Client::unloadModel(const std::string& name) const {
  v1::UnloadModelRequest request;
  request.set_name(name);
  connection_->call(&Stub::UnloadModel, request);
}

Session Client::createSession(const std::string& model, v1::ClockMode clock, std::chrono::nanoseconds period) const {
  v1::CreateSessionRequest request;
  request.set_model_name(model);
  request.set_clock(clock);
  request.set_period_ns(period.count());
  return createSession(std::move(request));
}

Session Client::createSession(v1::CreateSessionRequest request) const {
  if (request.request_id().empty()) request.set_request_id(newRequestId());
  return Session(connection_, connection_->call(&Stub::CreateSession, request), Session::Ownership::kDelete);
}

Session Client::session(const std::string& name) const {
  v1::GetSessionRequest request;
  request.set_session(name);
  return Session(connection_, connection_->call(&Stub::GetSession, request), Session::Ownership::kLeave);
}

std::vector<v1::Session> Client::sessions() const {
  std::vector<v1::Session> sessions;
  v1::ListSessionsRequest request;
  do {
    const auto page = connection_->call(&Stub::ListSessions, request);
    sessions.insert(sessions.end(), page.sessions().begin(), page.sessions().end());
    request.set_page_token(page.next_page_token());
  } while (!request.page_token().empty());
  return sessions;
}

void Client::reportCommTest(const v1::CommTestResult& result) const {
  connection_->call(&Stub::ReportCommTest, result);
}

v1::Recording Client::stopRecording(const std::string& name) const {
  v1::StopRecordingRequest request;
  request.set_name(name);
  // The disk of the server may be slow.
  return connection_->call(&Stub::StopRecording, request, std::chrono::minutes(1));
}

std::vector<v1::Recording> Client::recordings() const {
  const auto response = connection_->call(&Stub::ListRecordings, v1::ListRecordingsRequest{});
  return {response.recordings().begin(), response.recordings().end()};
}

v1::DeviceLink Client::closeLink(std::uint64_t id) const {
  v1::CloseDeviceLinkRequest request;
  request.set_id(id);
  return connection_->call(&Stub::CloseDeviceLink, request);
}

std::vector<v1::DeviceLink> Client::links() const {
  const auto response = connection_->call(&Stub::ListDeviceLinks, v1::ListDeviceLinksRequest{});
  return {response.links().begin(), response.links().end()};
}

}  // namespace tactus::client
