// The calls on recordings and snapshots.
#include "server/record/recording_message.h"
#include "server/record/snapshot_message.h"
#include "server/service/answer.h"
#include "server/wire/state_frame.h"

#include <algorithm>

namespace tactus::server {

grpc::Status SimulationService::StartRecording(grpc::ServerContext* context, const v1::StartRecordingRequest* request,
                                               v1::Recording* response) {
  return answer(*context, "StartRecording", *request, [&](Visit& visit) {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    response->ParseFromString(once(session->requests(), *context, *request, visit, [&] {
      RecordedSignals signals;
      signals.indices =
          selectSignals(session->feed().signals(), {request->signals().begin(), request->signals().end()}, "signals")
              .indices;
      signals.every = std::max<std::int64_t>(request->signals_every(), 1);
      signals.scene = request->scene();
      const v1::Recording started = recordings_.start(session, request->name(), std::move(signals), visit.peer());
      visit.subject = started.name();
      return started;
    }));
  });
}

grpc::Status SimulationService::StopRecording(grpc::ServerContext* context, const v1::StopRecordingRequest* request,
                                              v1::Recording* response) {
  return answer(*context, "StopRecording", *request, [&](const Visit& visit) {
    requireOwner(visit.peer(), recordings_.ownerOf(request->name()), "recording \"" + request->name() + '"');
    *response = recordings_.stop(request->name());
  });
}

grpc::Status SimulationService::ListRecordings(grpc::ServerContext* context, const v1::ListRecordingsRequest* request,
                                               v1::ListRecordingsResponse* response) {
  return answer(*context, "ListRecordings", *request, [&] {
    for (v1::Recording& recording : recordings_.list(request->session()))
      *response->add_recordings() = std::move(recording);
    // The recordings of a session outlive it.
    if (!request->session().empty() && response->recordings().empty()) sessions_.find(request->session());
  });
}

grpc::Status SimulationService::SaveSnapshot(grpc::ServerContext* context, const v1::SaveSnapshotRequest* request,
                                             v1::SessionSnapshot* response) {
  return answer(*context, "SaveSnapshot", *request,
                [&] { *response = snapshotOf(*sessions_.find(request->session())); });
}

grpc::Status SimulationService::RestoreSnapshot(grpc::ServerContext* context, const v1::RestoreSnapshotRequest* request,
                                                v1::Session* response) {
  return control(*context, "RestoreSnapshot", *request, *response, [&](Session& session, const Visit& visit) {
    if (request->force()) visit.requireRole(Role::kAdmin, "RestoreSnapshot with force");
    if (!request->has_snapshot())
      throw RequestError(Reason::kRequestInvalid, "snapshot", "the snapshot is missing", "SaveSnapshot makes one");
    v1::SessionSnapshot here = snapshotOf(session);
    if (request->force()) *here.mutable_build() = request->snapshot().build();
    requireSame(request->snapshot(), here);
    session.restore(readSnapshot(request->snapshot(), session.model(), session.settings().period_ns),
                    readParameters(request->snapshot().parameters()));
  });
}

}  // namespace tactus::server
