// Joints of a description into messages.
#include "server/model_io/field_writer.h"

namespace tactus::server {
namespace {

/// One overload for each kind of joint.
struct JointKindWriter {
  v1::Joint& out;

  void operator()(const rt::SphericalSpec& s) const { writePoints(s, *out.mutable_spherical()); }
  void operator()(const rt::PointSpec& s) const { writePoints(s, *out.mutable_point()); }
  void operator()(const rt::RevoluteSpec& s) const {
    writePointsAndAxes(s, *out.mutable_revolute());
    out.mutable_revolute()->set_initial_angle(s.initial_angle);
  }
  void operator()(const rt::DistanceSpec& s) const {
    writePoints(s, *out.mutable_distance());
    if (s.length) out.mutable_distance()->set_length(*s.length);
  }
  void operator()(const rt::Dot1Spec& s) const {
    write(s.axis_1, out.mutable_dot1()->mutable_axis_1());
    write(s.axis_2, out.mutable_dot1()->mutable_axis_2());
  }
  void operator()(const rt::Dot2Spec& s) const { writeAxisAndPoints(s, *out.mutable_dot2()); }
  void operator()(const rt::UniversalSpec& s) const { writePointsAndAxes(s, *out.mutable_universal()); }
  void operator()(const rt::CylindricalSpec& s) const {
    writePointsAndAxes(s, *out.mutable_cylindrical());
    out.mutable_cylindrical()->set_initial_angle(s.initial_angle);
  }
  void operator()(const rt::PrismaticSpec& s) const { writePointsAndAxes(s, *out.mutable_prismatic()); }
  void operator()(const rt::PlanarSpec& s) const {
    writePointsAndAxes(s, *out.mutable_planar());
    out.mutable_planar()->set_initial_angle(s.initial_angle);
  }
  void operator()(const rt::WeldSpec& s) const { writePoints(s, *out.mutable_weld()); }
  void operator()(const rt::PointOnLineSpec& s) const { writeAxisAndPoints(s, *out.mutable_point_on_line()); }
  void operator()(const rt::GearSpec& s) const {
    v1::Gear& gear = *out.mutable_gear();
    writeAxisAndPoints(s, gear);
    gear.set_radius_1(s.radius_1);
    gear.set_radius_2(s.radius_2);
    gear.set_internal(s.internal);
  }
  void operator()(const rt::RackAndPinionSpec& s) const {
    v1::RackAndPinion& rack = *out.mutable_rack_and_pinion();
    writeAxisAndPoints(s, rack);
    write(s.direction_1, rack.mutable_direction_1());
    rack.set_radius(s.radius);
  }
  void operator()(const rt::ScrewSpec& s) const {
    writePointsAndAxes(s, *out.mutable_screw());
    out.mutable_screw()->set_pitch(s.pitch);
  }
  void operator()(const rt::CouplerSpec& s) const {
    for (const rt::CoupledCoordinateSpec& c : s.coordinates) {
      v1::CoupledCoordinate& coordinate = *out.mutable_coupler()->add_coordinates();
      coordinate.set_joint(c.joint);
      coordinate.set_ratio(c.ratio);
      coordinate.set_along_axis(c.along_axis);
    }
  }
  void operator()(const rt::PointOnPlaneSpec& s) const { writeAxisAndPoints(s, *out.mutable_point_on_plane()); }
};

}  // namespace

void write(const rt::JointSpec& in, v1::Joint& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  out.set_body_1(in.body_1);
  out.set_body_2(in.body_2);
  std::visit(JointKindWriter{out}, in.kind);
}

}  // namespace tactus::server
