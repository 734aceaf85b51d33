// A server in this process and the generated client, on a free loopback port.
#pragma once

#include "server/service/server.h"

#include "tactus/v1/simulation.grpc.pb.h"

#include <grpcpp/client_context.h>
#include <grpcpp/support/sync_stream.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server::tests {

/// The detail of a finished call; empty if it has none.
v1::ErrorDetail detailOf(const grpc::ClientContext& context);

template <class Response>
struct Answer {
  grpc::Status status;
  v1::ErrorDetail detail;
  Response response;
};

/// One Tick stream on a connection of its own.
class TickClient {
 public:
  TickClient(const std::string& address, const v1::TickOpen& open);
  ~TickClient();

  /// The answer to the opening; without it the stream was refused, and finish() returns the reason.
  bool opened() const noexcept { return opened_.has_value(); }
  const v1::TickOpened& opening() const { return *opened_; }

  bool send(std::uint64_t sequence, const std::vector<double>& values, std::uint64_t acknowledged = 0,
            std::int64_t for_tick = 0);
  bool acknowledge(std::uint64_t sequence);
  void closeInputs() { stream_->WritesDone(); }

  /// Announces the end, closes this side and drops what was not read.
  void leave();
  void vanish() { context_.TryCancel(); }

  /// The next frame or notice; nothing at the end of the stream.
  std::optional<v1::TickResponse> read();

  /// The next message, which must be a frame, or a notice.
  v1::StateFrame frame();
  v1::TickNotice notice();

  /// Ends the stream, dropping what was not read.
  Answer<v1::TickResponse> finish();

 private:
  std::unique_ptr<v1::Simulation::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TickRequest, v1::TickResponse>> stream_;
  std::optional<v1::TickOpened> opened_;
  bool finished_ = false;
};

/// One Observe stream on a connection of its own, with its credit.
class ObserveClient {
 public:
  ObserveClient(const std::string& address, const v1::ObserveRequest& request);
  ~ObserveClient();

  bool opened() const noexcept { return opened_.has_value(); }
  const v1::ObserveOpened& opening() const { return *opened_; }
  void acknowledge(std::uint64_t sequence);
  void vanish() { context_.TryCancel(); }
  std::optional<v1::ObserveResponse> read();
  v1::StateFrame frame();
  v1::TickNotice notice();
  Answer<v1::ObserveResponse> finish();

 private:
  std::unique_ptr<v1::Simulation::Stub> stub_;
  grpc::ClientContext context_, credit_context_;
  std::unique_ptr<grpc::ClientReader<v1::ObserveResponse>> stream_;
  v1::AcknowledgeFramesResponse credit_response_;
  std::unique_ptr<grpc::ClientWriter<v1::FrameAcknowledgement>> credit_;
  std::optional<v1::ObserveOpened> opened_;
  bool finished_ = false;
};

/// The server knows the model "puck" beside the built-in ones.
class Harness {
 public:
  explicit Harness(const Limits& limits = {});
  explicit Harness(Config config);

  Server& server() noexcept { return *server_; }
  SessionRegistry& sessions() noexcept { return server_->service().sessions(); }

  template <class Request, class Response>
  Answer<Response> call(grpc::Status (v1::Simulation::Stub::*method)(grpc::ClientContext*, const Request&, Response*),
                        const Request& request) {
    grpc::ClientContext context;
    Answer<Response> answer;
    answer.status = (stub_.get()->*method)(&context, request, &answer.response);
    answer.detail = detailOf(context);
    return answer;
  }

  /// A session of "puck", or of another model.
  v1::Session create(const std::string& name, v1::ClockMode clock, const std::string& model = "puck");
  v1::Session start(const std::string& name);
  v1::Session pause(const std::string& name);
  v1::Session step(const std::string& name, std::int64_t ticks);
  v1::Session get(const std::string& name);

  /// Waits until a running session has reached a tick.
  void awaitTick(const std::string& name, std::int64_t tick);

  /// Waits until no stream of a session is open.
  void awaitNoStreams(const std::string& name);

  /// Waits until no Tick stream is open; observers may stay.
  void awaitNoDriver(const std::string& name);

  /// The generated client, for what has no form here.
  v1::Simulation::Stub* stub() noexcept { return stub_.get(); }

  std::unique_ptr<TickClient> tick(const v1::TickOpen& open);
  std::unique_ptr<ObserveClient> observe(const v1::ObserveRequest& request);

 private:
  std::unique_ptr<Server> server_;
  std::unique_ptr<v1::Simulation::Stub> stub_;
};

/// An opening with both inputs of the puck and its position.
v1::TickOpen openPuck(const std::string& session);

/// A request for the position of the puck.
v1::ObserveRequest observePuck(const std::string& session, std::uint32_t credit_window = 0);

}  // namespace tactus::server::tests
