#include "tests/bench/ping_pong_server.h"

#include "ping_pong.grpc.pb.h"
#include "tests/bench/hand_off.h"

#include <grpcpp/grpcpp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace tactus::bench {
namespace {

using v1::TickRequest;
using v1::TickResponse;

// A response with preallocated fields.
TickResponse responseOf(int outputs) {
  TickResponse response;
  for (int i = 0; i < outputs; ++i) response.mutable_frame()->add_values(0.1 * i);
  return response;
}

void answer(const TickRequest& request, TickResponse& response) {
  const std::uint64_t sequence = request.input().sequence();
  v1::StateFrame& frame = *response.mutable_frame();
  frame.set_sequence(sequence);
  frame.set_tick(static_cast<std::int64_t>(sequence));
  frame.set_sim_time_ns(frame.tick() * 1'000'000);
  frame.set_server_time_ns(std::chrono::system_clock::now().time_since_epoch().count());
  frame.set_input_sequence(sequence);
  for (int i = 0; i < std::min(frame.values_size(), request.input().values_size()); ++i)
    frame.set_values(i, request.input().values(i));
}

class SyncService final : public PingPong::Service {
 public:
  SyncService(bool hand_offs, int outputs) : hand_offs_(hand_offs), outputs_(outputs) {}

  grpc::Status Echo(grpc::ServerContext*, grpc::ServerReaderWriter<TickResponse, TickRequest>* stream) override {
    TickRequest request;
    // Two responses in turn: the writer may still hold one when the next request is read.
    std::array<TickResponse, 2> responses{responseOf(outputs_), responseOf(outputs_)};
    if (!hand_offs_) {
      while (stream->Read(&request)) {
        answer(request, responses[0]);
        if (!stream->Write(responses[0])) break;
      }
      return grpc::Status::OK;
    }

    std::uint64_t to_write = 0;
    HandOff writer([&] { stream->Write(responses[to_write++ % 2]); });
    for (std::uint64_t n = 0; stream->Read(&request); ++n) {
      answer(request, responses[n % 2]);
      writer.pass();
    }
    return grpc::Status::OK;
  }

 private:
  bool hand_offs_;
  int outputs_;
};

// One stream of the callback API: answers in the callback, or on a third thread.
class CallbackEcho final : public grpc::ServerBidiReactor<TickRequest, TickResponse> {
 public:
  CallbackEcho(bool hand_offs, int outputs) : responses_{responseOf(outputs), responseOf(outputs)} {
    if (hand_offs) writer_.emplace([this] { writeNext(); });
    StartRead(&request_);
  }

  void OnReadDone(bool ok) override {
    if (!ok) {
      const std::lock_guard lock(mutex_);
      reading_done_ = true;
      finishIfIdle();
      return;
    }
    answer(request_, responses_[read_++ % 2]);
    if (writer_)
      writer_->pass();
    else
      writeNext();
    StartRead(&request_);
  }

  void OnWriteDone(bool) override {
    const std::lock_guard lock(mutex_);
    writing_ = false;
    if (waiting_) {
      waiting_ = false;
      startWrite();
    } else {
      finishIfIdle();
    }
  }

  void OnDone() override { delete this; }

 private:
  // The next request may arrive before the write that caused it is reported as complete.
  void writeNext() {
    const std::lock_guard lock(mutex_);
    if (writing_)
      waiting_ = true;
    else
      startWrite();
  }

  void startWrite() {
    writing_ = true;
    StartWrite(&responses_[written_++ % 2]);
  }

  void finishIfIdle() {
    if (reading_done_ && !writing_ && !finished_) {
      finished_ = true;
      Finish(grpc::Status::OK);
    }
  }

  std::mutex mutex_;
  bool writing_ = false, waiting_ = false, reading_done_ = false, finished_ = false;
  std::uint64_t read_ = 0, written_ = 0;
  TickRequest request_;
  std::array<TickResponse, 2> responses_;
  std::optional<HandOff> writer_;
};

class CallbackService final : public PingPong::CallbackService {
 public:
  CallbackService(bool hand_offs, int outputs) : hand_offs_(hand_offs), outputs_(outputs) {}

  grpc::ServerBidiReactor<TickRequest, TickResponse>* Echo(grpc::CallbackServerContext*) override {
    return new CallbackEcho(hand_offs_, outputs_);  // deletes itself in OnDone()
  }

 private:
  bool hand_offs_;
  int outputs_;
};

}  // namespace

int servePingPong(Api api, bool hand_offs, int outputs, const std::string& unix_path, int ready_fd) {
  SyncService sync_service(hand_offs, outputs);
  CallbackService callback_service(hand_offs, outputs);
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port);
  builder.AddListeningPort("unix:" + unix_path, grpc::InsecureServerCredentials());
  if (api == Api::kSync)
    builder.RegisterService(&sync_service);
  else
    builder.RegisterService(&callback_service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server) return 1;

  const std::string line = std::to_string(port) + "\n";
  if (write(ready_fd, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return 1;
  server->Wait();
  return 0;
}

}  // namespace tactus::bench
