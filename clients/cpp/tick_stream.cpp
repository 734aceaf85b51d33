#include "clients/cpp/tick_stream.h"

#include "clients/cpp/sent_values.h"
#include "clients/cpp/stream_opening.h"

#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <utility>
#include <vector>

namespace tactus::client {
namespace {

bool isGlob(const std::string& name) {
  return name.find_first_of("*?[") != std::string::npos;
}

// As the server matches signals.
bool matches(const std::string& glob, const std::string& name) {
  return ::fnmatch(glob.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
}

// Resolves globs to the actuators that they match; each name occurs once. A pattern without a match goes to the server
// unchanged: the error of the server names the nearest actuator.
std::vector<std::string> resolveInputs(const std::vector<std::string>& patterns,
                                       const std::vector<std::string>& actuators) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const std::string& pattern : patterns) {
    if (!isGlob(pattern)) {
      add(pattern);
      continue;
    }
    const std::size_t before = names.size();
    for (const std::string& actuator : actuators) {
      if (matches(pattern, actuator)) add(actuator);
    }
    if (names.size() == before && pattern != "*") names.push_back(pattern);
  }
  return names;
}

ClientError faultOf(const Frame& frame) {
  v1::ErrorDetail detail;
  detail.set_reason("SESSION_FAULTED");
  detail.set_hint("call ResetSession to start again");
  return ClientError(grpc::StatusCode::FAILED_PRECONDITION,
                     "the step failed; the last good tick is " + std::to_string(frame.tick()), detail);
}

}  // namespace

struct TickStream::Call {
  std::unique_ptr<Connection::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReaderWriter<v1::TickRequest, v1::TickResponse>> stream;
  v1::TickOpened opened;
  std::shared_ptr<const Layout> inputs, outputs;

  // Both sides: the newest frame received, and whether this client has cancelled.
  std::atomic<std::uint64_t> received{0};
  std::atomic<bool> cancelled{false};

  // The writing side, under its lock: one reused request, and the values that were sent.
  std::mutex write;
  v1::TickRequest request;
  SentValues sent;
  v1::TickRequest acknowledgement;
  std::atomic<std::uint64_t> acknowledged{0};
  std::uint64_t sequence = 0;
  bool writing_done = false;

  // The reading side.
  v1::TickResponse response;
  Frame frame;
  NoticeHandler on_notice;
  v1::TickNotice last_notice;  // the notice after which the server ends the stream
  FinishWatch finish_watch;
  std::vector<int> groups;  // not in lockstep: those that this stream drives, by their place in the session
  bool ended = false;

  bool answers(std::uint64_t input) const;
  std::uint64_t writeInput(std::int64_t for_tick = 0);
  void acknowledgeIfDue();
  void finishWriting(bool leaves);
  bool read();
  void finish();
};

// Whether the frame belongs to the tick that used an input, or that ignored it because of the safe state.
bool TickStream::Call::answers(std::uint64_t input) const {
  if (frame.inputSequence() >= input || frame.message().answered_sequence() >= input) return true;
  return std::any_of(groups.begin(), groups.end(), [this](int group) {
    const auto& modes = frame.message().group_modes();
    const int mode = group < modes.size() ? modes.Get(group) : frame.inputMode();
    return mode == v1::INPUT_MODE_SAFE || mode == v1::INPUT_MODE_RAMPING;
  });
}

// Sends the values with the changes that the caller has written, who holds the lock.
std::uint64_t TickStream::Call::writeInput(std::int64_t for_tick) {
  if (writing_done) return 0;
  v1::TickInput& input = *request.mutable_input();
  sent.add(++sequence);
  input.set_sequence(sequence);
  input.mutable_values()->Assign(sent.newest().begin(), sent.newest().end());
  input.set_for_tick(for_tick);
  acknowledged.store(received.load());
  input.set_acknowledged_output_sequence(acknowledged.load());
  input.set_send_time_ns(std::chrono::system_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
  return stream->Write(request) ? sequence : 0;
}

// A reader that does not send acknowledges after half a window.
void TickStream::Call::acknowledgeIfDue() {
  const std::uint64_t due = std::max<std::uint64_t>(1, opened.credit_window() / 2);
  if (received.load() - acknowledged.load() < due) return;
  const std::lock_guard lock(write);
  if (writing_done) return;
  acknowledged.store(received.load());
  acknowledgement.mutable_input()->set_acknowledge_only(true);
  acknowledgement.mutable_input()->set_acknowledged_output_sequence(acknowledged.load());
  // After the end of the stream the write fails, and the next read reports the end.
  stream->Write(acknowledgement);
}

// With `leaves` the end is announced: the silence that follows is intended.
void TickStream::Call::finishWriting(bool leaves) {
  const std::lock_guard lock(write);
  if (std::exchange(writing_done, true)) return;
  v1::TickRequest last;
  last.mutable_leave();
  if (leaves) stream->Write(last);
  stream->WritesDone();
}

// Reads one response: a frame or a notice. Returns false at the end of the stream.
bool TickStream::Call::read() {
  if (ended) return false;
  if (!stream->Read(&response)) {
    finish();
    return false;
  }
  finish_watch.see(response);
  if (response.has_frame()) received.store(response.frame().sequence());
  if (response.has_notice() && response.notice().reason() == "INPUT_REFUSED") {
    const std::lock_guard lock(write);
    sent.forget(response.notice().input_sequence());
  }

  // The server sends its status with the detail after the client has closed its side.
  if (response.has_notice() && endsStream(response.notice())) {
    last_notice = response.notice();
    finishWriting(false);
  }
  return true;
}

void TickStream::Call::finish() {
  ended = true;
  // Nothing is written during or after the end.
  const std::lock_guard lock(write);
  writing_done = true;
  const grpc::Status status = stream->Finish();
  if (last_notice.reason() == "DRAINING" || cancelled.load()) return;
  if (endsStream(last_notice)) throw errorOf(last_notice);
  checkEndOfStream(status, context, false);
}

TickStream::TickStream(const Connection& connection, const std::string& session,
                       const std::vector<std::string>& actuators, const TickOptions& options)
    : call_(std::make_unique<Call>()) {
  const std::vector<std::string> inputs = resolveInputs(options.inputs, actuators);
  v1::TickRequest request;
  v1::TickOpen& open = *request.mutable_open();
  open.set_session(session);
  open.mutable_inputs()->Assign(inputs.begin(), inputs.end());
  open.mutable_outputs()->Assign(options.outputs.begin(), options.outputs.end());
  open.set_expected_input_layout_hash(options.expected_input_layout_hash);
  open.set_expected_output_layout_hash(options.expected_output_layout_hash);
  open.set_credit_window(options.credit_window);
  open.set_controller(options.controller);
  open.set_takeover(!options.takeover_reason.empty());
  open.set_takeover_reason(options.takeover_reason);
  open.set_output_divisor(options.output_divisor);
  open.set_leave_safe_state(options.leave_safe_state);

  // The server answers with the layouts, or with a status that gives the reason of the refusal.
  call_->on_notice = options.on_notice;
  call_->stub = connection.streamStub();
  connection.identify(call_->context);
  call_->stream = call_->stub->Tick(&call_->context);
  call_->stream->Write(request);
  readOpening(*call_);
  if (!call_->opened.safe_state().empty()) warn("session " + session + ": " + call_->opened.safe_state());
  call_->finish_watch.begin(call_->opened.tick() + 1, call_->opened.output_divisor());
  call_->inputs = std::make_shared<const Layout>(call_->opened.inputs());
  call_->outputs = std::make_shared<const Layout>(call_->opened.outputs());

  // A first send by name keeps the current values of the session for the inputs that it leaves out.
  if (call_->inputs->size() == 0) return;
  v1::ReadSignalsRequest read;
  read.set_session(session);
  *read.mutable_patterns() = call_->opened.inputs().signals();
  const v1::ReadSignalsResponse now = connection.call(&Connection::Stub::ReadSignals, read);
  call_->sent.begin({now.frame().values().begin(), now.frame().values().end()});

  if (call_->opened.clock() == v1::CLOCK_MODE_LOCKSTEP) return;
  v1::GetSessionRequest get;
  get.set_session(session);
  const auto& names = call_->inputs->names();
  const v1::Session status = connection.call(&Connection::Stub::GetSession, get);
  for (int g = 0; g < status.groups_size(); ++g) {
    const auto& own = status.groups(g).inputs();
    if (std::find_first_of(own.begin(), own.end(), names.begin(), names.end()) != own.end())
      call_->groups.push_back(g);
  }
}

TickStream::~TickStream() {
  if (!call_) return;
  // Ends in order, so that the inputs are free for the next stream after the destructor.
  try {
    close();
  } catch (const ClientError&) {}
}

TickStream::TickStream(TickStream&&) noexcept = default;
TickStream& TickStream::operator=(TickStream&& other) noexcept {
  std::swap(call_, other.call_);
  return *this;
}

const Layout& TickStream::inputs() const noexcept {
  return *call_->inputs;
}
const Layout& TickStream::outputs() const noexcept {
  return *call_->outputs;
}
const v1::TickOpened& TickStream::opened() const noexcept {
  return call_->opened;
}

std::uint64_t TickStream::send(std::span<const double> values, std::int64_t for_tick) {
  if (values.size() != call_->inputs->size()) {
    throw std::invalid_argument("the stream takes " + std::to_string(call_->inputs->size()) + " values, not " +
                                std::to_string(values.size()));
  }
  const std::lock_guard lock(call_->write);
  SentValues::Changes& changes = call_->sent.next();
  for (const double value : values) changes.emplace_back(static_cast<int>(changes.size()), value);
  return call_->writeInput(for_tick);
}

std::uint64_t TickStream::send(const std::map<std::string, double>& values) {
  const std::lock_guard lock(call_->write);
  SentValues::Changes& changes = call_->sent.next();
  for (const auto& [name, value] : values) changes.emplace_back(static_cast<int>(call_->inputs->indexOf(name)), value);
  return call_->writeInput();
}

bool TickStream::receive(Frame& frame) {
  if (call_->finish_watch.over()) return false;
  call_->acknowledgeIfDue();
  while (call_->read()) {
    if (call_->response.has_frame()) {
      frame.take(*call_->response.mutable_frame(), call_->outputs);
      return true;
    }
    if (call_->response.has_notice()) tell(call_->on_notice, call_->response.notice());
    if (call_->finish_watch.over()) return false;
  }
  return false;
}

const Frame& TickStream::step(std::span<const double> values) {
  return awaitStep(send(values));
}

const Frame& TickStream::step(const std::map<std::string, double>& values) {
  return awaitStep(send(values));
}

const Frame& TickStream::awaitStep(std::uint64_t sequence) {
  while (true) {
    // Of frames that nobody has read: the server sends no more of them without an acknowledgement.
    call_->acknowledgeIfDue();
    if (!call_->read()) break;
    if (call_->response.has_frame()) {
      call_->frame.take(*call_->response.mutable_frame(), call_->outputs);
      if (call_->frame.has(v1::FRAME_FLAG_FAULT)) throw faultOf(call_->frame);
      if (call_->answers(sequence)) return call_->frame;
    } else if (call_->response.has_notice()) {
      const v1::TickNotice& notice = call_->response.notice();
      if (call_->on_notice) call_->on_notice(notice);
      if (notice.reason() == "INPUT_REFUSED" && notice.input_sequence() == sequence) throw errorOf(notice);
    }
  }
  v1::ErrorDetail detail;
  detail.set_reason(call_->last_notice.reason() == "DRAINING" ? "DRAINING" : "CANCELLED");
  throw ClientError(grpc::StatusCode::UNAVAILABLE, "the stream has ended", detail);
}

void TickStream::close() {
  if (call_->ended) return;
  call_->finishWriting(true);
  while (call_->read()) {}
}

void TickStream::cancel() noexcept {
  call_->cancelled.store(true);
  call_->context.TryCancel();
}

}  // namespace tactus::client
