#include "tests/support/beams.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace tactus::tests {

using rt::Vector3d;

rt::ModelSpec clampedBeam(const std::vector<Vector3d>& points, int elements, const rt::BeamSectionKinds& section) {
  rt::ModelSpec spec;
  spec.name = "clamped_beam";
  spec.gravity = Vector3d::Zero();
  rt::BeamSpec beam;
  for (const Vector3d& point : points) beam.points.push_back({point, 0});
  beam.elements = elements;
  beam.across = Vector3d::UnitZ();
  beam.stations = {{0, section}};
  beam.mounts = {{0, rt::kGroundName}};
  spec.composites = {{"beam", "", beam}};
  return spec;
}

rt::GeneralSectionSpec sectionOf(double EA, double GA, double GJ, double EI, double mass, double rho_I) {
  rt::GeneralSectionSpec section;
  section.stiffness = Eigen::MatrixXd::Zero(6, 6);
  section.stiffness.diagonal() << EA, GA, GA, GJ, EI, EI;
  section.mass = mass;
  section.inertia = {2 * rho_I, rho_I, rho_I};
  return section;
}

rt::ModelSpec meshedFourBar(rt::ModelSpec spec, const std::array<int, 3>& elements) {
  struct Ends {
    std::string last, new_last;
    double finer;
  };
  std::map<std::string, Ends> ends;  // of a bar, by its name
  for (std::size_t k = 0; k < elements.size(); ++k) {
    rt::CompositeSpec& bar = spec.composites[k];
    auto& beam = std::get<rt::BeamSpec>(bar.kind);
    const int before = std::exchange(beam.elements, elements[k]);
    for (rt::BeamMountSpec& mount : beam.mounts)
      if (mount.node == before) mount.node = elements[k];
    ends[bar.name] = {bar.name + '.' + std::to_string(before), bar.name + '.' + std::to_string(elements[k]),
                      static_cast<double>(elements[k]) / before};
  }
  // Hinges lie a sixth of an element beyond the mass centers of the end nodes.
  const auto moved = [&ends](std::string& body, Vector3d& point) {
    const auto found = ends.find(body.substr(0, body.find('.')));
    if (found == ends.end()) return;
    point /= found->second.finer;
    if (body == found->second.last) body = found->second.new_last;
  };
  for (rt::JointSpec& joint : spec.joints) {
    auto& hinge = std::get<rt::RevoluteSpec>(joint.kind);
    moved(joint.body_1, hinge.point_1);
    moved(joint.body_2, hinge.point_2);
  }
  return spec;
}

}  // namespace tactus::tests
