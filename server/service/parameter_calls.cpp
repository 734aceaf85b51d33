// The calls on parameters.
#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/service/answer.h"

#include <algorithm>

namespace tactus::server {

namespace {

void writeParameter(const rt::Parameter& parameter, v1::ParameterState& message) {
  message.set_name(parameter.name);
  message.set_description(parameter.description);
  message.set_unit(parameter.unit);
  if (parameter.minimum) message.set_minimum(*parameter.minimum);
  if (parameter.maximum) message.set_maximum(*parameter.maximum);
  message.set_value(parameter.value);
  for (const std::string& target : parameter.targets) message.add_targets(target);
}

v1::ParameterReport reportOf(const Session& session) {
  const ModelSwap::Tuning tuning = session.tuning();
  v1::ParameterReport report;
  for (const rt::Parameter& parameter : tuning.model->parameters) writeParameter(parameter, *report.add_parameters());
  report.set_first_tick(tuning.first_tick);
  return report;
}

}  // namespace

grpc::Status SimulationService::GetParameters(grpc::ServerContext* context, const v1::GetParametersRequest* request,
                                              v1::ParameterReport* response) {
  return answer(*context, "GetParameters", *request, [&] {
    const v1::ParameterReport report = reportOf(*sessions_.find(request->session()));
    if (request->names().empty()) {
      *response = report;
      return;
    }
    response->set_first_tick(report.first_tick());
    std::vector<std::string> known;
    for (const v1::ParameterState& parameter : report.parameters()) known.push_back(parameter.name());
    for (int i = 0; i < request->names_size(); ++i) {
      const auto found = std::find(known.begin(), known.end(), request->names(i));
      if (found == known.end()) {
        const std::string near = rt::nearestName(request->names(i), known);
        throw RequestError(Reason::kParameterUnknown, "names[" + std::to_string(i) + "]",
                           "the model has no parameter \"" + request->names(i) + '"',
                           near.empty() ? "without names all are listed" : "did you mean \"" + near + "\"?");
      }
      *response->add_parameters() = report.parameters(static_cast<int>(found - known.begin()));
    }
  });
}

grpc::Status SimulationService::SetParameters(grpc::ServerContext* context, const v1::SetParametersRequest* request,
                                              v1::ParameterReport* response) {
  return answer(*context, "SetParameters", *request, [&](const Visit& visit) {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    response->ParseFromString(once(session->requests(), *context, *request, visit, [&] {
      const std::int64_t first_tick = session->setParameters(readParameters(request->values()));
      v1::ParameterReport report = reportOf(*session);
      report.set_first_tick(first_tick);
      return report;
    }));
  });
}

}  // namespace tactus::server
