// What each identity may have at a time: by RPCs, with tokens, over connections of its own.
// Covers: server/service/stream_calls.cpp, server/service/download_call.cpp
#include "server/door/token_file.h"
#include "server/service/status_map.h"
#include "tests/server/puck.h"
#include "tests/server/record/scratch_folder.h"
#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <grpcpp/create_channel.h>
#include <grpcpp/security/credentials.h>

#include <barrier>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace tactus;
using namespace tactus::server;
using namespace tactus::server::tests;
using Stub = v1::Simulation::Stub;

namespace {

/// A client with a token.
class Holder {
 public:
  Holder(const std::string& address, const std::string& token) : header_("Bearer " + token) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);  // a connection of its own
    stub_ = v1::Simulation::NewStub(grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments));
  }

  template <class Request, class Response>
  v1::ErrorDetail call(grpc::Status (Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                       const Request& request, Response* response = nullptr) const {
    grpc::ClientContext context;
    context.AddMetadata("authorization", header_);
    Response own;
    const grpc::Status status = (stub_.get()->*method)(&context, request, response ? response : &own);
    return status.ok() ? v1::ErrorDetail() : refusalOf(context, status);
  }

  v1::ErrorDetail createSession(const std::string& name, const std::string& model = "motor_four_bar",
                                v1::ClockMode clock = v1::CLOCK_MODE_LOCKSTEP) const {
    v1::CreateSessionRequest request;
    request.set_name(name);
    request.set_model_name(model);
    request.set_clock(clock);
    return call(&Stub::CreateSession, request);
  }

  v1::ErrorDetail deleteSession(const std::string& name) const {
    v1::DeleteSessionRequest request;
    request.set_session(name);
    return call(&Stub::DeleteSession, request);
  }

  v1::ErrorDetail loadPuck(const std::string& name) const {
    v1::LoadModelRequest request;
    *request.mutable_model() = readModelText(kPuckJson, ModelSyntax::kJson).message;
    request.mutable_model()->set_name(name);
    return call(&Stub::LoadModel, request);
  }

  v1::ErrorDetail unload(const std::string& name) const {
    v1::UnloadModelRequest request;
    request.set_name(name);
    return call(&Stub::UnloadModel, request);
  }

  v1::ErrorDetail record(const std::string& session, const std::string& name) const {
    v1::StartRecordingRequest request;
    request.set_session(session);
    request.set_name(name);
    return call(&Stub::StartRecording, request);
  }

  /// Of a call that failed: its detail, with a reason in any case and the message as the field. Any thread: Catch has
  /// only one.
  static v1::ErrorDetail refusalOf(const grpc::ClientContext& context, const grpc::Status& status) {
    v1::ErrorDetail detail;
    const auto& trailers = context.GetServerTrailingMetadata();
    if (const auto found = trailers.find(kErrorTrailer); found != trailers.end())
      detail.ParseFromArray(found->second.data(), static_cast<int>(found->second.size()));
    if (detail.reason().empty()) detail.set_reason("none");
    detail.set_field(status.error_message());
    return detail;
  }

  std::unique_ptr<grpc::ClientContext> context() const {
    auto context = std::make_unique<grpc::ClientContext>();
    context->AddMetadata("authorization", header_);
    // A connection that the system refuses once is tried again by gRPC; without this, its first call would fail.
    context->set_wait_for_ready(true);
    return context;
  }
  Stub& stub() const { return *stub_; }

 private:
  const std::string header_;
  std::unique_ptr<Stub> stub_;
};

/// A server with tokens, and what limits it has.
class TokenServer {
 public:
  explicit TokenServer(const std::function<void(Limits&)>& change) {
    Config config;
    config.endpoint = parseEndpoint("127.0.0.1:0");
    config.udp = parseUdpEndpoint("127.0.0.1:0", false);
    config.recordings_folder = folder_.file("recordings");
    config.access.token_file = folder_.file("tokens");
    std::map<std::string, Role> roles{
        {"boss", Role::kAdmin}, {"lab", Role::kControl}, {"other", Role::kControl}, {"watcher", Role::kObserve}};
    for (int i = 0; i < 5; ++i) roles["client-" + std::to_string(i)] = i % 2 == 0 ? Role::kControl : Role::kObserve;
    for (const auto& [name, role] : roles)
      addToken(config.access.token_file, name, role, [&](const std::string& token) { tokens_[name] = token; });
    change(config.limits);
    server_ = std::make_unique<Server>(config);
  }

  /// On a new connection.
  Holder as(const std::string& name) const { return {server_->address(), tokens_.at(name)}; }
  SimulationService& service() { return server_->service(); }

 private:
  const ScratchFolder folder_;
  std::map<std::string, std::string> tokens_;
  std::unique_ptr<Server> server_;
};

/// One open stream that only receives: Tick without inputs, or Observe.
class Watching {
 public:
  Watching(const Holder& holder, const std::string& session, bool ticks) : context_(holder.context()) {
    if (ticks) {
      v1::TickRequest request;
      request.mutable_open()->set_session(session);
      tick_ = holder.stub().Tick(context_.get());
      v1::TickResponse response;
      tick_->Write(request);
      if (!tick_->Read(&response)) refused_ = finish();
    } else {
      v1::ObserveRequest request;
      request.set_session(session);
      observe_ = holder.stub().Observe(context_.get(), request);
      v1::ObserveResponse response;
      if (!observe_->Read(&response)) refused_ = finish();
    }
  }
  ~Watching() {
    context_->TryCancel();
    if (refused_.reason().empty()) finish();
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

  /// Without a reason if the stream is open.
  const v1::ErrorDetail& refused() const { return refused_; }

 private:
  v1::ErrorDetail finish() {
    const grpc::Status status = tick_ ? tick_->Finish() : observe_->Finish();
    return Holder::refusalOf(*context_, status);
  }

  std::unique_ptr<grpc::ClientContext> context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TickRequest, v1::TickResponse>> tick_;
  std::unique_ptr<grpc::ClientReader<v1::ObserveResponse>> observe_;
  v1::ErrorDetail refused_;
};

// A stream that was cancelled ends a moment after its client has seen that.
void awaitRoom(const Holder& holder, bool ticks = false) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // a loaded host
  while (!Watching(holder, "shown", ticks).refused().reason().empty()) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

void checkShare(const v1::ErrorDetail& refused, const std::string& who, const std::string& kind) {
  CHECK(refused.reason() == "LIMIT_EXCEEDED");
  CHECK_THAT(refused.field(), Catch::StartsWith('"' + who + "\" has "));
  CHECK_THAT(refused.hint(), Catch::EndsWith("tactus serve --share " + kind + "=N"));
}

bool granted(const v1::ErrorDetail& answer) {
  INFO(answer.ShortDebugString());
  CHECK(answer.reason().empty());
  return answer.reason().empty();
}

}  // namespace

TEST_CASE("five identities hold their shares of streams at once, and an administrator still gets in",
          "[server][service]") {
  constexpr std::size_t kClients = 5, kShare = 3, kReserve = 2;
  TokenServer server([](Limits& limits) {
    limits.streams.total = kClients * kShare + kReserve;
    limits.streams.share = kShare;
    limits.streams.reserve = kReserve;
  });
  const Holder boss = server.as("boss");
  REQUIRE(granted(boss.createSession("shown", "motor_four_bar", v1::CLOCK_MODE_REAL_TIME)));

  std::vector<std::vector<std::unique_ptr<Watching>>> held(kClients);
  std::vector<v1::ErrorDetail> beyond(kClients), on_another_connection(kClients);
  std::barrier all_hold(static_cast<std::ptrdiff_t>(kClients));
  std::vector<std::thread> clients;
  for (std::size_t i = 0; i < kClients; ++i)
    clients.emplace_back([&, i] {
      const std::string name = "client-" + std::to_string(i);
      const Holder first = server.as(name), second = server.as(name);
      for (std::size_t stream = 0; stream < kShare; ++stream)
        held[i].push_back(std::make_unique<Watching>(stream == 0 ? first : second, "shown", stream == 0));
      all_hold.arrive_and_wait();
      beyond[i] = Watching(first, "shown", true).refused();
      on_another_connection[i] = Watching(server.as(name), "shown", false).refused();
    });
  for (std::thread& client : clients) client.join();
  for (std::size_t i = 0; i < kClients; ++i) {
    const std::string name = "client-" + std::to_string(i);
    for (const auto& stream : held[i]) CHECK(granted(stream->refused()));
    checkShare(beyond[i], name, "streams");
    checkShare(on_another_connection[i], name, "streams");
  }

  // A sixth one is below its share, but only the reserve is left.
  const v1::ErrorDetail late = Watching(server.as("lab"), "shown", false).refused();
  CHECK(late.reason() == "LIMIT_EXCEEDED");
  CHECK_THAT(late.field(), Catch::Contains("kept for the role admin"));
  {
    const Watching look(boss, "shown", false), more(boss, "shown", true);
    CHECK(granted(look.refused()));
    CHECK(granted(more.refused()));
    const v1::ErrorDetail full = Watching(boss, "shown", false).refused();
    CHECK_THAT(full.field(), Catch::StartsWith("there are 17 open streams already"));
  }

  // What ends makes room: by its client, whatever its kind, and for the others.
  held[0].pop_back();
  awaitRoom(server.as("client-0"));
  held[1].erase(held[1].begin());
  awaitRoom(server.as("client-1"), true);
  // An administrator makes room by deleting the session: every stream of it ends.
  REQUIRE(granted(boss.deleteSession("shown")));
  REQUIRE(granted(boss.createSession("shown", "motor_four_bar", v1::CLOCK_MODE_REAL_TIME)));
  for (std::size_t i = 0; i < kClients; ++i) awaitRoom(server.as("client-" + std::to_string(i)));
  awaitRoom(server.as("lab"));
}

TEST_CASE("blocks of ticks count as streams", "[server][service]") {
  TokenServer server([](Limits& limits) { limits.streams.share = 0; });
  const Holder lab = server.as("lab"), boss = server.as("boss");
  REQUIRE(granted(lab.createSession("rig")));
  v1::RunSessionRequest run;
  run.set_session("rig");
  run.set_ticks(1);
  checkShare(lab.call(&Stub::RunBlock, run), "lab", "streams");
  CHECK(granted(boss.call(&Stub::RunBlock, run)));
  const auto context = lab.context();
  const auto stream = lab.stub().RunSession(context.get(), run);
  v1::RunSessionResponse response;
  CHECK_FALSE(stream->Read(&response));
  checkShare(Holder::refusalOf(*context, stream->Finish()), "lab", "streams");
}

TEST_CASE("an identity has its share of sessions and of bodies until one is deleted, by whomever",
          "[server][service]") {
  TokenServer server([](Limits& limits) {
    limits.sessions.share = 2;
    limits.session_bodies.share = 20;
  });
  const Holder lab = server.as("lab"), other = server.as("other"), boss = server.as("boss");
  CHECK(granted(lab.createSession("a")));
  CHECK(granted(lab.createSession("b", "chain:n=8")));
  checkShare(lab.createSession("c"), "lab", "sessions");
  checkShare(server.as("lab").createSession("c"), "lab", "sessions");
  CHECK(granted(other.createSession("d")));
  CHECK(granted(lab.deleteSession("a")));
  CHECK(granted(lab.createSession("a")));
  checkShare(lab.createSession("c"), "lab", "sessions");
  CHECK(granted(boss.deleteSession("a")));
  checkShare(lab.createSession("c", "chain:n=13"), "lab", "bodies");
  CHECK(granted(lab.createSession("c", "chain:n=12")));
  for (const char* name : {"e", "f", "g"}) CHECK(granted(boss.createSession(name, "chain:n=21")));
}

TEST_CASE("an identity has its share of loaded models, and removes them to get room", "[server][service]") {
  TokenServer server([](Limits& limits) { limits.models = {"models", "loaded models", "", 6, 2, 1}; });
  const Holder lab = server.as("lab"), other = server.as("other"), boss = server.as("boss"),
               watcher = server.as("watcher");
  CHECK(granted(lab.loadPuck("a")));
  CHECK(granted(lab.loadPuck("b")));
  checkShare(lab.loadPuck("c"), "lab", "models");
  CHECK(granted(lab.loadPuck("b")));  // takes its own place
  v1::ListModelsResponse models;
  REQUIRE(granted(boss.call(&Stub::ListModels, v1::ListModelsRequest(), &models)));
  for (const v1::ModelInfo& info : models.models()) CHECK(info.owner() == (info.built_in() ? "" : "lab"));
  CHECK(lab.unload("pluck").reason() == "MODEL_UNKNOWN");
  CHECK(lab.unload("four_bar").reason() == "REQUEST_INVALID");
  CHECK(boss.unload("four_bar").reason() == "REQUEST_INVALID");
  CHECK(watcher.unload("a").reason() == "ROLE_TOO_LOW");
  CHECK(other.unload("a").reason() == "NOT_OWNER");
  CHECK(granted(lab.unload("a")));
  CHECK(granted(lab.loadPuck("c")));
  CHECK(granted(boss.unload("c")));
  CHECK(granted(other.loadPuck("c")));  // the name is free for everybody
  CHECK(granted(lab.loadPuck("a")));
  CHECK(granted(other.loadPuck("d")));
  CHECK(granted(boss.loadPuck("e")));
  // Of 6 one is left, which is for the role admin.
  CHECK(granted(lab.unload("a")));
  CHECK(granted(boss.loadPuck("f")));
  CHECK_THAT(lab.loadPuck("a").field(), Catch::Contains("kept for the role admin"));
  CHECK(granted(boss.loadPuck("g")));
  CHECK_THAT(boss.loadPuck("h").field(), Catch::StartsWith("there are 6 loaded models already"));
}

TEST_CASE("an identity has its share of recordings and of links until they end, by whomever", "[server][service]") {
  TokenServer server([](Limits& limits) {
    limits.recordings.share = 1;
    limits.links.share = 1;
  });
  const Holder lab = server.as("lab"), other = server.as("other"), boss = server.as("boss");
  REQUIRE(granted(lab.createSession("rig")));
  CHECK(granted(lab.record("rig", "a")));
  checkShare(lab.record("rig", "b"), "lab", "recordings");
  CHECK(granted(other.record("rig", "c")));
  for (const char* name : {"d", "e"}) CHECK(granted(boss.record("rig", name)));
  v1::ListRecordingsResponse recordings;
  REQUIRE(granted(boss.call(&Stub::ListRecordings, v1::ListRecordingsRequest(), &recordings)));
  std::map<std::string, std::string> owners;
  for (const v1::Recording& recording : recordings.recordings()) owners[recording.name()] = recording.owner();
  CHECK(owners == std::map<std::string, std::string>{{"a", "lab"}, {"c", "other"}, {"d", "boss"}, {"e", "boss"}});
  v1::StopRecordingRequest stop;
  stop.set_name("a");
  CHECK(granted(lab.call(&Stub::StopRecording, stop)));
  CHECK(granted(lab.record("rig", "b")));
  REQUIRE(granted(boss.deleteSession("rig")));  // which ends all of them
  REQUIRE(granted(lab.createSession("rig")));
  CHECK(granted(lab.record("rig", "f")));

  REQUIRE(granted(lab.createSession("device", "motor_four_bar", v1::CLOCK_MODE_EXTERNAL)));
  REQUIRE(granted(lab.createSession("second", "motor_four_bar", v1::CLOCK_MODE_EXTERNAL)));
  const auto open = [](const Holder& holder, const std::string& session, v1::DeviceLink* link = nullptr) {
    v1::OpenDeviceLinkRequest request;
    request.set_session(session);
    request.add_inputs("motor");
    return holder.call(&Stub::OpenDeviceLink, request, link);
  };
  v1::DeviceLink link;
  CHECK(granted(open(lab, "device", &link)));
  checkShare(open(lab, "second"), "lab", "links");
  CHECK(granted(open(boss, "second")));
  v1::ListDeviceLinksResponse links;
  REQUIRE(granted(boss.call(&Stub::ListDeviceLinks, v1::ListDeviceLinksRequest(), &links)));
  REQUIRE(links.links_size() == 2);
  CHECK(links.links(0).owner() == "lab");
  CHECK(links.links(1).owner() == "boss");
  v1::CloseDeviceLinkRequest close;
  close.set_id(link.id());
  CHECK(granted(boss.call(&Stub::CloseDeviceLink, close)));
  CHECK(granted(open(lab, "device")));
  REQUIRE(granted(lab.deleteSession("device")));
  REQUIRE(granted(lab.createSession("device", "motor_four_bar", v1::CLOCK_MODE_EXTERNAL)));
  CHECK(granted(open(lab, "device")));
}

TEST_CASE("downloads and analyses have shares, too", "[server][service]") {
  TokenServer server([](Limits& limits) { limits.downloads.share = limits.analyses.share = 0; });
  const Holder lab = server.as("lab"), boss = server.as("boss");
  REQUIRE(granted(lab.createSession("rig")));
  REQUIRE(granted(lab.record("rig", "tape")));
  v1::StopRecordingRequest stop;
  stop.set_name("tape");
  REQUIRE(granted(lab.call(&Stub::StopRecording, stop)));
  v1::AnalyseRequest analyse;
  analyse.set_session("rig");
  checkShare(lab.call(&Stub::Analyse, analyse), "lab", "analyses");
  CHECK(boss.call(&Stub::Analyse, analyse).reason() != "LIMIT_EXCEEDED");
  v1::DownloadRecordingRequest download;
  download.set_name("tape");
  v1::RecordingChunk chunk;
  const auto refused = lab.context(), served = boss.context();
  const auto none = lab.stub().DownloadRecording(refused.get(), download);
  CHECK_FALSE(none->Read(&chunk));
  checkShare(Holder::refusalOf(*refused, none->Finish()), "lab", "downloads");
  const auto whole = boss.stub().DownloadRecording(served.get(), download);
  CHECK(whole->Read(&chunk));
  while (whole->Read(&chunk)) {}
  CHECK(whole->Finish().ok());
}

TEST_CASE("on a server that knows no identities nobody has a share", "[server][service]") {
  Limits limits;
  limits.sessions = {"sessions", "sessions", "", 2, 0, 1};
  limits.streams = {"streams", "open streams", "", 1, 0, 1};
  Harness harness(limits);
  harness.create("a", v1::CLOCK_MODE_REAL_TIME);
  harness.create("b", v1::CLOCK_MODE_REAL_TIME);
  CHECK(harness.observe(observePuck("a"))->opened());
}
