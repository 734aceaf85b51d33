#include "server/cli/run_report.h"

#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "rt/model/model.h"
#include "rt/state/state.h"
#include "server/build_info.h"
#include "server/model_io/tuned_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <optional>
#include <utility>

namespace tactus::server {
namespace {

/// Damping of the beam elements of a model over their stiffness, s: lowest and highest; none without beams.
std::optional<std::pair<double, double>> beamDamping(const rt::Model& model) {
  std::optional<std::pair<double, double>> range;
  for (const rt::Joint& joint : model.joints) {
    if (joint.kind != rt::JointKind{rt::BeamElementSpec::kNumber}) continue;
    const rt::CompliantLaw& law = model.compliant_laws[static_cast<std::size_t>(joint.law_index)];
    const double time = law.C(0, 0) / law.K(0, 0);
    range = {std::min(range ? range->first : time, time), std::max(range ? range->second : time, time)};
  }
  return range;
}

/// What damps the vibrations of beams: a stiffness-proportional time, and the ratio that it gives.
std::string beamDampingLine(const rt::Model& model) {
  const auto range = beamDamping(model);
  if (!range) return "";
  const auto [low, high] = *range;
  if (high == 0) return text::reportLine("beam damping", "none");
  const std::string times = low < high ? fmt::format("{:.3g} to {:.3g}", low, high) : fmt::format("{:.3g}", high);
  return text::reportLine("beam damping", "{} s times the stiffness, at most a ratio of {:.3g} at 1000 rad/s", times,
                          0.5 * high * 1000);
}

std::string textOf(const RunReport& report) {
  const rt::Model& model = report.model;
  const RunFigures& f = report.figures;
  std::string text = text::reportLine(
      "model", "{}: {}, {}, {}", model.name, text::counted(model.bodyCount(), "body", "bodies"),
      text::counted(model.declared_joints, "joint", "joints"), text::counted(model.rows, "row", "rows"));
  text += text::reportLine("integrator", "{}", report.method);
  if (report.assembly.position_correction > 0 || report.assembly.velocity_correction > 0)
    text += text::reportLine("assembled", "moved by {:.3g} m or rad, velocities by {:.3g} m/s or rad/s",
                             report.assembly.position_correction, report.assembly.velocity_correction);
  text += beamDampingLine(model) + report.steps;
  text += text::reportLine("energy", "{:.10g} J at the start, largest drift {:.3g} J", f.energy_start, f.energy_drift);
  text += text::reportLine("worst constraints", "position {:.3g}, velocity {:.3g}, acceleration {:.3g}",
                           f.position_violation, f.velocity_violation, f.acceleration_violation);
  text += report.notes;
  if (!report.out.empty()) text += text::reportLine("written", "{}", report.out);
  return text + fmt::format("state hash: {}\n", rt::formatHash(report.state_hash));
}

nlohmann::ordered_json jsonOf(const RunReport& report) {
  const BuildInfo& build = buildInfo();
  nlohmann::ordered_json json = report.members;
  json["parameters"] = nlohmann::ordered_json::object();
  for (const ParameterValue& parameter : parametersOf(report.model))
    json["parameters"][parameter.name] = parameter.value;
  if (const auto damping = beamDamping(report.model)) json["beam_damping_time"] = {damping->first, damping->second};
  json["out"] = report.out;
  json["state_hash"] = rt::formatHash(report.state_hash);
  json["energy_start"] = report.figures.energy_start;
  json["energy_end"] = report.figures.energy_end;
  json["energy_drift"] = report.figures.energy_drift;
  json["constraint_position"] = report.figures.position_violation;
  json["constraint_velocity"] = report.figures.velocity_violation;
  json["constraint_acceleration"] = report.figures.acceleration_violation;
  json["position_correction"] = report.assembly.position_correction;
  json["velocity_correction"] = report.assembly.velocity_correction;
  json["build"] = {{"version", build.version},
                   {"commit", build.commit},
                   {"compiler", build.compiler},
                   {"flags", build.flags},
                   {"instruction_set", build.instruction_set}};
  return json;
}

}  // namespace

void printRun(const RunReport& report, bool as_json) {
  std::cout << (as_json ? text::jsonText(jsonOf(report)) : textOf(report));
}

std::string wallTimeLine(double wall_seconds, double steps, double simulated_seconds) {
  return text::reportLine("wall time", "{:.6g} s, {:.4g} us per step, {:.4g} times real time", wall_seconds,
                          1e6 * wall_seconds / steps, simulated_seconds / wall_seconds);
}

void RunProgress::at(double t) {
  const auto now = std::chrono::steady_clock::now();
  if (now - reported_ < std::chrono::seconds(2)) return;
  reported_ = now;
  std::cerr << fmt::format("tactus run: t = {:.4g} s of {:.4g} s\n", t, until_);
}

}  // namespace tactus::server
