#include "server/service/tick_call.h"

#include "server/door/door.h"
#include "server/service/claimant.h"
#include "server/service/status_map.h"
#include "server/session/session_registry.h"
#include "server/stream/frame_pump.h"

#include <chrono>
#include <utility>

namespace tactus::server {

TickCall::TickCall(grpc::CallbackServerContext& context, std::unique_ptr<Visit>& visit, SessionRegistry& sessions,
                   StreamSlots& slots, std::chrono::milliseconds opening)
    : context_(context),
      sessions_(sessions),
      slot_(slots, visit->peer()),
      visit_(std::move(visit)),
      outbox_([this](const v1::TickResponse* response) { StartWrite(response); }, [this] { context_.TryCancel(); }) {
  waits_for_open_->call = this;
  timer_.Set(std::chrono::system_clock::now() + opening, [waiting = waits_for_open_](bool rang) {
    std::lock_guard lock(waiting->mutex);
    if (rang && waiting->call) waiting->call->context_.TryCancel();
  });
  order_.release();
  StartRead(&request_);
}

void TickCall::OnReadDone(bool ok) {
  const CallOrder::Reaction reaction(order_);
  {
    std::lock_guard lock(waits_for_open_->mutex);
    waits_for_open_->call = nullptr;
  }
  if (!ok && tick_) return leave(nullptr);
  unanswered_ = 1;
  bool taken = true;
  try {
    if (tick_)
      taken = take();
    else
      open(ok);
  } catch (...) { return leave(std::current_exception()); }
  if (taken) answered();
}

void TickCall::open(bool has_message) {
  if (!has_message || !request_.has_open())
    throw RequestError(Reason::kRequestInvalid, "open", "the first message of a Tick stream must be TickOpen");
  session_ = sessions_.find(request_.open().session());
  seen_ = session_->feed().events().newest();
  if (const auto end = session_->feed().events().ending()) throw reasonOf(*end);
  openStream(request_.open());
  const StateStreamer& streamer = tick_->streamer();
  reader_.emplace(session_->feed().readers(), "tick",
                  [&streamer] { return std::pair(streamer.sent(), streamer.missed()); });

  // In lockstep the client also gets the events of its own opening.
  if (!session_->spec().clock.lockstep()) known_ = session_->feed().events().opening();
  companion_ = std::thread([this] { accompany(); });
  answer(tick_->opened());
  {
    std::lock_guard lock(mutex_);
    opened_ = true;
  }
  changed_.notify_all();
}

// A stream that drives needs the right to do so, and goes into the audit log.
void TickCall::openStream(const v1::TickOpen& request) {
  const SessionSpec& spec = session_->spec();
  const bool drives = !request.inputs().empty() || spec.clock.lockstep();
  try {
    if (drives) requireDriver(visit_->peer(), spec.owner, spec.name);
    const auto gone = [this] { return context_.IsCancelled() || session_->feed().events().ending(); };
    tick_.emplace(*session_, request, gone, claimantOf(visit_->peer(), *session_));
    if (drives) visit_->note(request, grpc::Status::OK);
  } catch (...) {
    if (drives) visit_->note(request, toAnswer(std::current_exception()).status);
    throw;
  }
}

// Returns false if the companion thread continues with the message.
bool TickCall::take() {
  if (request_.has_leave()) {
    tick_->leave();
    return true;
  }
  if (!request_.has_input())
    throw RequestError(Reason::kRequestInvalid, "input",
                       "after TickOpen every message of a Tick stream is a TickInput");
  if (!session_->spec().clock.lockstep()) {
    const v1::TickResponse* response = tick_->accept(request_.input());
    credit_.notify();
    if (response) answer(*response);
    return true;
  }
  // gRPC has few threads, which all streams of all sessions share.
  if (session_->hasLongTicks()) return handOver();

  // Lockstep: earlier events are sent before the tick, events that the tick causes after its frame.
  std::lock_guard lock(telling_);
  if (!flushNotices()) return true;
  const v1::TickResponse* response = tick_->accept(request_.input());
  if (tick_->waiting()) return handOver();
  if (response) answer(*response);
  return true;
}

bool TickCall::handOver() {
  handed_over_ = true;
  session_->feed().events().wake();
  return false;
}

// Valid until answered() has been called for it.
void TickCall::answer(const v1::TickResponse& response) {
  ++unanswered_;
  outbox_.send(response, [this] { answered(); });
}

// The next message is read when this one has been handled and its responses have been sent.
void TickCall::answered() {
  if (--unanswered_ > 0 || reader_done_) return;
  order_.release();
  StartRead(&request_);
}

// No more messages: the client has closed its side, has left, or has sent an invalid message.
void TickCall::leave(std::exception_ptr why) {
  // Other controllers may take the inputs from now on, even if a write takes long to fail.
  if (tick_) tick_->release();
  const bool alone = !companion_.joinable();
  {
    std::lock_guard lock(mutex_);
    failure_ = std::move(why);
    opened_ = true;
    reader_done_ = true;
  }
  changed_.notify_all();
  outbox_.leave();
  if (alone) return Finish(status());
  credit_.notify();
  session_->feed().events().wake();
}

void TickCall::OnWriteDone(bool ok) {
  const CallOrder::Reaction reaction(order_);
  outbox_.written(ok);
}

void TickCall::OnDone() {
  order_.acquire();
  if (companion_.joinable()) companion_.join();
  delete this;
}

void TickCall::accompany() noexcept {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return opened_; });
  }
  session_->spec().clock.lockstep() ? sendNotices() : pumpFrames();
  outbox_.close();
  order_.release();
  Finish(status());
}

void TickCall::pumpFrames() {
  FramePump<v1::TickResponse> pump(*session_, tick_->streamer(), credit_, std::move(known_), tick_->leaseId());
  const auto end = pump.run([this](const v1::TickResponse& response) { return outbox_.write(response); },
                            [this](bool) { return reader_done_.load(); });
  if (end) endBecause(*end);
}

// In lockstep frames are answers to inputs; only notices are sent without a request.
void TickCall::sendNotices() {
  const auto stop = [this] { return reader_done_ || handed_over_; };
  while (!reader_done_) {
    if (handed_over_) takeHandedOver();
    std::uint64_t seen = 0;
    {
      std::lock_guard lock(telling_);
      if (!flushNotices()) return;
      seen = seen_;
    }
    session_->feed().events().wait(seen, std::chrono::hours(1), stop);
  }
}

void TickCall::takeHandedOver() {
  {
    std::lock_guard lock(telling_);
    const v1::TickResponse* response = nullptr;
    try {
      if (!tick_->waiting() && flushNotices()) response = tick_->accept(request_.input());
      if (tick_->waiting()) response = tick_->awaitOthers();
    } catch (...) { return leave(std::current_exception()); }
    handed_over_ = false;
    if (response) answer(*response);
  }
  answered();
}

// Sends the events of a lockstep session. The caller holds telling_.
// Returns false if the stream has ended.
bool TickCall::flushNotices() {
  for (const SessionEvent& event : session_->feed().events().after(seen_)) {
    auto response = std::make_unique<v1::TickResponse>();
    writeNotice(event, *response->mutable_notice(), tick_->leaseId());
    outbox_.send(std::move(response));
    if (event.endsStreams()) endBecause(event);
  }
  std::lock_guard lock(mutex_);
  return !end_;
}

void TickCall::endBecause(const SessionEvent& event) {
  std::lock_guard lock(mutex_);
  if (!end_) end_ = event;
}

grpc::Status TickCall::status() {
  std::lock_guard lock(mutex_);
  return answerCall(context_, [this] {
    if (failure_) std::rethrow_exception(failure_);
    if (end_) throw reasonOf(*end_);
  });
}

}  // namespace tactus::server
