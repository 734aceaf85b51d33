#include "server/cli/run_text.h"

#include "server/build_info.h"

#include <cstdio>

namespace tactus::server {

void printRunHead(const rt::Model& model, const std::string& integrator, const rt::AssemblyResult& assembly) {
  std::printf("model               %s: %d bodies, %d joints, %d rows\n", model.name.c_str(), model.bodyCount(),
              model.jointCount(), model.rows);
  std::printf("integrator          %s\n", integrator.c_str());
  if (assembly.position_correction > 0 || assembly.velocity_correction > 0)
    std::printf("assembled           moved by %.3g m or rad, velocities by %.3g m/s or rad/s\n",
                assembly.position_correction, assembly.velocity_correction);
}

void printRunFigures(const RunFigures& figures) {
  std::printf("energy              %.10g J at the start, largest drift %.3g J\n", figures.energy_start,
              figures.energy_drift);
  std::printf("worst constraints   position %.3g, velocity %.3g, acceleration %.3g\n", figures.position_violation,
              figures.velocity_violation, figures.acceleration_violation);
}

void addRunFigures(const RunFigures& figures, nlohmann::ordered_json& json) {
  json["energy_start"] = figures.energy_start;
  json["energy_end"] = figures.energy_end;
  json["energy_drift"] = figures.energy_drift;
  json["constraint_position"] = figures.position_violation;
  json["constraint_velocity"] = figures.velocity_violation;
  json["constraint_acceleration"] = figures.acceleration_violation;
  json["position_correction"] = figures.assembly.position_correction;
  json["velocity_correction"] = figures.assembly.velocity_correction;
  json["build"] = {{"version", buildInfo().version},
                   {"commit", buildInfo().commit},
                   {"compiler", buildInfo().compiler},
                   {"flags", buildInfo().flags},
                   {"instruction_set", buildInfo().instruction_set}};
}

void RunProgress::at(double t) {
  const auto now = std::chrono::steady_clock::now();
  if (now - said_ < std::chrono::seconds(2)) return;
  said_ = now;
  std::fprintf(stderr, "tactus run: t = %.4g s of %.4g s\n", t, until_);
}

}  // namespace tactus::server
