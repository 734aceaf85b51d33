#include "server/service/tick_call.h"

#include "server/service/frame_pump.h"
#include "server/service/stream_slots.h"
#include "server/session/session_registry.h"

#include "tactus/v1/simulation.grpc.pb.h"

#include <grpc/grpc.h>

#include <chrono>
#include <memory>
#include <utility>

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
  seen_ = session->events().newest();
  if (const auto end = session->events().ending()) throw reasonOf(*end);
  TickStream tick(*session, request.open(), [this] { return context_.IsCancelled(); });
  const Counted counted(session->tick_streams);
  const StateStreamer& streamer = tick.streamer();
  const ReaderList::Place reader(session->readers(), "tick",
                                 [&] { return std::pair(streamer.sent(), streamer.missed()); });
  if (!write(tick.opened())) return;

  std::thread sender([&] { send(*session, tick); });
  try {
    readInputs(*session, tick);
  } catch (...) {
    tick.release();
    finish(*session, sender);
    throw;
  }
  // Others may drive from now on, however long a write of the sender takes to fail.
  tick.release();
  finish(*session, sender);
  if (end_) throw reasonOf(*end_);
}

void TickCall::readInputs(Session& session, TickStream& tick) {
  v1::TickRequest request;
  while (!ended() && stream_.Read(&request)) {
    if (!request.has_input())
      throw RequestError(Reason::kRequestInvalid, "input",
                         "after TickOpen every message of a Tick stream is a TickInput");
    if (!session.lockstep()) {
      const v1::TickResponse* response = tick.accept(request.input());
      credit_.ring();
      if (response && !write(*response)) return;
      continue;
    }

    // Lockstep: what happened before goes out before the tick; what the tick causes, after its frame.
    std::lock_guard lock(writing_);
    if (!flushNotices(session)) return;
    const v1::TickResponse* response = tick.accept(request.input());
    if (response && !stream_.Write(*response)) return;
  }
}

// The second thread. In lockstep the frames are answers to inputs, and only the notices are its to send.
void TickCall::send(Session& session, TickStream& tick) {
  if (session.lockstep()) {
    sendNotices(session);
  } else {
    FramePump<v1::TickResponse> pump(session, tick.streamer(), credit_);
    const auto end = pump.run([this](const v1::TickResponse& response) { return write(response); },
                              [this](bool) { return reader_done_.load(); });
    if (end) endBecause(*end);
  }

  // A client that sends on, or closes its side, gets the status of the call with its detail. One that only listens
  // keeps the reader waiting: it gets the status without.
  std::unique_lock lock(mutex_);
  if (end_ && !changed_.wait_for(lock, kGrace, [this] { return reader_done_.load(); }))
    grpc_call_cancel_with_status(context_.c_call(), GRPC_STATUS_UNAVAILABLE, end_->message.c_str(), nullptr);
  sender_done_ = true;
  changed_.notify_all();
}

void TickCall::sendNotices(Session& session) {
  const auto stop = [this] { return reader_done_.load(); };
  while (!stop()) {
    std::uint64_t seen = 0;
    {
      std::lock_guard lock(writing_);
      if (!flushNotices(session)) return;
      seen = seen_;
    }
    session.events().wait(seen, std::chrono::hours(1), stop);
  }
}

// Tells the client of a lockstep session what has happened. Whoever calls holds writing_.
// Returns false if the stream is at its end.
bool TickCall::flushNotices(Session& session) {
  for (const SessionEvent& event : session.events().after(seen_)) {
    v1::TickResponse response;
    writeNotice(event, *response.mutable_notice());
    if (!stream_.Write(response)) return false;
    if (event.endsStreams()) endBecause(event);
  }
  return !ended();
}

// The reader has nothing more to do: the sender ends too, if need be out of a write that the client does not take.
void TickCall::finish(Session& session, std::thread& sender) {
  {
    std::lock_guard lock(mutex_);
    reader_done_ = true;
  }
  changed_.notify_all();
  credit_.ring();
  session.events().wake();
  {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kGrace, [this] { return sender_done_; })) context_.TryCancel();
  }
  sender.join();
}

bool TickCall::write(const v1::TickResponse& response) {
  std::lock_guard lock(writing_);
  return stream_.Write(response);
}

void TickCall::endBecause(const SessionEvent& event) {
  std::lock_guard lock(mutex_);
  if (!end_) end_ = event;
}

bool TickCall::ended() {
  std::lock_guard lock(mutex_);
  return end_.has_value();
}

}  // namespace tactus::server
