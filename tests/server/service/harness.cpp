#include "tests/server/service/harness.h"

#include "server/service/status_map.h"
#include "tests/server/puck.h"

#include <catch2/catch.hpp>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <thread>

namespace tactus::server::tests {

namespace {

// A reader as the project's clients are: the transport hoards no frames for it.
std::unique_ptr<v1::Simulation::Stub> connect(const std::string& address) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetInt(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  return v1::Simulation::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
}

Config configOf(const Limits& limits) {
  Config config;
  config.limits = limits;
  return config;
}

}  // namespace

v1::ErrorDetail detailOf(const grpc::ClientContext& context) {
  v1::ErrorDetail detail;
  const auto& trailers = context.GetServerTrailingMetadata();
  if (const auto found = trailers.find(kErrorTrailer); found != trailers.end())
    REQUIRE(detail.ParseFromArray(found->second.data(), static_cast<int>(found->second.size())));
  return detail;
}

TickClient::TickClient(const std::string& address, const v1::TickOpen& open) : stub_(connect(address)) {
  stream_ = stub_->Tick(&context_);
  v1::TickRequest request;
  *request.mutable_open() = open;
  stream_->Write(request);
  if (const auto response = read(); response && response->has_opened()) opened_ = response->opened();
}

TickClient::~TickClient() {
  if (finished_) return;
  context_.TryCancel();
  finish();
}

bool TickClient::send(std::uint64_t sequence, const std::vector<double>& values, std::uint64_t acknowledged,
                      std::int64_t for_tick) {
  v1::TickRequest request;
  v1::TickInput& input = *request.mutable_input();
  input.set_sequence(sequence);
  input.set_acknowledged_output_sequence(acknowledged);
  input.set_for_tick(for_tick);
  input.mutable_values()->Assign(values.begin(), values.end());
  return stream_->Write(request);
}

bool TickClient::acknowledge(std::uint64_t sequence) {
  v1::TickRequest request;
  request.mutable_input()->set_acknowledge_only(true);
  request.mutable_input()->set_acknowledged_output_sequence(sequence);
  return stream_->Write(request);
}

void TickClient::leave() {
  v1::TickRequest request;
  request.mutable_leave();
  REQUIRE(stream_->Write(request));
  stream_->WritesDone();
  CHECK(finish().status.ok());
}

std::optional<v1::TickResponse> TickClient::read() {
  v1::TickResponse response;
  if (!stream_->Read(&response)) return {};
  return response;
}

v1::StateFrame TickClient::frame() {
  const auto response = read();
  REQUIRE(response);
  REQUIRE(response->has_frame());
  return response->frame();
}

v1::TickNotice TickClient::notice() {
  const auto response = read();
  REQUIRE(response);
  REQUIRE(response->has_notice());
  return response->notice();
}

Answer<v1::TickResponse> TickClient::finish() {
  finished_ = true;
  while (read()) {}
  Answer<v1::TickResponse> answer;
  answer.status = stream_->Finish();
  answer.detail = detailOf(context_);
  return answer;
}

ObserveClient::ObserveClient(const std::string& address, const v1::ObserveRequest& request) : stub_(connect(address)) {
  stream_ = stub_->Observe(&context_, request);
  if (const auto response = read(); response && response->has_opened()) opened_ = response->opened();
  if (opened_ && opened_->credit_window() > 0) credit_ = stub_->AcknowledgeFrames(&credit_context_, &credit_response_);
}

ObserveClient::~ObserveClient() {
  if (!finished_) {
    context_.TryCancel();
    finish();
  }
  if (!credit_) return;
  credit_->WritesDone();
  credit_->Finish();
}

void ObserveClient::acknowledge(std::uint64_t sequence) {
  v1::FrameAcknowledgement acknowledgement;
  acknowledgement.set_stream_id(opened_->stream_id());
  acknowledgement.set_sequence(sequence);
  REQUIRE(credit_->Write(acknowledgement));
}

std::optional<v1::ObserveResponse> ObserveClient::read() {
  v1::ObserveResponse response;
  if (!stream_->Read(&response)) return {};
  return response;
}

v1::StateFrame ObserveClient::frame() {
  const auto response = read();
  REQUIRE(response);
  REQUIRE(response->has_frame());
  return response->frame();
}

v1::TickNotice ObserveClient::notice() {
  const auto response = read();
  REQUIRE(response);
  REQUIRE(response->has_notice());
  return response->notice();
}

Answer<v1::ObserveResponse> ObserveClient::finish() {
  finished_ = true;
  while (read()) {}
  Answer<v1::ObserveResponse> answer;
  answer.status = stream_->Finish();
  answer.detail = detailOf(context_);
  return answer;
}

Harness::Harness(const Limits& limits) : Harness(configOf(limits)) {}

Harness::Harness(Config config) {
  config.endpoint = parseEndpoint("127.0.0.1:0");
  server_ = std::make_unique<Server>(config);
  stub_ = connect(server_->address());
  v1::LoadModelRequest request;
  request.set_json(kPuckJson);
  REQUIRE(call(&v1::Simulation::Stub::LoadModel, request).status.ok());
}

v1::Session Harness::create(const std::string& name, v1::ClockMode clock, const std::string& model) {
  v1::CreateSessionRequest request;
  request.set_name(name);
  request.set_model_name(model);
  request.set_clock(clock);
  const auto answer = call(&v1::Simulation::Stub::CreateSession, request);
  INFO(answer.status.error_message());
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::Session Harness::start(const std::string& name) {
  v1::StartSessionRequest request;
  request.set_session(name);
  const auto answer = call(&v1::Simulation::Stub::StartSession, request);
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::Session Harness::pause(const std::string& name) {
  v1::PauseSessionRequest request;
  request.set_session(name);
  const auto answer = call(&v1::Simulation::Stub::PauseSession, request);
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::Session Harness::step(const std::string& name, std::int64_t ticks) {
  v1::StepSessionRequest request;
  request.set_session(name);
  request.set_ticks(ticks);
  const auto answer = call(&v1::Simulation::Stub::StepSession, request);
  REQUIRE(answer.status.ok());
  return answer.response;
}

v1::Session Harness::get(const std::string& name) {
  v1::GetSessionRequest request;
  request.set_session(name);
  const auto answer = call(&v1::Simulation::Stub::GetSession, request);
  REQUIRE(answer.status.ok());
  return answer.response;
}

void Harness::awaitTick(const std::string& name, std::int64_t tick) {
  const auto session = sessions().find(name);
  while (session->feed().newest().header.tick < tick)
    session->feed().ring().waitNewer(session->feed().ring().newestIndex(), std::chrono::seconds(1));
}

void Harness::awaitNoStreams(const std::string& name) {
  const auto session = sessions().find(name);
  while (session->feed().readers().count("tick") + session->feed().readers().count("observe") > 0)
    std::this_thread::yield();
}

void Harness::awaitNoDriver(const std::string& name) {
  const auto session = sessions().find(name);
  while (session->feed().readers().count("tick") > 0) std::this_thread::yield();
}

std::unique_ptr<TickClient> Harness::tick(const v1::TickOpen& open) {
  return std::make_unique<TickClient>(server_->address(), open);
}

std::unique_ptr<ObserveClient> Harness::observe(const v1::ObserveRequest& request) {
  return std::make_unique<ObserveClient>(server_->address(), request);
}

v1::TickOpen openPuck(const std::string& session) {
  v1::TickOpen open;
  open.set_session(session);
  open.add_inputs("push_x");
  open.add_inputs("push_y");
  open.add_outputs("body.r.*");
  return open;
}

v1::ObserveRequest observePuck(const std::string& session, std::uint32_t credit_window) {
  v1::ObserveRequest request;
  request.set_session(session);
  request.add_signals("body.r.*");
  request.set_credit_window(credit_window);
  return request;
}

}  // namespace tactus::server::tests
