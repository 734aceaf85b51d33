#include "server/service/tick_call.h"

#include "server/service/frame_pump.h"
#include "server/service/stream_slots.h"
#include "server/session/session_registry.h"

#include "tactus/v1/simulation.grpc.pb.h"

#include <grpc/grpc.h>

#include <chrono>
#include <thread>

namespace tactus::server {

namespace {

// For a client to answer the last notice, and for a stalled write to end, before the call is cut off.
constexpr std::chrono::milliseconds kGrace{300};

}  // namespace

void TickCall::run(SessionRegistry& sessions) {
  v1::TickRequest request;
  if (!stream_.Read(&request)) return;
  if (!request.has_open())
    throw RequestError(Reason::kRequestInvalid, "open", "the first message of a Tick stream must be TickOpen");
  const std::shared_ptr<Session> session = sessions.find(request.open().session());
  TickStream tick(*session, request.open());
  const Counted counted(session->tick_streams);
  if (!write(tick.opened())) return;

  // In lockstep the frames are answers to inputs, and the sender has only notices to send.
  std::thread sender([&] { send(*session, session->lockstep() ? nullptr : &tick.streamer()); });
  try {
    readInputs(tick);
  } catch (...) {
    finish(*session, sender);
    throw;
  }
  finish(*session, sender);
  if (end_) throw reasonOf(*end_);
}

void TickCall::readInputs(TickStream& tick) {
  v1::TickRequest request;
  while (!ended() && stream_.Read(&request)) {
    if (!request.has_input())
      throw RequestError(Reason::kRequestInvalid, "input", "after TickOpen every message of a Tick stream is a TickInput");
    const v1::TickResponse* response = tick.accept(request.input());
    credit_.ring();
    if (response && !write(*response)) return;
  }
}

// The second thread.
void TickCall::send(Session& session, StateStreamer* frames) {
  FramePump<v1::TickResponse> pump(session, frames, credit_);
  const std::optional<SessionEvent> end = pump.run([this](const v1::TickResponse& response) { return write(response); },
                                                   [this](bool) { return reader_done_.load(); });
  std::unique_lock lock(mutex_);
  end_ = end;
  // A client that sends on, or closes its side, gets the status of the call with its detail. One that only listens
  // keeps the reader waiting: it gets the status without.
  if (end && !changed_.wait_for(lock, kGrace, [this] { return reader_done_.load(); })) {
    grpc_call_cancel_with_status(context_.c_call(), GRPC_STATUS_UNAVAILABLE, end->message.c_str(), nullptr);
  }
  sender_done_ = true;
  changed_.notify_all();
}

bool TickCall::ended() {
  std::lock_guard lock(mutex_);
  return end_.has_value();
}

// The reader has nothing more to do: the sender ends too, if need be out of a write that the client does not take.
void TickCall::finish(Session& session, std::thread& sender) {
  {
    std::unique_lock lock(mutex_);
    reader_done_ = true;
    changed_.notify_all();
    credit_.ring();
    session.events().wake();
    if (!changed_.wait_for(lock, kGrace, [this] { return sender_done_; })) context_.TryCancel();
  }
  sender.join();
}

bool TickCall::write(const v1::TickResponse& response) {
  std::lock_guard lock(writing_);
  return stream_.Write(response);
}

}  // namespace tactus::server
