// The streams: a slot, a session, and the call that serves them.
#include "server/service/answer.h"
#include "server/service/observe_call.h"
#include "server/service/tick_call.h"

namespace tactus::server {

grpc::Status SimulationService::Tick(grpc::ServerContext* context,
                                     grpc::ServerReaderWriter<v1::TickResponse, v1::TickRequest>* stream) {
  return answer(*context, [&] {
    const StreamSlots::Slot slot(slots_);
    TickCall(*context, *stream).run(sessions_);
  });
}

grpc::Status SimulationService::Observe(grpc::ServerContext* context, const v1::ObserveRequest* request,
                                        grpc::ServerWriter<v1::ObserveResponse>* stream) {
  return answer(*context, [&] {
    const StreamSlots::Slot slot(slots_);
    serveObserver(*context, *request, *stream, sessions_, observers_, config_.limits);
  });
}

grpc::Status SimulationService::AcknowledgeFrames(grpc::ServerContext* context,
                                                  grpc::ServerReader<v1::FrameAcknowledgement>* stream,
                                                  v1::AcknowledgeFramesResponse*) {
  return answer(*context, [&] {
    const StreamSlots::Slot slot(acknowledgements_);
    v1::FrameAcknowledgement acknowledgement;
    while (stream->Read(&acknowledgement))
      observers_.acknowledge(acknowledgement.stream_id(), acknowledgement.sequence());
  });
}

}  // namespace tactus::server
