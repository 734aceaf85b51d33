#include "server/model_io/field_reader.h"

namespace tactus::server {
namespace {

class JointReader : private FieldReader {
 public:
  using FieldReader::FieldReader;

  void read(const std::string& path, const v1::Joint& in, rt::JointSpec& out) {
    out.name = in.name();
    out.description = in.description();
    out.body_1 = in.body_1();
    out.body_2 = in.body_2();
    switch (in.kind_case()) {
      case v1::Joint::kSpherical: {
        auto& s = out.kind.emplace<rt::SphericalSpec>();
        return points(path + ".spherical", in.spherical(), s.point_1, s.point_2);
      }
      case v1::Joint::kRevolute: {
        auto& s = out.kind.emplace<rt::RevoluteSpec>();
        s.initial_angle = in.revolute().initial_angle();
        return pointsAndAxes(path + ".revolute", in.revolute(), s);
      }
      case v1::Joint::kDistance: {
        auto& s = out.kind.emplace<rt::DistanceSpec>();
        if (in.distance().has_length()) s.length = in.distance().length();
        return points(path + ".distance", in.distance(), s.point_1, s.point_2);
      }
      case v1::Joint::kDot1: {
        auto& s = out.kind.emplace<rt::Dot1Spec>();
        required(path + ".dot1.axis_1", in.dot1().axis_1(), s.axis_1);
        return required(path + ".dot1.axis_2", in.dot1().axis_2(), s.axis_2);
      }
      case v1::Joint::kDot2: return axisAndPoints(path + ".dot2", in.dot2(), out.kind.emplace<rt::Dot2Spec>());
      case v1::Joint::kPoint: {
        auto& s = out.kind.emplace<rt::PointSpec>();
        return points(path + ".point", in.point(), s.point_1, s.point_2);
      }
      case v1::Joint::kUniversal:
        return pointsAndAxes(path + ".universal", in.universal(), out.kind.emplace<rt::UniversalSpec>());
      case v1::Joint::kCylindrical: {
        auto& s = out.kind.emplace<rt::CylindricalSpec>();
        s.initial_angle = in.cylindrical().initial_angle();
        return pointsAndAxes(path + ".cylindrical", in.cylindrical(), s);
      }
      case v1::Joint::kPrismatic:
        return pointsAndAxes(path + ".prismatic", in.prismatic(), out.kind.emplace<rt::PrismaticSpec>());
      case v1::Joint::kPlanar: {
        auto& s = out.kind.emplace<rt::PlanarSpec>();
        s.initial_angle = in.planar().initial_angle();
        return pointsAndAxes(path + ".planar", in.planar(), s);
      }
      case v1::Joint::kWeld: {
        auto& s = out.kind.emplace<rt::WeldSpec>();
        return points(path + ".weld", in.weld(), s.point_1, s.point_2);
      }
      case v1::Joint::kPointOnLine:
        return axisAndPoints(path + ".point_on_line", in.point_on_line(), out.kind.emplace<rt::PointOnLineSpec>());
      case v1::Joint::kPointOnPlane:
        return axisAndPoints(path + ".point_on_plane", in.point_on_plane(), out.kind.emplace<rt::PointOnPlaneSpec>());
      case v1::Joint::kGear: {
        auto& s = out.kind.emplace<rt::GearSpec>();
        s.radius_1 = in.gear().radius_1();
        s.radius_2 = in.gear().radius_2();
        s.internal = in.gear().internal();
        return axisAndPoints(path + ".gear", in.gear(), s);
      }
      case v1::Joint::kRackAndPinion: {
        auto& s = out.kind.emplace<rt::RackAndPinionSpec>();
        s.radius = in.rack_and_pinion().radius();
        required(path + ".rack_and_pinion.direction_1", in.rack_and_pinion().direction_1(), s.direction_1);
        return axisAndPoints(path + ".rack_and_pinion", in.rack_and_pinion(), s);
      }
      case v1::Joint::kScrew: {
        auto& s = out.kind.emplace<rt::ScrewSpec>();
        s.pitch = in.screw().pitch();
        return pointsAndAxes(path + ".screw", in.screw(), s);
      }
      case v1::Joint::kCoupler: {
        auto& s = out.kind.emplace<rt::CouplerSpec>();
        for (const v1::CoupledCoordinate& c : in.coupler().coordinates())
          s.coordinates.push_back({c.joint(), c.ratio(), c.along_axis()});
        return;
      }
      case v1::Joint::KIND_NOT_SET:
        return kindMissing(path,
                           "spherical, revolute, distance, dot1, dot2, point, universal, cylindrical, prismatic, "
                           "planar, weld, point_on_line, point_on_plane, gear, rack_and_pinion, screw, coupler");
    }
  }
};

}  // namespace

void readJoint(const std::string& path, const v1::Joint& in, rt::JointSpec& spec, rt::FindingList& out) {
  JointReader(out).read(path, in, spec);
}

}  // namespace tactus::server
