#include "server/cli/validation_json.h"

#include <cmath>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const ValidationRow& row) {
  // No figure of a run that failed may look like a good one.
  const auto figure = [&](double value) { return row.failure.empty() ? Json(value) : Json(); };
  return {{"method", row.method},
          {"step_ns", row.step_ns},
          {"share", figure(row.share)},
          {"worst", row.failure.empty() ? row.worst : ""},
          {"position_error", figure(row.position_error)},
          {"rotation_error", figure(row.rotation_error)},
          {"velocity_error", figure(row.velocity_error)},
          {"order", figure(row.order)},
          {"energy_drift", figure(row.energy_drift)},
          {"constraint_position", figure(row.worst_position)},
          {"constraint_velocity", figure(row.worst_velocity)},
          {"constraint_acceleration", figure(row.worst_acceleration)},
          {"iterations_a_step", row.iterations_a_step},
          {"steps", row.steps},
          {"reached", row.reached},
          {"wall_time", row.wall_seconds},
          {"failure", row.failure}};
}

Json toJson(const Growth& growth) {
  return {{"known", growth.known},
          {"exponential", growth.exponential},
          {"rate", growth.rate},
          {"extrapolated", growth.extrapolated},
          {"reaches_limit_at", growth.reaches_one_at}};
}

}  // namespace

nlohmann::ordered_json toJson(const ValidationReport& report) {
  Json rows = Json::array(), signals = Json::array(), judged = Json::array(), references = Json::array();
  for (const ValidationRow& row : report.rows) rows.push_back(toJson(row));
  for (const SignalError& e : report.signals) {
    Json errors = Json::object();
    for (std::size_t i = 0; i < e.errors.size(); ++i)
      errors[report.compared[i]] = std::isnan(e.errors[i]) ? Json() : Json(e.errors[i]);
    signals.push_back({{"name", e.name}, {"unit", e.unit}, {"size", e.size}, {"errors", errors}});
  }
  for (const JudgedError& e : report.judged)
    judged.push_back({{"name", e.name},
                      {"kind", toString(e.kind)},
                      {"unit", e.unit},
                      {"error", e.error},
                      {"allowed", e.limit},
                      {"share", e.share()},
                      {"scale", e.scale},
                      {"uncertainty", e.uncertainty},
                      {"at", e.at},
                      {"unjudged", e.unjudged}});
  for (const ReferenceFigures& r : report.references)
    references.push_back({{"text", r.text},
                          {"covered", r.covered},
                          {"steps", r.steps},
                          {"wall_time", r.wall_seconds},
                          {"failure", r.failure}});
  Json shares = Json::object();
  for (std::size_t k = 0; k < report.share_over_time.size(); ++k)
    shares[toString(static_cast<Kind>(k))] = report.share_over_time[k];
  return {{"trusted", report.trusted},
          {"partly", report.partly},
          {"deciding", report.deciding},
          {"reasons", report.reasons},
          {"reference", report.reference},
          {"references", references},
          {"reference_error", report.reference_error},
          {"covered", report.covered},
          {"confirmed", report.confirmed},
          {"until", report.until},
          {"wanted", report.wanted},
          {"tolerances", report.tolerances.text()},
          {"rows", rows},
          {"judged", judged},
          {"growth", {{"errors", toJson(report.error_growth)}, {"energy", toJson(report.energy_growth)}}},
          {"signals", signals},
          {"t", report.t},
          {"shares", shares},
          {"position_error", report.position_error},
          {"energy_drift", report.energy_drift},
          {"spectrum",
           {{"frequency", report.spectrum.frequency},
            {"amplitude", report.spectrum.amplitude},
            {"dominant", report.spectrum.dominant},
            {"fast_share", report.spectrum.fast_share}}},
          {"wall_time", report.wall_seconds},
          {"interrupted", report.interrupted}};
}

}  // namespace tactus::server
