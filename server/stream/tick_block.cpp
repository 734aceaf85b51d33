#include "server/stream/tick_block.h"

#include "server/session/session_message.h"
#include "server/wire/layout.h"
#include "server/wire/state_frame.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace tactus::server {

namespace {

// The rows of a request and of an answer are little-endian doubles; on this machine they are copied.
static_assert(std::endian::native == std::endian::little);

// A message ends after the row with which it reaches this size: gRPC refuses messages above 4 MiB.
constexpr std::size_t kMessageBytes = 256 << 10;
// Asking whether the client has left takes a lock and system calls, as long as a dozen ticks of a small model: not at
// every tick, and not in a block that is over soon.
constexpr std::int64_t kLookIntervalNs = 2'000'000;
// A block that its client has cancelled ends at its next look. Another block waits this long for the inputs.
constexpr std::chrono::milliseconds kPatience{1000};

const v1::RunSessionRequest& requireShape(Session& session, const v1::RunSessionRequest& request) {
  if (!session.spec().clock.lockstep())
    throw RequestError(Reason::kSessionState, "session",
                       "session \"" + session.spec().name + "\" is not in lockstep: its clock makes the ticks",
                       "create the session with the clock lockstep, or open a Tick stream");
  if (request.ticks() < 1 || request.ticks() > kMaxBlockTicks)
    throw RequestError(Reason::kRequestInvalid, "ticks", "must be from 1 to " + std::to_string(kMaxBlockTicks),
                       "run a longer block in several calls");
  return request;
}

std::vector<int> outputsOf(const Session& session, const v1::RunSessionRequest& request) {
  return selectSignals(session.feed().signals(), {request.outputs().begin(), request.outputs().end()}, "outputs")
      .indices;
}

}  // namespace

TickBlock::TickBlock(Session& session, const v1::RunSessionRequest& request, std::function<bool()> cancelled)
    : session_(session),
      request_(requireShape(session, request)),
      cancelled_(std::move(cancelled)),
      inputs_(session.model(), {request.inputs().begin(), request.inputs().end()}),
      outputs_(session.feed().signals(), outputsOf(session, request)),
      every_(std::max<std::uint32_t>(request.every(), 1)),
      row_(outputs_.indices().size()),
      snapshot_(session.model()) {
  readRows();
  LeaseRequest lease = readLease(request.controller(), false, "", "block of ticks");
  lease.groups = session.inputs().groupsOf(inputs_.actuators());
  lease.actuators = inputs_.actuators();
  lease.gone = cancelled_;
  lease.patience = kPatience;
  lease_ = session.inputs().lease(std::move(lease));
  lease_->leave();
}

// Every row is checked before the first tick.
void TickBlock::readRows() {
  const std::size_t width = inputs_.actuators().size(), count = width * static_cast<std::size_t>(request_.ticks());
  if (request_.rows().size() != count * sizeof(double))
    throw RequestError(Reason::kRequestInvalid, "rows",
                       std::to_string(request_.rows().size()) + " bytes for " + std::to_string(request_.ticks()) +
                           " ticks of " + std::to_string(width) + " inputs",
                       "one row for each tick, each with one value for each input: " +
                           std::to_string(count * sizeof(double)) + " bytes");
  rows_.resize(count);
  if (count > 0) std::memcpy(rows_.data(), request_.rows().data(), request_.rows().size());
  for (std::int64_t row = 0; row < request_.ticks(); ++row) {
    const InputVerdict verdict = inputs_.validate({rows_.data() + static_cast<std::size_t>(row) * width, width});
    if (verdict.ok()) continue;
    const RequestError error = inputs_.explain(verdict);
    const std::string hint = verdict.fault == InputVerdict::Fault::kNotFinite ? "no tick has run" : error.hint();
    throw RequestError(error.reason(), "rows", "row " + std::to_string(row) + ": " + error.what(), hint);
  }
}

void TickBlock::requireShort() const {
  const char* const hint = "RunSession takes more";
  if (request_.ticks() > kMaxShortBlockTicks)
    throw RequestError(Reason::kLimitExceeded, "ticks",
                       std::to_string(request_.ticks()) +
                           " ticks are too many for a block with one answer, which has " +
                           std::to_string(kMaxShortBlockTicks),
                       hint);
  const std::size_t bytes = static_cast<std::size_t>(request_.ticks() / every_) * row_.size() * sizeof(double);
  if (bytes >= kMessageBytes)  // such a message would end before the block
    throw RequestError(Reason::kLimitExceeded, "outputs",
                       "the rows of outputs have " + std::to_string(bytes) +
                           " bytes; those of a block with one answer " + "have less than " +
                           std::to_string(kMessageBytes),
                       hint);
}

bool TickBlock::next(v1::RunSessionResponse& response) {
  response.Clear();
  if (!std::exchange(opened_, true))
    writeLayout(session_.feed().signals(), outputs_.indices(), *response.mutable_outputs());
  std::string& rows = *response.mutable_rows();
  while (done_ < request_.ticks() && rows.size() < kMessageBytes) {
    look();
    tick();
    if (done_ % every_ != 0 || row_.empty()) continue;
    outputs_.read(snapshot_, row_);
    response.add_ticks(snapshot_.header.tick);
    rows.append(reinterpret_cast<const char*>(row_.data()), row_.size() * sizeof(double));
  }
  return done_ < request_.ticks();
}

// Ends the block if its client has left. The clock is that of the last tick, which costs nothing to read; a clock that
// is set back makes one look too many.
void TickBlock::look() {
  const std::int64_t now = snapshot_.header.publish_time_ns;
  if (done_ <= 1) looked_at_ns_ = now;
  if (std::abs(now - looked_at_ns_) < kLookIntervalNs) return;
  looked_at_ns_ = now;
  if (cancelled_()) fail(Reason::kCancelled, "the call was cancelled");
}

// One tick, as a Tick stream makes it for one input.
void TickBlock::tick() {
  const std::size_t width = inputs_.actuators().size();
  const double* const row = rows_.data() + static_cast<std::size_t>(done_) * width;
  inputs_.read(static_cast<std::uint64_t>(done_) + 1, {row, width}, lease_->input());
  if (session_.rendezvous().tick(*lease_, snapshot_) == 0) failWithoutTick();
  if (snapshot_.header.faulted) fail(Reason::kSessionState, session_.status().fault, "ResetSession begins again");
  ++done_;
}

// The session has made no tick.
void TickBlock::failWithoutTick() const {
  if (lease_->lost()) fail(Reason::kLeaseLost, "the inputs were taken over by " + lease_->takenBy());
  if (const auto end = session_.feed().events().ending())
    fail(end->kind == SessionEvent::Kind::kDraining ? Reason::kDraining : Reason::kSessionDeleted, end->message);
  const SessionState state = session_.state();
  if (state == SessionState::kRunning && cancelled_()) fail(Reason::kCancelled, "the call was cancelled");
  if (state == SessionState::kReady || state == SessionState::kRunning)
    fail(Reason::kSessionState, "the session was reset or stepped while a tick waited for other participants",
         "run the block again");
  fail(Reason::kSessionState, std::string("the session is ") + toString(state),
       state == SessionState::kPaused ? "StartSession continues it" : "ResetSession begins again");
}

void TickBlock::fail(Reason reason, const std::string& why, const std::string& hint) const {
  throw RequestError(reason, "session",
                     why + ", after " + std::to_string(done_) + " of " + std::to_string(request_.ticks()) + " ticks",
                     hint);
}

}  // namespace tactus::server
