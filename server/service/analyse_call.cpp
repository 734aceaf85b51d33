// The analysis of a session: of a copy of its newest tick, in a thread of low priority.
#include "rt/model/model.h"
#include "server/service/answer.h"
#include "server/service/low_priority.h"
#include "server/wire/state_analysis.h"

namespace tactus::server {

grpc::Status SimulationService::Analyse(grpc::ServerContext* context, const v1::AnalyseRequest* request,
                                        v1::AnalyseResponse* response) {
  return answer(*context, "Analyse", *request, [&] {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const StreamSlots::Slot slot(analyses_);
    const Session::Present present = session->present();
    const auto goOn = [&] {
      requireOpen();
      if (context->IsCancelled()) throw RequestError(Reason::kCancelled, "", "the call was cancelled");
    };
    const AnalysisBounds bounds{config_.limits.analysed_bodies, static_cast<std::size_t>(config_.limits.message_bytes)};
    const double time = session->settings().timeAt(present.tick.header.tick);
    runAtLowPriority([&] { analyseState(present.tick, *present.model, time, *request, bounds, goOn, *response); });
  });
}

}  // namespace tactus::server
