// The streams: a slot, a session, and the call that serves them.
#include "server/service/answer.h"
#include "server/service/call_order.h"
#include "server/service/observe_call.h"
#include "server/service/tick_call.h"
#include "server/stream/tick_block.h"

namespace tactus::server {

namespace {

/// A Tick call that is refused at once.
class RefusedTick final : public grpc::ServerBidiReactor<v1::TickRequest, v1::TickResponse> {
 public:
  explicit RefusedTick(const grpc::Status& status) {
    order_.release();
    Finish(status);
  }
  void OnDone() override {
    order_.acquire();
    delete this;
  }

 private:
  CallOrder order_;
};

}  // namespace

grpc::ServerBidiReactor<v1::TickRequest, v1::TickResponse>* SimulationService::Tick(
    grpc::CallbackServerContext* context) {
  grpc::ServerBidiReactor<v1::TickRequest, v1::TickResponse>* call = nullptr;
  std::unique_ptr<Visit> visit;
  const grpc::Status status = answerCall(*context, [&] {
    visit = std::make_unique<Visit>(door_, *context, "Tick");
    visit->requireRole();
    requireOpen();
    call = new TickCall(*context, visit, sessions_, slots_, config_.limits.opening);
  });
  if (!call) door_.note(*context, visit ? &visit->peer() : nullptr, rpcRule("Tick"), v1::TickOpen(), "", status);
  return call ? call : new RefusedTick(status);
}

grpc::Status SimulationService::Observe(grpc::ServerContext* context, const v1::ObserveRequest* request,
                                        grpc::ServerWriter<v1::ObserveResponse>* stream) {
  return answer(*context, "Observe", *request, [&](const Visit& visit) {
    const StreamSlots::Slot slot(slots_, visit.peer());
    serveObserver(*context, *request, *stream, visit.peer(), sessions_, observers_, config_.limits);
  });
}

grpc::Status SimulationService::RunSession(grpc::ServerContext* context, const v1::RunSessionRequest* request,
                                           grpc::ServerWriter<v1::RunSessionResponse>* stream) {
  return answer(*context, "RunSession", *request, [&](const Visit& visit) {
    const StreamSlots::Slot slot(slots_, visit.peer());
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const auto cancelled = [&] { return context->IsCancelled() || draining_; };
    TickBlock block(*session, *request, cancelled);
    v1::RunSessionResponse response;
    try {
      while (block.next(response))
        if (!stream->Write(response)) return;
    } catch (...) {
      // The rows of the ticks before the error reach the client.
      stream->Write(response);
      throw;
    }
    // With the status, in one write: the client wakes once.
    stream->WriteLast(response, {});
  });
}

grpc::Status SimulationService::RunBlock(grpc::ServerContext* context, const v1::RunSessionRequest* request,
                                         v1::RunSessionResponse* response) {
  return answer(*context, "RunBlock", *request, [&](const Visit& visit) {
    const StreamSlots::Slot slot(slots_, visit.peer());
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const auto cancelled = [&] { return context->IsCancelled() || draining_; };
    TickBlock block(*session, *request, cancelled);
    block.requireShort();
    try {
      block.next(*response);
    } catch (...) {
      if (block.ticksMade() == 0) throw;
      const ErrorAnswer failure = toAnswer(std::current_exception());
      v1::BlockFailure& message = *response->mutable_failure();
      message.set_code(failure.status.error_code());
      message.set_message(failure.status.error_message());
      *message.mutable_detail() = failure.detail;
    }
  });
}

grpc::Status SimulationService::AcknowledgeFrames(grpc::ServerContext* context,
                                                  grpc::ServerReader<v1::FrameAcknowledgement>* stream,
                                                  v1::AcknowledgeFramesResponse*) {
  return answer(*context, "AcknowledgeFrames", v1::FrameAcknowledgement(), [&](const Visit& visit) {
    const StreamSlots::Slot slot(acknowledgements_, visit.peer());
    // Until an answer begins, gRPC keeps every acknowledgement in the memory of its client, for another attempt.
    stream->SendInitialMetadata();
    v1::FrameAcknowledgement acknowledgement;
    while (stream->Read(&acknowledgement))
      observers_.acknowledge(acknowledgement.stream_id(), acknowledgement.sequence(), visit.peer().name);
  });
}

}  // namespace tactus::server
