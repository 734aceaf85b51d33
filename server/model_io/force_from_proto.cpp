// Force elements, roads and drives.
#include "server/model_io/field_reader.h"

namespace tactus::server {
namespace {

class ForceReader : private FieldReader {
 public:
  using FieldReader::FieldReader;

  /// A diagonal of 3 or 6 numbers, or a full matrix of 9 or 36. What has another count is left to the rules.
  static Eigen::MatrixXd matrix(const Numbers& in, int rows_if_empty) {
    const int n = in.size();
    if (n == 0) return Eigen::MatrixXd::Zero(rows_if_empty, rows_if_empty);
    if (n == 9 || n == 36) {
      const int rows = n == 9 ? 3 : 6;
      return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(in.data(), rows,
                                                                                                      rows);
    }
    if (n == 3 || n == 6) return Eigen::Map<const Eigen::VectorXd>(in.data(), n).asDiagonal();
    return Eigen::Map<const Eigen::VectorXd>(in.data(), n);
  }

  static std::vector<double> listOf(const Numbers& in) { return {in.begin(), in.end()}; }

  rt::SpringSide side(const std::string& path, v1::SpringSide in) {
    if (in == v1::SPRING_SIDE_PUSH) return rt::SpringSide::kPush;
    if (in == v1::SPRING_SIDE_PULL) return rt::SpringSide::kPull;
    if (in != v1::SPRING_SIDE_BOTH && in != v1::SPRING_SIDE_UNSPECIFIED)
      out_.error(path, std::to_string(static_cast<int>(in)),
                 "must be SPRING_SIDE_BOTH, SPRING_SIDE_PUSH or SPRING_SIDE_PULL");
    return rt::SpringSide::kBoth;
  }

  static rt::StopSpec stop(const v1::SpringStop& in) {
    rt::StopSpec out{in.position(), in.stiffness(), 1, in.damping()};
    if (in.has_exponent()) out.exponent = in.exponent();
    return out;
  }

  /// What both kinds of springs share beyond constants.
  template <typename Message>
  void springLaw(const std::string& path, const Message& in, rt::SpringLawSpec& out) {
    if (in.has_stiffness_curve())
      out.stiffness_curve = rt::CurveSpec{listOf(in.stiffness_curve().x()), listOf(in.stiffness_curve().y())};
    if (in.has_damping_curve())
      out.damping_curve = rt::CurveSpec{listOf(in.damping_curve().x()), listOf(in.damping_curve().y())};
    out.only = side(path + ".only", in.only());
    if (in.has_minimum_stop()) out.minimum_stop = stop(in.minimum_stop());
    if (in.has_maximum_stop()) out.maximum_stop = stop(in.maximum_stop());
  }

  void read(const std::string& path, const v1::Force& in, rt::ForceSpec& out) {
    out.name = in.name();
    out.description = in.description();
    switch (in.kind_case()) {
      case v1::Force::kTranslationalSpring: {
        auto& s = out.kind.emplace<rt::TranslationalSpringSpec>();
        const v1::TranslationalSpring& spring = in.translational_spring();
        ends(path + ".translational_spring", spring, s);
        s.stiffness = spring.stiffness();
        s.damping = spring.damping();
        if (spring.has_free_length()) s.free_length = spring.free_length();
        s.preload = spring.preload();
        springLaw(path + ".translational_spring", spring, s.law);
        return;
      }
      case v1::Force::kRotationalSpring: {
        const v1::RotationalSpring& s = in.rotational_spring();
        auto& spring = out.kind.emplace<rt::RotationalSpringSpec>();
        spring = {s.joint(), s.stiffness(), s.damping(), s.free_angle(), s.preload()};
        springLaw(path + ".rotational_spring", s, spring.law);
        return;
      }
      case v1::Force::kBushing: {
        auto& s = out.kind.emplace<rt::BushingSpec>();
        ends(path + ".bushing", in.bushing(), s);
        given(path + ".bushing.orientation", in.bushing().orientation(), s.orientation);
        s.stiffness = matrix(in.bushing().stiffness(), matrix(in.bushing().damping(), 3).cols() == 6 ? 6 : 3);
        s.damping = matrix(in.bushing().damping(), static_cast<int>(s.stiffness.rows()));
        return;
      }
      case v1::Force::kBodyDrag:
        out.kind = rt::BodyDragSpec{in.body_drag().body(), in.body_drag().linear(), in.body_drag().angular()};
        return;
      case v1::Force::kVerticalTyre: {
        auto& s = out.kind.emplace<rt::VerticalTyreSpec>();
        const v1::VerticalTyre& tyre = in.vertical_tyre();
        s.road = tyre.road();
        s.body = tyre.body();
        given(path + ".vertical_tyre.centre", tyre.centre(), s.centre);
        s.radius = tyre.radius();
        s.stiffness = tyre.stiffness();
        s.damping = tyre.damping();
        return;
      }
      case v1::Force::kAntiRollBar: {
        auto& s = out.kind.emplace<rt::AntiRollBarSpec>();
        const v1::AntiRollBar& bar = in.anti_roll_bar();
        s.joint_1 = bar.joint_1();
        s.joint_2 = bar.joint_2();
        s.stiffness = bar.stiffness();
        s.damping = bar.damping();
        if (bar.has_ratio()) s.ratio = bar.ratio();
        if (bar.has_free_twist()) s.free_twist = bar.free_twist();
        return;
      }
      case v1::Force::kAirLoad: {
        auto& s = out.kind.emplace<rt::AirLoadSpec>();
        const v1::AirLoad& air = in.air_load();
        s.body = air.body();
        given(path + ".air_load.point", air.point(), s.point);
        s.area = air.area();
        if (air.has_density()) s.density = air.density();
        s.drag = air.drag();
        s.lift = air.lift();
        given(path + ".air_load.up", air.up(), s.up);
        given(path + ".air_load.wind", air.wind(), s.wind);
        s.side = air.side();
        given(path + ".air_load.across", air.across(), s.across);
        return;
      }
      case v1::Force::kSlipTyre:
        return readSlipTyre(path + ".slip_tyre", in.slip_tyre(), out.kind.emplace<rt::SlipTyreSpec>(), out_);
      case v1::Force::kJointFriction: {
        const v1::JointFriction& s = in.joint_friction();
        out.kind = rt::JointFrictionSpec{s.joint(), s.limit(), s.elastic(), s.along_axis()};
        return;
      }
      case v1::Force::kBrake:
        out.kind = rt::BrakeSpec{in.brake().joint(), in.brake().torque(), in.brake().elastic()};
        return;
      case v1::Force::kPowertrain: return readPowertrain(in.powertrain(), out.kind.emplace<rt::PowertrainSpec>());
      case v1::Force::KIND_NOT_SET:
        return kindMissing(path,
                           "translational_spring, rotational_spring, bushing, body_drag, vertical_tyre, anti_roll_bar, "
                           "air_load, slip_tyre, "
                           "joint_friction, brake, powertrain");
    }
  }

  void read(const std::string& path, const v1::Road& in, rt::RoadSpec& out) {
    out.name = in.name();
    out.description = in.description();
    given(path + ".origin", in.origin(), out.origin);
    required(path + ".up", in.up(), out.up);
    required(path + ".along", in.along(), out.along);
    for (const v1::HalfCylinder& bump : in.half_cylinders())
      out.half_cylinders.push_back({bump.position(), bump.radius()});
    if (in.has_friction()) out.friction = in.friction();
    if (in.has_heights()) out.heights = readSurfaceGrid(path + ".heights", in.heights(), out_);
    if (in.has_frictions()) out.frictions = readSurfaceGrid(path + ".frictions", in.frictions(), out_);
  }

  void read(const std::string& path, const v1::Drive& in, rt::DriveSpec& out) {
    out.name = in.name();
    out.description = in.description();
    switch (in.target_case()) {
      case v1::Drive::kAngle: out.target = rt::DrivenAngleSpec{in.angle().joint()}; break;
      case v1::Drive::kDistance:
        ends(path + ".distance", in.distance(), out.target.emplace<rt::DrivenDistanceSpec>());
        break;
      case v1::Drive::kTravel: out.target = rt::DrivenTravelSpec{in.travel().joint()}; break;
      case v1::Drive::TARGET_NOT_SET:
        out_.error(path + ".target", "none", "must be given: one of angle, distance, travel");
        break;
    }
    switch (in.function_case()) {
      case v1::Drive::kPolynomial: out.function = rt::PolynomialSpec{listOf(in.polynomial().coefficients())}; return;
      case v1::Drive::kHarmonic: {
        const v1::Harmonic& h = in.harmonic();
        out.function = rt::HarmonicSpec{h.offset(), h.amplitude(), h.angular_frequency(), h.phase()};
        return;
      }
      case v1::Drive::kTable:
        out.function = rt::TableSpec{listOf(in.table().times()), listOf(in.table().values())};
        return;
      case v1::Drive::kInput: out.function = rt::InputFunctionSpec{}; return;
      case v1::Drive::FUNCTION_NOT_SET:
        out_.error(path + ".function", "none", "must be given: one of polynomial, harmonic, table, input");
        return;
    }
  }
};

}  // namespace

void readForce(const std::string& path, const v1::Force& in, rt::ForceSpec& spec, rt::FindingList& out) {
  ForceReader(out).read(path, in, spec);
}

void readRoad(const std::string& path, const v1::Road& in, rt::RoadSpec& spec, rt::FindingList& out) {
  ForceReader(out).read(path, in, spec);
}

void readDrive(const std::string& path, const v1::Drive& in, rt::DriveSpec& spec, rt::FindingList& out) {
  ForceReader(out).read(path, in, spec);
}

}  // namespace tactus::server
