#include "tests/bench/tick_client.h"

#include "clients/cpp/client.h"
#include "rt/error.h"
#include "tactus/v1/simulation.grpc.pb.h"

#include <grpcpp/grpcpp.h>

#include <utility>

namespace tactus::bench {
namespace {

using Clock = Pacer::Clock;

// The client library, as a user would write it.
class LibraryClient final : public RoundTripClient {
 public:
  LibraryClient(const std::string& address, const std::string& model, const std::vector<std::string>& signals)
      : client_(address),
        session_(client_.createSession(model, v1::CLOCK_MODE_LOCKSTEP)),
        stream_(session_.tick({.outputs = signals})),
        values_(stream_.inputs().size(), 0.0) {}

  void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) override {
    Pacer pacer(period);
    for (int i = 0; i < count; ++i) {
      pacer.wait();
      const Clock::time_point sent = Clock::now();
      stream_.step(values_);
      samples.push_back((Clock::now() - sent).count());
    }
  }

  MessageBytes messageBytes() const override { return {}; }

 private:
  client::Client client_;
  client::Session session_;
  client::TickStream stream_;
  std::vector<double> values_;
};

// The calls of the bare ping-pong, so that the difference is due to the server.
class StubClient final : public RoundTripClient {
 public:
  StubClient(const std::string& address, const std::string& model, const std::vector<std::string>& signals)
      : stub_(v1::Simulation::NewStub(openChannel(address))) {
    grpc::ClientContext context;
    v1::CreateSessionRequest create;
    create.set_request_id(client::newRequestId());
    create.set_model_name(model);
    create.set_clock(v1::CLOCK_MODE_LOCKSTEP);
    v1::Session created;
    if (const grpc::Status status = stub_->CreateSession(&context, create, &created); !status.ok())
      throw Error(status.error_message());

    v1::TickRequest open;
    open.mutable_open()->set_session(created.name());
    open.mutable_open()->mutable_inputs()->CopyFrom(created.inputs());
    for (const std::string& signal : signals) open.mutable_open()->add_outputs(signal);
    stream_ = stub_->Tick(&context_);
    if (!stream_->Write(open) || !stream_->Read(&response_) || !response_.has_opened())
      throw Error("the Tick stream did not open: " + stream_->Finish().error_message());
    request_.mutable_input()->mutable_values()->Resize(created.inputs_size(), 0.0);
  }

  ~StubClient() override {
    stream_->WritesDone();
    while (stream_->Read(&response_)) {}
    stream_->Finish();
  }

  void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) override {
    Pacer pacer(period);
    v1::TickInput& input = *request_.mutable_input();
    for (int i = 0; i < count; ++i) {
      pacer.wait();
      const Clock::time_point sent = Clock::now();
      input.set_sequence(++sequence_);
      input.set_acknowledged_output_sequence(response_.frame().sequence());
      input.set_send_time_ns(sent.time_since_epoch().count());
      bool ok = stream_->Write(request_) && stream_->Read(&response_);
      // The first input starts the session, which sends a notice.
      while (ok && response_.notice().reason() == "SESSION_STARTED") ok = stream_->Read(&response_);
      const Clock::time_point answered = Clock::now();
      if (!ok) throw Error("the Tick stream ended early");
      if (response_.frame().input_sequence() != sequence_)
        throw Error("the Tick stream answered another input: " + response_.ShortDebugString());
      samples.push_back((answered - sent).count());
    }
  }

  MessageBytes messageBytes() const override { return {request_.ByteSizeLong(), response_.ByteSizeLong()}; }

 private:
  static std::shared_ptr<grpc::Channel> openChannel(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
  }

  std::unique_ptr<v1::Simulation::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TickRequest, v1::TickResponse>> stream_;
  v1::TickRequest request_;
  v1::TickResponse response_;
  std::uint64_t sequence_ = 0;
};

}  // namespace

std::unique_ptr<RoundTripClient> connectWithLibrary(const std::string& address, const std::string& model,
                                                    const std::vector<std::string>& signals) {
  return std::make_unique<LibraryClient>(address, model, signals);
}

std::unique_ptr<RoundTripClient> connectWithStub(const std::string& address, const std::string& model,
                                                 const std::vector<std::string>& signals) {
  return std::make_unique<StubClient>(address, model, signals);
}

}  // namespace tactus::bench
