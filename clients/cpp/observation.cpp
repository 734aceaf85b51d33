#include "clients/cpp/observation.h"

#include "clients/cpp/stream_opening.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <utility>

namespace tactus::client {

struct Observation::Call {
  std::unique_ptr<Connection::Stub> stub;
  grpc::ClientContext context;
  std::unique_ptr<grpc::ClientReader<v1::ObserveResponse>> stream;
  v1::ObserveOpened opened;
  std::shared_ptr<const Layout> layout;
  v1::ObserveResponse response;
  Frame frame;
  NoticeHandler on_notice;
  bool ended = false;
  FinishWatch finish;
  std::atomic<bool> cancelled{false};

  // Acknowledgements go through their own call on the same connection.
  grpc::ClientContext credit_context;
  v1::AcknowledgeFramesResponse credit_response;
  std::unique_ptr<grpc::ClientWriter<v1::FrameAcknowledgement>> credit;
  v1::FrameAcknowledgement acknowledgement;
  std::uint64_t received = 0;

  void acknowledgeIfDue();
  void endCredit();
};

// Acknowledges half a window at a time: often enough that a fast reader never waits, with few messages.
void Observation::Call::acknowledgeIfDue() {
  if (!credit || received - acknowledgement.sequence() < std::max(1u, opened.credit_window() / 2)) return;
  acknowledgement.set_sequence(received);
  // After the end of the server the write fails, and the next read reports the end.
  credit->Write(acknowledgement);
}

void Observation::Call::endCredit() {
  if (!credit) return;
  credit_context.TryCancel();
  credit->Finish();
  credit.reset();
}

Observation::Observation(const Connection& connection, const std::string& session, const ObserveOptions& options)
    : call_(std::make_unique<Call>()) {
  v1::ObserveRequest request;
  request.set_session(session);
  request.mutable_signals()->Assign(options.signals.begin(), options.signals.end());
  request.set_every(options.every);
  request.set_delivery(options.delivery);
  request.set_queue_depth(options.queue_depth);
  request.set_credit_window(options.credit_window);
  request.set_expected_layout_hash(options.expected_layout_hash);

  // The first message is the layout; a refused stream has a status with the reason instead.
  call_->on_notice = options.on_notice;
  call_->stub = connection.streamStub();
  connection.identify(call_->context);
  call_->stream = call_->stub->Observe(&call_->context, request);
  readOpening(*call_);
  call_->layout = std::make_shared<const Layout>(call_->opened.layout());
  call_->finish.begin(std::numeric_limits<std::int64_t>::min(), options.every);
  if (call_->opened.credit_window() == 0) return;
  call_->acknowledgement.set_stream_id(call_->opened.stream_id());
  connection.identify(call_->credit_context);
  call_->credit = call_->stub->AcknowledgeFrames(&call_->credit_context, &call_->credit_response);
}

Observation::~Observation() {
  if (!call_) return;
  if (!call_->ended) {
    call_->context.TryCancel();
    call_->stream->Finish();
  }
  call_->endCredit();
}

Observation::Observation(Observation&&) noexcept = default;
Observation& Observation::operator=(Observation&& other) noexcept {
  std::swap(call_, other.call_);
  return *this;
}

const Layout& Observation::layout() const noexcept {
  return *call_->layout;
}
const v1::ObserveOpened& Observation::opened() const noexcept {
  return call_->opened;
}

bool Observation::receive(Frame& frame) {
  if (call_->ended || call_->finish.over()) return false;
  call_->acknowledgeIfDue();
  while (call_->stream->Read(&call_->response)) {
    call_->finish.see(call_->response);
    if (call_->response.has_frame()) {
      call_->received = call_->response.frame().sequence();
      frame.take(*call_->response.mutable_frame(), call_->layout);
      return true;
    }
    if (call_->response.has_notice()) tell(call_->on_notice, call_->response.notice());
    if (call_->finish.over()) return false;
  }
  call_->ended = true;
  checkEndOfStream(call_->stream->Finish(), call_->context, call_->cancelled.load());
  return false;
}

void Observation::cancel() noexcept {
  call_->cancelled.store(true);
  call_->context.TryCancel();
}

const Frame& Observation::Iterator::operator*() const {
  return observation_->call_->frame;
}

Observation::Iterator& Observation::Iterator::operator++() {
  if (!observation_->receive(observation_->call_->frame)) observation_ = nullptr;
  return *this;
}

}  // namespace tactus::client
