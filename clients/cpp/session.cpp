#include "clients/cpp/session.h"

#include "clients/cpp/notice.h"

namespace tactus::client {
namespace {

using Stub = Connection::Stub;

// Calls that change a session differ only in their request.
template <class Request>
Request stateRequest(const std::string& session, std::string request_id) {
  Request request;
  request.set_session(session);
  request.set_request_id(request_id.empty() ? newRequestId() : std::move(request_id));
  return request;
}

}  // namespace

Session::Session(std::shared_ptr<const Connection> connection, const v1::Session& created, Ownership ownership)
    : connection_(std::move(connection)),
      name_(created.name()),
      inputs_(created.inputs().begin(), created.inputs().end()),
      ownership_(ownership) {}

Session::~Session() {
  if (!connection_ || ownership_ == Ownership::kLeave) return;
  // An error means that the server has ended or that the session is deleted already.
  try {
    remove();
  } catch (const ClientError&) {}
}

Session::Session(Session&& other) noexcept
    : connection_(std::move(other.connection_)),
      name_(std::move(other.name_)),
      inputs_(std::move(other.inputs_)),
      ownership_(std::exchange(other.ownership_, Ownership::kLeave)) {}

Session& Session::operator=(Session&& other) noexcept {
  std::swap(connection_, other.connection_);
  std::swap(name_, other.name_);
  std::swap(inputs_, other.inputs_);
  std::swap(ownership_, other.ownership_);
  return *this;
}

v1::Session Session::status() const {
  v1::GetSessionRequest request;
  request.set_session(name_);
  return connection_->call(&Stub::GetSession, request);
}

v1::Session Session::start(std::string request_id) const {
  const v1::Session started =
      connection_->call(&Stub::StartSession, stateRequest<v1::StartSessionRequest>(name_, std::move(request_id)));
  for (const v1::RealtimeGrant& grant : started.realtime_grants())
    if (grant.asked().rfind("SCHED_", 0) == 0 && !grant.granted())
      warn("session " + name_ + " runs at best effort: " + grant.asked() + ": " + grant.outcome());
  return started;
}

v1::Session Session::pause(std::string request_id) const {
  return connection_->call(&Stub::PauseSession, stateRequest<v1::PauseSessionRequest>(name_, std::move(request_id)));
}

v1::Session Session::reset(std::string request_id) const {
  return connection_->call(&Stub::ResetSession, stateRequest<v1::ResetSessionRequest>(name_, std::move(request_id)));
}

v1::Session Session::enterSafeState(std::string request_id) const {
  return connection_->call(&Stub::EnterSafeState,
                           stateRequest<v1::EnterSafeStateRequest>(name_, std::move(request_id)));
}

v1::Session Session::clearSafeState(std::string request_id) const {
  return connection_->call(&Stub::ClearSafeState,
                           stateRequest<v1::ClearSafeStateRequest>(name_, std::move(request_id)));
}

v1::Session Session::step(std::int64_t ticks, std::string request_id, std::chrono::milliseconds deadline) const {
  auto request = stateRequest<v1::StepSessionRequest>(name_, std::move(request_id));
  request.set_ticks(ticks);
  return connection_->call(&Stub::StepSession, request, deadline);
}

void Session::remove() {
  v1::DeleteSessionRequest request;
  request.set_session(name_);
  ownership_ = Ownership::kLeave;
  connection_->call(&Stub::DeleteSession, request);
}

std::vector<v1::Signal> Session::signals(const std::vector<std::string>& patterns) const {
  v1::ListSignalsRequest request;
  request.set_session(name_);
  request.mutable_patterns()->Assign(patterns.begin(), patterns.end());
  const auto response = connection_->call(&Stub::ListSignals, request);
  return {response.signals().begin(), response.signals().end()};
}

Frame Session::read(const std::vector<std::string>& patterns) const {
  v1::ReadSignalsRequest request;
  request.set_session(name_);
  request.mutable_patterns()->Assign(patterns.begin(), patterns.end());
  auto response = connection_->call(&Stub::ReadSignals, request);
  Frame frame;
  frame.take(*response.mutable_frame(), std::make_shared<const Layout>(response.layout()));
  return frame;
}

v1::QueryRoadResponse Session::road(const std::vector<double>& points, const std::string& road) const {
  v1::QueryRoadRequest request;
  request.set_session(name_);
  request.set_road(road);
  request.mutable_points()->Assign(points.begin(), points.end());
  return connection_->call(&Stub::QueryRoad, request);
}

v1::AnalyseResponse Session::analyse(v1::AnalyseRequest request, std::chrono::milliseconds deadline) const {
  request.set_session(name_);
  return connection_->call(&Stub::Analyse, request, deadline);
}

v1::TimingReport Session::timing(bool reset) const {
  v1::GetTimingReportRequest request;
  request.set_session(name_);
  request.set_reset(reset);
  return connection_->call(&Stub::GetTimingReport, request);
}

v1::ParameterReport Session::parameters(const std::vector<std::string>& names) const {
  v1::GetParametersRequest request;
  request.set_session(name_);
  request.mutable_names()->Assign(names.begin(), names.end());
  return connection_->call(&Stub::GetParameters, request);
}

v1::ParameterReport Session::setParameters(const std::map<std::string, double>& values, std::string request_id) const {
  auto request = stateRequest<v1::SetParametersRequest>(name_, std::move(request_id));
  for (const auto& [name, value] : values) {
    v1::ParameterValue& element = *request.add_values();
    element.set_name(name);
    element.set_value(value);
  }
  return connection_->call(&Stub::SetParameters, request);
}

v1::Recording Session::record(const std::vector<std::string>& signals, const std::string& name, std::uint32_t every,
                              bool scene) const {
  auto request = stateRequest<v1::StartRecordingRequest>(name_, {});
  request.set_name(name);
  request.mutable_signals()->Assign(signals.begin(), signals.end());
  request.set_signals_every(every);
  request.set_scene(scene);
  return connection_->call(&Stub::StartRecording, request);
}

v1::SessionSnapshot Session::saveSnapshot() const {
  v1::SaveSnapshotRequest request;
  request.set_session(name_);
  return connection_->call(&Stub::SaveSnapshot, request);
}

v1::Session Session::restoreSnapshot(const v1::SessionSnapshot& snapshot, bool force, std::string request_id) const {
  auto request = stateRequest<v1::RestoreSnapshotRequest>(name_, std::move(request_id));
  *request.mutable_snapshot() = snapshot;
  request.set_force(force);
  return connection_->call(&Stub::RestoreSnapshot, request);
}

v1::DeviceLink Session::openLink(v1::OpenDeviceLinkRequest request) const {
  request.set_session(name_);
  v1::DeviceLink link = connection_->call(&Stub::OpenDeviceLink, request);
  link.set_address(reachableAddress(link.address(), connection_->address()));
  return link;
}

TickStream Session::tick(const TickOptions& options) const {
  return TickStream(*connection_, name_, inputs_, options);
}

Observation Session::observe(const ObserveOptions& options) const {
  return Observation(*connection_, name_, options);
}

}  // namespace tactus::client
