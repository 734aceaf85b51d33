// SimulationService: tactus.v1.Simulation, in the synchronous API except for Tick. Each call is a few lines over
// sessions, models and wire; they are split over model_calls.cpp, session_calls.cpp, parameter_calls.cpp,
// signal_calls.cpp, stream_calls.cpp, recording_calls.cpp and link_calls.cpp.
#pragma once

#include "server/config.h"
#include "server/door/door.h"
#include "server/link/device_links.h"
#include "server/record/recordings.h"
#include "server/service/host_checks.h"
#include "server/service/model_store.h"
#include "server/session/request_log.h"
#include "server/session/session_registry.h"
#include "server/stream/observers.h"
#include "server/stream/stream_slots.h"

#include "tactus/v1/simulation.grpc.pb.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>

namespace tactus::server {

class SimulationService final : public v1::Simulation::WithCallbackMethod_Tick<v1::Simulation::Service> {
 public:
  /// @throws Error if the files of config.access are not valid
  explicit SimulationService(const Config& config);

  SessionRegistry& sessions() noexcept { return sessions_; }
  ModelStore& models() noexcept { return models_; }
  Recordings& recordings() noexcept { return recordings_; }
  HostChecks& hostChecks() noexcept { return host_checks_; }
  Door& door() noexcept { return door_; }
  DeviceLinks& links() noexcept { return links_; }
  bool insecure() const { return isInsecure(config_); }

  /// What GetTimingReport answers. Any thread.
  void writeTiming(const Session& session, v1::TimingReport& report) const;

  /// Refuses new calls; every stream gets a DRAINING notice and ends. Returns when all have ended, or after `timeout`.
  void drain(const std::string& reason, std::chrono::nanoseconds timeout);

  bool draining() const noexcept { return draining_; }

  // ---- models ----
  grpc::Status ListModels(grpc::ServerContext*, const v1::ListModelsRequest*, v1::ListModelsResponse*) override;
  grpc::Status GetModel(grpc::ServerContext*, const v1::GetModelRequest*, v1::GetModelResponse*) override;
  grpc::Status ValidateModel(grpc::ServerContext*, const v1::ValidateModelRequest*,
                             v1::ValidateModelResponse*) override;
  grpc::Status LoadModel(grpc::ServerContext*, const v1::LoadModelRequest*, v1::LoadModelResponse*) override;
  grpc::Status UnloadModel(grpc::ServerContext*, const v1::UnloadModelRequest*, v1::UnloadModelResponse*) override;

  // ---- sessions ----
  grpc::Status CreateSession(grpc::ServerContext*, const v1::CreateSessionRequest*, v1::Session*) override;
  grpc::Status GetSession(grpc::ServerContext*, const v1::GetSessionRequest*, v1::Session*) override;
  grpc::Status ListSessions(grpc::ServerContext*, const v1::ListSessionsRequest*, v1::ListSessionsResponse*) override;
  grpc::Status DeleteSession(grpc::ServerContext*, const v1::DeleteSessionRequest*,
                             v1::DeleteSessionResponse*) override;
  grpc::Status StartSession(grpc::ServerContext*, const v1::StartSessionRequest*, v1::Session*) override;
  grpc::Status PauseSession(grpc::ServerContext*, const v1::PauseSessionRequest*, v1::Session*) override;
  grpc::Status StepSession(grpc::ServerContext*, const v1::StepSessionRequest*, v1::Session*) override;
  grpc::Status RunSession(grpc::ServerContext*, const v1::RunSessionRequest*,
                          grpc::ServerWriter<v1::RunSessionResponse>*) override;
  grpc::Status RunBlock(grpc::ServerContext*, const v1::RunSessionRequest*, v1::RunSessionResponse*) override;
  grpc::Status ResetSession(grpc::ServerContext*, const v1::ResetSessionRequest*, v1::Session*) override;
  grpc::Status EnterSafeState(grpc::ServerContext*, const v1::EnterSafeStateRequest*, v1::Session*) override;
  grpc::Status ClearSafeState(grpc::ServerContext*, const v1::ClearSafeStateRequest*, v1::Session*) override;

  // ---- parameters ----
  grpc::Status GetParameters(grpc::ServerContext*, const v1::GetParametersRequest*, v1::ParameterReport*) override;
  grpc::Status SetParameters(grpc::ServerContext*, const v1::SetParametersRequest*, v1::ParameterReport*) override;

  // ---- signals ----
  grpc::Status ListSignals(grpc::ServerContext*, const v1::ListSignalsRequest*, v1::ListSignalsResponse*) override;
  grpc::Status ReadSignals(grpc::ServerContext*, const v1::ReadSignalsRequest*, v1::ReadSignalsResponse*) override;

  // ---- roads ----
  grpc::Status QueryRoad(grpc::ServerContext*, const v1::QueryRoadRequest*, v1::QueryRoadResponse*) override;

  // ---- analyses ----
  grpc::Status Analyse(grpc::ServerContext*, const v1::AnalyseRequest*, v1::AnalyseResponse*) override;

  // ---- streams ----
  grpc::ServerBidiReactor<v1::TickRequest, v1::TickResponse>* Tick(grpc::CallbackServerContext*) override;
  grpc::Status Observe(grpc::ServerContext*, const v1::ObserveRequest*,
                       grpc::ServerWriter<v1::ObserveResponse>*) override;
  grpc::Status AcknowledgeFrames(grpc::ServerContext*, grpc::ServerReader<v1::FrameAcknowledgement>*,
                                 v1::AcknowledgeFramesResponse*) override;

  // ---- datagrams ----
  grpc::Status OpenDeviceLink(grpc::ServerContext*, const v1::OpenDeviceLinkRequest*, v1::DeviceLink*) override;
  grpc::Status CloseDeviceLink(grpc::ServerContext*, const v1::CloseDeviceLinkRequest*, v1::DeviceLink*) override;
  grpc::Status ListDeviceLinks(grpc::ServerContext*, const v1::ListDeviceLinksRequest*,
                               v1::ListDeviceLinksResponse*) override;

  // ---- server ----
  grpc::Status GetTimingReport(grpc::ServerContext*, const v1::GetTimingReportRequest*, v1::TimingReport*) override;
  grpc::Status GetServerInfo(grpc::ServerContext*, const v1::GetServerInfoRequest*, v1::ServerInfo*) override;
  grpc::Status ReportCommTest(grpc::ServerContext*, const v1::CommTestResult*, v1::ReportCommTestResponse*) override;

  // ---- recordings and snapshots ----
  grpc::Status StartRecording(grpc::ServerContext*, const v1::StartRecordingRequest*, v1::Recording*) override;
  grpc::Status StopRecording(grpc::ServerContext*, const v1::StopRecordingRequest*, v1::Recording*) override;
  grpc::Status ListRecordings(grpc::ServerContext*, const v1::ListRecordingsRequest*,
                              v1::ListRecordingsResponse*) override;
  grpc::Status DownloadRecording(grpc::ServerContext*, const v1::DownloadRecordingRequest*,
                                 grpc::ServerWriter<v1::RecordingChunk>*) override;
  grpc::Status SaveSnapshot(grpc::ServerContext*, const v1::SaveSnapshotRequest*, v1::SessionSnapshot*) override;
  grpc::Status RestoreSnapshot(grpc::ServerContext*, const v1::RestoreSnapshotRequest*, v1::Session*) override;

 private:
  /// @throws RequestError kDraining
  void requireOpen() const;

  /// The one entry of every call: lets the caller in by the rule of the RPC, runs `body` unless the server is draining,
  /// and writes the call into the audit log. What `body` throws becomes the status.
  /// @param rpc   name of the method in the service descriptor
  /// @param body  takes nothing, or the Visit
  template <class Request, class Body>
  grpc::Status answer(grpc::ServerContextBase& context, const char* rpc, const Request& request, Body&& body);

  /// Whether the caller may touch the session of the request, where the rule of the RPC limits that.
  template <class Request>
  void requireReach(const Visit& visit, const Request& request) const;

  /// The answer of `act`, serialized: one for each request id of an identity, which a repeated request gets again.
  template <class Request, class Act>
  std::string once(RequestLog<std::string>& log, const grpc::ServerContext& context, const Request& request,
                   const Visit& visit, Act&& act) const;

  /// A control call on a session: acts once for each request id and answers with the resulting session.
  /// @param act  takes the session, and the Visit if it wants
  template <class Request, class Act>
  grpc::Status control(grpc::ServerContext& context, const char* rpc, const Request& request, v1::Session& response,
                       Act&& act);

  const Config config_;
  const std::int64_t start_time_ns_;
  Door door_;
  ModelStore models_;
  SessionRegistry sessions_;
  HostChecks host_checks_;
  Recordings recordings_;
  DeviceLinks links_;
  Observers observers_;
  StreamSlots slots_;             ///< of Tick and Observe
  StreamSlots acknowledgements_;  ///< of AcknowledgeFrames
  StreamSlots downloads_;
  StreamSlots analyses_;
  RequestLog<std::string> creations_;
  std::atomic<bool> draining_{false};
};

}  // namespace tactus::server
