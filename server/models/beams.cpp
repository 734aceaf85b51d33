#include "server/models/beams.h"

#include <string>

namespace tactus::server {
namespace {

using rt::Vector3d;

rt::ModelSpec beamAlongX(const char* name, double length, int elements, const rt::BeamSectionKinds& section,
                         rt::BeamMountKind mount) {
  rt::ModelSpec spec;
  spec.gravity = Vector3d(0, -9.81, 0);
  rt::BeamSpec beam;
  beam.points = {{Vector3d::Zero(), 0}, {length * Vector3d::UnitX(), 0}};
  beam.elements = elements;
  beam.across = Vector3d::UnitY();
  beam.stations = {{0, section}};
  beam.material = rt::BeamMaterialSpec{207e9, 0.3, 7800};
  beam.mounts = {{0, rt::kGroundName, mount, Vector3d::Zero()}};
  spec.composites = {{name, "", beam}};

  const double sixth = length / elements / 6;  // the axis ends so far beyond the center of mass of the last node
  for (const int axis : {0, 1}) {
    rt::SensorSpec sensor;
    sensor.name = axis == 0 ? "tip_x" : "tip_y";
    sensor.description = "Position of the free end.";
    sensor.kind = rt::PointMotionSpec{rt::PointQuantity::kPosition, std::string(name) + '.' + std::to_string(elements),
                                      sixth * Vector3d::UnitX(), Vector3d::Unit(axis), rt::Frame::kWorld};
    spec.sensors.push_back(sensor);
  }
  return spec;
}

}  // namespace

rt::ModelSpec makeCantilever(int elements) {
  rt::ModelSpec spec =
      beamAlongX("beam", 1, elements, rt::RectangleSectionSpec{0.016, 0.016}, rt::BeamMountKind::kRigid);
  spec.name = "cantilever_" + std::to_string(elements);
  spec.description = "A steel cantilever of " + std::to_string(elements) + " beam elements, let go under its weight.";
  return spec;
}

rt::ModelSpec makeBeamChain(int elements) {
  rt::ModelSpec spec =
      beamAlongX("wire", 0.1 * elements, elements, rt::CircleSectionSpec{0.004}, rt::BeamMountKind::kSpherical);
  spec.name = "beam_chain_" + std::to_string(elements);
  spec.description = "A steel wire of " + std::to_string(elements) +
                     " beam elements on a spherical joint, let go from the horizontal.";
  return spec;
}

}  // namespace tactus::server
