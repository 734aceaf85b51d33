#include "tests/bench/ping_pong_client.h"

#include "ping_pong.grpc.pb.h"
#include "rt/error.h"

#include <grpcpp/grpcpp.h>

#include <atomic>

namespace tactus::bench {
namespace {

using Clock = std::chrono::steady_clock;
using v1::TickRequest;
using v1::TickResponse;

std::shared_ptr<grpc::Channel> openChannel(const std::string& address) {
  // A separate subchannel: two streams never share a connection.
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  return grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), arguments);
}

// The next message of a stream.
void prepare(TickRequest& request, std::uint64_t sequence) {
  v1::TickInput& input = *request.mutable_input();
  input.set_sequence(sequence);
  input.set_acknowledged_output_sequence(sequence - 1);
  input.set_send_time_ns(Clock::now().time_since_epoch().count());
}

TickRequest requestOf(int inputs) {
  TickRequest request;
  for (int i = 0; i < inputs; ++i) request.mutable_input()->add_values(0.1 * i);
  return request;
}

void check(bool stream_ok, const TickResponse& response, std::uint64_t sequence) {
  if (!stream_ok) throw Error("the ping-pong stream ended early");
  if (response.frame().input_sequence() != sequence) throw Error("the ping-pong server answered another message");
}

class SyncClient final : public RoundTripClient {
 public:
  SyncClient(const std::string& address, int inputs)
      : stub_(PingPong::NewStub(openChannel(address))), request_(requestOf(inputs)), stream_(stub_->Echo(&context_)) {}

  ~SyncClient() override {
    stream_->WritesDone();
    TickResponse rest;
    while (stream_->Read(&rest)) {}
    stream_->Finish();
  }

  void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) override {
    Pacer pacer(period);
    for (int i = 0; i < count; ++i) {
      pacer.wait();
      const Clock::time_point sent = Clock::now();
      prepare(request_, ++sequence_);
      const bool ok = stream_->Write(request_) && stream_->Read(&response_);
      const Clock::time_point answered = Clock::now();
      check(ok, response_, sequence_);
      samples.push_back((answered - sent).count());
    }
  }

  MessageBytes messageBytes() const override { return {request_.ByteSizeLong(), response_.ByteSizeLong()}; }

 private:
  std::unique_ptr<PingPong::Stub> stub_;
  grpc::ClientContext context_;
  TickRequest request_;
  TickResponse response_;
  std::uint64_t sequence_ = 0;
  std::unique_ptr<grpc::ClientReaderWriter<TickRequest, TickResponse>> stream_;
};

// Paced: the thread of the caller sends, the callback takes the time. Back to back: the callback sends the next
// message.
class CallbackClient final : public RoundTripClient, public grpc::ClientBidiReactor<TickRequest, TickResponse> {
 public:
  CallbackClient(const std::string& address, int inputs)
      : stub_(PingPong::NewStub(openChannel(address))), request_(requestOf(inputs)) {
    stub_->async()->Echo(&context_, this);
    AddHold();
    StartCall();
  }

  ~CallbackClient() override {
    StartWritesDone();
    StartRead(&response_);
    RemoveHold();
    finished_.wait(false);
  }

  void run(int count, std::chrono::nanoseconds period, std::vector<std::int64_t>& samples) override {
    samples_ = &samples;
    Pacer pacer(period);
    const int batch = period.count() == 0 ? count : 1;
    for (int sent = 0; sent < count; sent += batch) {
      pacer.wait();
      remaining_ = batch;
      idle_ = false;
      send();
      idle_.wait(false);
      if (!ok_) throw Error("the ping-pong stream ended early or answered another message");
    }
  }

  MessageBytes messageBytes() const override { return {request_.ByteSizeLong(), response_.ByteSizeLong()}; }

  void OnReadDone(bool ok) override {
    const Clock::time_point answered = Clock::now();
    if (ok && response_.frame().input_sequence() == sequence_)
      samples_->push_back((answered - sent_).count());
    else
      ok_ = false;
    partDone();
  }

  void OnWriteDone(bool ok) override {
    if (!ok) ok_ = false;
    partDone();
  }

  void OnDone(const grpc::Status&) override {
    finished_ = true;
    finished_.notify_one();
  }

 private:
  void send() {
    parts_ = 2;
    sent_ = Clock::now();
    prepare(request_, ++sequence_);
    StartRead(&response_);
    StartWrite(&request_);
  }

  // A message is complete when its write and the read of its answer have both been reported.
  void partDone() {
    if (--parts_ > 0) return;
    if (ok_ && --remaining_ > 0) {
      send();
      return;
    }
    idle_ = true;
    idle_.notify_one();
  }

  std::unique_ptr<PingPong::Stub> stub_;
  grpc::ClientContext context_;
  TickRequest request_;
  TickResponse response_;
  std::uint64_t sequence_ = 0;
  std::vector<std::int64_t>* samples_ = nullptr;
  Clock::time_point sent_;
  int remaining_ = 0;
  std::atomic<int> parts_ = 0;
  std::atomic<bool> ok_ = true, idle_ = true, finished_ = false;
};

}  // namespace

std::unique_ptr<RoundTripClient> connectPingPong(Api api, const std::string& address, int inputs) {
  if (api == Api::kSync) return std::make_unique<SyncClient>(address, inputs);
  return std::make_unique<CallbackClient>(address, inputs);
}

}  // namespace tactus::bench
