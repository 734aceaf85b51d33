#include "server/service/simulation_service.h"

#include "rt/loop/time_source.h"
#include "server/build_info.h"
#include "server/service/answer.h"
#include "server/session/session_timing.h"

#include <thread>

namespace tactus::server {

SimulationService::SimulationService(const Config& config)
    : config_(config),
      start_time_ns_(rt::wallClockNs()),
      door_(config.access),
      models_(config.limits),
      sessions_(config.limits.sessions, config.limits.session_bodies),
      recordings_(config.recordings_folder,
                  {.running = config.limits.recordings,
                   .most_bytes = config.limits.recording_bytes,
                   .disk_reserve = config.limits.disk_reserve},
                  [this](v1::RecordingSetup& setup) {
                    host_checks_.write(setup);
                    setup.set_insecure(isInsecure(config_));
                  }),
      links_(config.udp, config.limits.links),
      slots_(config.limits.streams),
      acknowledgements_(config.limits.streams),
      downloads_(config.limits.downloads),
      analyses_(config.limits.analyses) {}

void SimulationService::drain(const std::string& reason, std::chrono::nanoseconds timeout) {
  draining_ = true;
  sessions_.drain(reason);
  links_.closeAll(nullptr, reason);
  slots_.awaitNone(timeout);
}

void SimulationService::requireOpen() const {
  if (draining_) throw RequestError(Reason::kDraining, "", "the server is shutting down");
}

void SimulationService::writeTiming(const Session& session, v1::TimingReport& report) const {
  writeSessionTiming(session, report);
  const Recordings::Missing missing = recordings_.missingOf(session.spec().name);
  report.set_recorder_lost_ticks(missing.ticks);
  report.set_recorder_lost_signals(missing.signals);
}

grpc::Status SimulationService::GetTimingReport(grpc::ServerContext* context, const v1::GetTimingReportRequest* request,
                                                v1::TimingReport* response) {
  return answer(*context, "GetTimingReport", *request, [&](const Visit& visit) {
    if (request->reset()) visit.requireRole(Role::kControl, "GetTimingReport with reset");
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const SessionSpec& spec = session->spec();
    if (request->reset()) requireDriver(visit.peer(), spec.owner, spec.name);
    writeTiming(*session, *response);
    if (!request->reset()) return;
    session->resetTiming();
    visit.note(*request, grpc::Status::OK);
  });
}

grpc::Status SimulationService::GetServerInfo(grpc::ServerContext* context, const v1::GetServerInfoRequest* request,
                                              v1::ServerInfo* response) {
  return answer(*context, "GetServerInfo", *request, [&](const Visit& visit) {
    const BuildInfo& build = buildInfo();
    response->set_version(build.version);
    response->set_compiler(build.compiler);
    response->set_instruction_set(build.instruction_set);
    response->set_api("tactus.v1");
    response->set_start_time_ns(start_time_ns_);
    response->set_sessions(static_cast<std::uint32_t>(sessions_.size()));
    response->set_cores(std::thread::hardware_concurrency());
    response->set_insecure(isInsecure(config_));
    response->set_identity(visit.peer().name);
    response->set_role(toString(visit.peer().role));
    // Which machine and which source this is concerns those who may change something.
    if (visit.peer().role != Role::kObserve) {
      response->set_commit(build.commit);
      response->set_flags(build.flags);
      *response->mutable_host() = host_checks_.host();
    }
    if (const auto comm_test = host_checks_.commTest()) *response->mutable_comm_test() = *comm_test;
  });
}

grpc::Status SimulationService::ReportCommTest(grpc::ServerContext* context, const v1::CommTestResult* request,
                                               v1::ReportCommTestResponse*) {
  return answer(*context, "ReportCommTest", *request, [&] { host_checks_.addCommTest(*request); });
}

}  // namespace tactus::server
