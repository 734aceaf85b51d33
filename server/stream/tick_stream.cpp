#include "server/stream/tick_stream.h"

#include "server/session/session_message.h"
#include "server/stream/credit.h"
#include "server/wire/error_detail.h"
#include "server/wire/layout.h"

#include <algorithm>
#include <utility>

namespace tactus::server {

namespace {

StreamOptions streamOptions(const Session& session, const v1::TickOpen& open) {
  StreamOptions options;
  const SignalSelection selection =
      selectSignals(session.feed().signals(), {open.outputs().begin(), open.outputs().end()}, "outputs");
  expectLayout(open.expected_output_layout_hash(), selection.layout_hash, "expected_output_layout_hash");
  options.signals = selection.indices;
  options.packed = open.packed();
  options.divisor = session.spec().clock.lockstep() ? 1 : std::max<std::uint32_t>(open.output_divisor(), 1);
  options.credit_window = creditWindow(open.credit_window());
  return options;
}

}  // namespace

TickStream::TickStream(Session& session, const v1::TickOpen& open, std::function<bool()> gone, Claimant claimant)
    : session_(session),
      reader_(session.model(), {open.inputs().begin(), open.inputs().end()}),
      streamer_(session.feed().ring(), session.feed().signals(), streamOptions(session, open)) {
  // Inputs are signals, too; their layout is agreed like the layout of the outputs.
  std::vector<int> inputs;
  for (const std::string& name : open.inputs()) inputs.push_back(session.feed().signals().find(name));
  expectLayout(open.expected_input_layout_hash(), session.feed().signals().layoutHash(inputs),
               "expected_input_layout_hash");
  if (!inputs.empty() && session.spec().clock.external())
    throw RequestError(
        Reason::kSessionState, "inputs", "a device is the clock of this session and brings the inputs",
        "drive the session through a device link (`tactus link open`), or open this stream without inputs");
  LeaseRequest request = readLease(open, "tick stream");
  request.groups = session.inputs().groupsOf(reader_.actuators());
  request.actuators = reader_.actuators();
  request.gone = std::move(gone);
  request.claimant = std::move(claimant);
  request.leave_safe_state = open.leave_safe_state();
  const rt::GroupMask groups = request.groups;
  if (!inputs.empty() || session.spec().clock.lockstep()) {
    lease_ = session.inputs().lease(std::move(request));
    lease_id_ = lease_->id();
    if (groups != 0) streamer_.nameInputsOf(lease_id_);
  }

  v1::TickOpened& opened = *opened_.mutable_opened();
  writeLayout(session.feed().signals(), inputs, *opened.mutable_inputs());
  writeLayout(session.feed().signals(), streamer_.options().signals, *opened.mutable_outputs());
  opened.set_period_ns(session.settings().period_ns);
  const rt::Snapshot newest = session.feed().newest();
  opened.set_tick(newest.header.tick);
  opened.set_input_mode(toProto(newest.header.input_mode));
  if (lease_) opened.set_safe_state(session.safeState(groups, lease_->resumed()));
  opened.set_clock(toProto(session.spec().clock.mode));
  opened.set_credit_window(static_cast<std::uint32_t>(streamer_.options().credit_window));
  opened.set_output_divisor(static_cast<std::uint32_t>(streamer_.options().divisor));
}

const v1::TickResponse* TickStream::accept(const v1::TickInput& input) {
  if (input.acknowledged_output_sequence() != 0) streamer_.acknowledge(input.acknowledged_output_sequence());
  if (input.acknowledge_only()) return nullptr;
  if (!lease_ && input.values().empty()) return nullptr;
  if (!lease_)
    return refuse(
        {Reason::kRequestInvalid, "values", "this stream was opened without inputs", "list them in TickOpen.inputs"},
        input.sequence());

  if (lease_->lost())
    return refuse({Reason::kLeaseLost, "values", "the inputs were taken over by " + lease_->takenBy(),
                   "keep watching, or open another stream with takeover and a reason"},
                  input.sequence());
  if (input.for_tick() != 0)
    if (const v1::TickResponse* refusal = checkTick(input)) return refusal;
  std::vector<double> before;
  if (input.for_tick() != 0) before = lease_->input().values;
  const InputVerdict verdict = reader_.read(input, lease_->input());
  if (verdict.fault == InputVerdict::Fault::kSequence) ++session_.inputs().counts().duplicate;
  if (!verdict.ok()) return refuse(reader_.explain(verdict), input.sequence());
  session_.inputs().counts().lost += verdict.left_out;
  if (session_.spec().clock.lockstep()) {
    if (const auto publication = session_.rendezvous().arrive(*lease_, snapshot_, input.for_tick()))
      return answerTick(input, *publication);
    waiting_ = &input;
    return nullptr;
  }
  if (input.for_tick() != 0) return keepFor(input, before);
  lease_->offer();
  return nullptr;
}

// Before any value is used: whether the tick that an input is scheduled for can still use it.
const v1::TickResponse* TickStream::checkTick(const v1::TickInput& input) {
  std::int64_t now = 0;
  if (session_.spec().clock.lockstep()) {
    now = session_.rendezvous().lastTick();
  } else {
    session_.feed().ring().newest(snapshot_);
    now = snapshot_.header.tick;
  }
  const std::string tick = "tick " + std::to_string(input.for_tick());
  if (input.for_tick() <= now) {
    ++session_.inputs().counts().late;
    return refuse({Reason::kTickInPast, "for_tick", tick + " is over; the last tick is " + std::to_string(now),
                   "send earlier, or for a later tick"},
                  input.sequence());
  }
  if (session_.spec().clock.lockstep() && input.for_tick() > now + 1)
    return refuse({Reason::kTickTooFar, "for_tick", tick + " is not the next one, " + std::to_string(now + 1),
                   "in lockstep each input is the next tick"},
                  input.sequence());
  return nullptr;
}

// `before`: the values in force, which a refusal restores.
const v1::TickResponse* TickStream::keepFor(const v1::TickInput& input, const std::vector<double>& before) {
  const rt::ScheduleResult stamping = lease_->offerAt(input.for_tick());
  if (stamping != rt::ScheduleResult::kKept) lease_->input().values = before;
  switch (stamping) {
    case rt::ScheduleResult::kKept: return nullptr;
    case rt::ScheduleResult::kFull:
      return refuse({Reason::kTickTooFar, "for_tick", "the maximum number of scheduled inputs is waiting already",
                     "send closer to the tick"},
                    input.sequence());
    case rt::ScheduleResult::kOutOfOrder: break;
  }
  return refuse({Reason::kRequestInvalid, "for_tick", "an input for a later tick waits already", "send them in order"},
                input.sequence());
}

const v1::TickResponse* TickStream::awaitOthers() {
  const v1::TickInput& input = *std::exchange(waiting_, nullptr);
  return answerTick(input, session_.rendezvous().awaitOthers(*lease_, snapshot_));
}

// The frame of the tick that an input has led to; `publication` is 0 if there was no tick. Null where the stream ends.
const v1::TickResponse* TickStream::answerTick(const v1::TickInput& input, std::uint64_t publication) {
  const std::uint64_t sequence = input.sequence();
  if (publication == 0) {
    reader_.takeBack();
    // Other participants may have made the tick meanwhile.
    if (input.for_tick() != 0)
      if (const v1::TickResponse* refusal = checkTick(input)) return refusal;
    if (lease_->lost())
      return refuse({Reason::kLeaseLost, "values", "the inputs were taken over by " + lease_->takenBy()}, sequence);
    if (session_.feed().events().ending()) return nullptr;  // the notice that ends the stream follows
    const SessionState state = session_.state();
    if (state == SessionState::kReady || state == SessionState::kRunning)
      return refuse(
          {Reason::kSessionState, "session",
           "the session was reset or stepped while the input waited for other participants", "send the input again"},
          sequence);
    return refuse(
        {Reason::kSessionState, "session", std::string("the session is ") + toString(state) + " and does not tick",
         state == SessionState::kPaused ? "StartSession continues it" : "ResetSession begins again"},
        sequence);
  }
  streamer_.answer(publication, snapshot_, *frame_.mutable_frame());
  frame_.mutable_frame()->set_answered_sequence(sequence);
  return &frame_;
}

const v1::TickResponse* TickStream::refuse(const RequestError& error, std::uint64_t sequence) {
  ++session_.inputs().counts().refused;
  v1::TickNotice& notice = *notice_.mutable_notice();
  notice.set_reason("INPUT_REFUSED");
  notice.set_message(error.what());
  notice.set_tick(session_.feed().newest().header.tick);
  notice.set_input_sequence(sequence);
  *notice.mutable_detail() = toDetail(error);
  return &notice_;
}

}  // namespace tactus::server
