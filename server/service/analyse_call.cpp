// The analysis of a session: of a copy of its newest tick, in a thread of low priority.
#include "rt/model/model.h"
#include "rt/offline/core/equations_of_motion.h"
#include "server/record/recording_message.h"
#include "server/service/answer.h"
#include "server/service/low_priority.h"
#include "server/wire/state_analysis.h"
#include "server/wire/state_search.h"

#include <atomic>

namespace tactus::server {

namespace {

/// What ends an analysis before it has a result.
class Patience {
 public:
  explicit Patience(std::chrono::milliseconds limit) : limit_(limit) {}

  const std::atomic<bool>& interrupt() const noexcept { return over_; }
  void end() noexcept { over_ = true; }

  void look(std::chrono::nanoseconds used) noexcept {
    if (used <= limit_) return;
    too_long_ = true;
    end();
  }

  /// @throws RequestError if the work has taken too long
  void require() const {
    if (!too_long_) return;
    throw RequestError(
        Reason::kLimitExceeded, "session",
        "the analysis has taken " + std::to_string(limit_.count() / 1000) + " s of the processor",
        "begin nearer to the result, or use tactus.Simulation or tactus analyse in a process of its own");
  }

 private:
  const std::chrono::milliseconds limit_;
  std::atomic<bool> over_ = false, too_long_ = false;
};

}  // namespace

grpc::Status SimulationService::Analyse(grpc::ServerContext* context, const v1::AnalyseRequest* request,
                                        v1::AnalyseResponse* response) {
  return answer(*context, "Analyse", *request, [&](const Visit& visit) {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const StreamSlots::Slot slot(analyses_, visit.peer());
    const Session::Present present = session->present();
    Patience patience(config_.limits.analysis_time);
    const auto goOn = [&] {
      requireOpen();
      if (context->IsCancelled()) throw RequestError(Reason::kCancelled, "", "the call was cancelled");
      patience.require();
    };
    const AnalysisBounds bounds{config_.limits.analysed_bodies, static_cast<std::size_t>(config_.limits.message_bytes)};
    const double time = session->settings().timeAt(present.tick.header.tick);
    const auto work = [&] {
      requireAnalysable(present.tick, *present.model, *request, bounds);
      writeAnalysedTick(present.tick, *response);
      rt::Snapshot at = present.tick;
      if (asksForSearch(*request)) {
        v1::FoundState& found = *response->mutable_found();
        at = searchState(present.tick, *present.model, time, *request, patience.interrupt(), found);
        *found.mutable_snapshot() = snapshotOf(*session, at, *present.model);
      }
      analyseState(at, *present.model, time, *request, bounds, goOn, *response);
    };
    const auto look = [&](std::chrono::nanoseconds used) {
      if (context->IsCancelled() || draining_) patience.end();
      patience.look(used);
    };
    try {
      runAtLowPriority(work, look);
    } catch (const rt::offline::Interrupted&) {
      goOn();
      throw RequestError(Reason::kCancelled, "", "the call was cancelled");
    }
  });
}

}  // namespace tactus::server
