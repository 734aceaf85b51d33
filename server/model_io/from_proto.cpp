#include "server/model_io/from_proto.h"

#include "rt/model/finding_list.h"

#include <algorithm>
#include <limits>
#include <string>

namespace tactus::server {
namespace {

using Numbers = google::protobuf::RepeatedField<double>;

std::string written(const Numbers& list) {
  constexpr int kMostShown = 6;
  std::string text = "[";
  for (int i = 0; i < std::min(list.size(), kMostShown); ++i) text += (i == 0 ? "" : ", ") + rt::printed(list[i]);
  return text + (list.size() > kMostShown ? ", ...]" : "]");
}

class Translator {
 public:
  explicit Translator(rt::ModelSpec& spec) : spec_(spec) {}

  void model(const v1::Model& m) {
    spec_.name = m.name();
    spec_.description = m.description();
    if (!m.gravity().empty()) {
      spec_.gravity = rt::Vector3d(rt::Vector3d::Zero());
      given("gravity", m.gravity(), *spec_.gravity);
    }
    each("bodies", m.bodies(), spec_.bodies);
    each("joints", m.joints(), spec_.joints);
    each("forces", m.forces(), spec_.forces);
    each("drives", m.drives(), spec_.drives);
    each("actuators", m.actuators(), spec_.actuators);
    each("sensors", m.sensors(), spec_.sensors);
    each("initial_conditions", m.initial_conditions(), spec_.initial_conditions);
    if (m.assembly().has_position()) spec_.assembly.position = m.assembly().position();
    if (m.assembly().has_velocity()) spec_.assembly.velocity = m.assembly().velocity();
    solver(m.solver());
  }

  std::vector<rt::Finding> takeFindings() { return out_.take(); }

 private:
  template <typename List, typename Specs>
  void each(const std::string& list, const List& in, Specs& out) {
    out.resize(static_cast<std::size_t>(in.size()));
    for (std::size_t i = 0; i < out.size(); ++i) read(rt::element(list.c_str(), i), in[static_cast<int>(i)], out[i]);
  }

  // ---- vectors ----

  /// A list that may be left out: `out` then keeps its default.
  template <typename Vector>
  bool given(const std::string& path, const Numbers& in, Vector& out) {
    if (in.empty()) return false;
    constexpr int kSize = Vector::RowsAtCompileTime;
    if (in.size() == kSize) {
      std::copy(in.begin(), in.end(), out.data());
      return true;
    }
    out_.error(path, written(in), kSize == 3 ? "must be a list of three numbers" : "must be a list of four numbers");
    return false;
  }

  template <typename Vector>
  void given(const std::string& path, const Numbers& in, std::optional<Vector>& out) {
    Vector value;
    if (given(path, in, value)) out = value;
  }

  void required(const std::string& path, const Numbers& in, rt::Vector3d& out) {
    if (in.empty()) out_.error(path, "none", "must be given: a list of three numbers");
    given(path, in, out);
  }

  // ---- elements ----

  void read(const std::string& path, const v1::Body& in, rt::BodySpec& out) {
    out.name = in.name();
    out.description = in.description();
    out.mass = in.mass();
    if (!in.has_inertia()) out_.error(path + ".inertia", "none", "must be given", "for example {xx: 1, yy: 1, zz: 1}");
    const v1::Inertia& j = in.inertia();
    out.inertia << j.xx(), j.xy(), j.xz(), j.xy(), j.yy(), j.yz(), j.xz(), j.yz(), j.zz();
    given(path + ".position", in.position(), out.position);
    given(path + ".orientation", in.orientation(), out.orientation);
    given(path + ".velocity", in.velocity(), out.velocity);
    given(path + ".angular_velocity", in.angular_velocity(), out.angular_velocity);
  }

  void kindMissing(const std::string& path, const char* kinds) {
    out_.error(path + ".kind", "none", std::string("must be given: one of ") + kinds);
  }

  template <typename Message>
  void points(const std::string& path, const Message& in, rt::Vector3d& point_1, rt::Vector3d& point_2) {
    required(path + ".point_1", in.point_1(), point_1);
    required(path + ".point_2", in.point_2(), point_2);
  }

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
        points(path + ".revolute", in.revolute(), s.point_1, s.point_2);
        required(path + ".revolute.axis_1", in.revolute().axis_1(), s.axis_1);
        required(path + ".revolute.axis_2", in.revolute().axis_2(), s.axis_2);
        s.initial_angle = in.revolute().initial_angle();
        return;
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
      case v1::Joint::kDot2: {
        auto& s = out.kind.emplace<rt::Dot2Spec>();
        required(path + ".dot2.axis_1", in.dot2().axis_1(), s.axis_1);
        return points(path + ".dot2", in.dot2(), s.point_1, s.point_2);
      }
      case v1::Joint::kPoint: {
        auto& s = out.kind.emplace<rt::PointSpec>();
        return points(path + ".point", in.point(), s.point_1, s.point_2);
      }
      case v1::Joint::KIND_NOT_SET: return kindMissing(path, "spherical, revolute, distance, dot1, dot2, point");
    }
  }

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

  template <typename Message, typename Spec>
  void ends(const std::string& path, const Message& in, Spec& out) {
    out.body_1 = in.body_1();
    out.body_2 = in.body_2();
    points(path, in, out.point_1, out.point_2);
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
        return;
      }
      case v1::Force::kRotationalSpring: {
        const v1::RotationalSpring& s = in.rotational_spring();
        out.kind = rt::RotationalSpringSpec{s.joint(), s.stiffness(), s.damping(), s.free_angle(), s.preload()};
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
      case v1::Force::KIND_NOT_SET:
        return kindMissing(path, "translational_spring, rotational_spring, bushing, body_drag");
    }
  }

  static std::vector<double> listOf(const Numbers& in) { return {in.begin(), in.end()}; }

  void read(const std::string& path, const v1::Drive& in, rt::DriveSpec& out) {
    out.name = in.name();
    out.description = in.description();
    switch (in.target_case()) {
      case v1::Drive::kAngle: out.target = rt::DrivenAngleSpec{in.angle().joint()}; break;
      case v1::Drive::kDistance:
        ends(path + ".distance", in.distance(), out.target.emplace<rt::DrivenDistanceSpec>());
        break;
      case v1::Drive::TARGET_NOT_SET:
        out_.error(path + ".target", "none", "must be given: one of angle, distance");
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

  rt::DriveQuantity quantity(const std::string& path, v1::DriveQuantity in) {
    if (in == v1::DRIVE_QUANTITY_RATE) return rt::DriveQuantity::kRate;
    if (in == v1::DRIVE_QUANTITY_ACCELERATION) return rt::DriveQuantity::kAcceleration;
    if (in != v1::DRIVE_QUANTITY_VALUE && in != v1::DRIVE_QUANTITY_UNSPECIFIED)
      out_.error(path, std::to_string(static_cast<int>(in)),
                 "must be DRIVE_QUANTITY_VALUE, DRIVE_QUANTITY_RATE or DRIVE_QUANTITY_ACCELERATION");
    return rt::DriveQuantity::kValue;
  }

  rt::Frame frame(const std::string& path, v1::Frame in) {
    if (in == v1::FRAME_BODY) return rt::Frame::kBody;
    if (in != v1::FRAME_WORLD && in != v1::FRAME_UNSPECIFIED)
      out_.error(path, std::to_string(static_cast<int>(in)), "must be FRAME_WORLD or FRAME_BODY");
    return rt::Frame::kWorld;
  }

  /// Members that loads on bodies and sensors of bodies share.
  template <typename Message, typename Spec>
  void bodyAndDirection(const std::string& path, const Message& in, Spec& out) {
    out.body = in.body();
    required(path + ".direction", in.direction(), out.direction);
    out.frame = frame(path + ".frame", in.frame());
  }

  void read(const std::string& path, const v1::Actuator& in, rt::ActuatorSpec& out) {
    out.name = in.name();
    out.description = in.description();
    if (in.has_minimum()) out.minimum = in.minimum();
    if (in.has_maximum()) out.maximum = in.maximum();
    out.initial = in.initial();
    switch (in.kind_case()) {
      case v1::Actuator::kJointTorque:
        out.kind.emplace<rt::JointTorqueSpec>().joint = in.joint_torque().joint();
        return;
      case v1::Actuator::kBodyForce: {
        auto& s = out.kind.emplace<rt::BodyForceSpec>();
        bodyAndDirection(path + ".body_force", in.body_force(), s);
        given(path + ".body_force.point", in.body_force().point(), s.point);
        return;
      }
      case v1::Actuator::kBodyTorque:
        return bodyAndDirection(path + ".body_torque", in.body_torque(), out.kind.emplace<rt::BodyTorqueSpec>());
      case v1::Actuator::kDriveInput: {
        auto& s = out.kind.emplace<rt::DriveInputSpec>();
        s.drive = in.drive_input().drive();
        s.quantity = quantity(path + ".drive_input.quantity", in.drive_input().quantity());
        return;
      }
      case v1::Actuator::KIND_NOT_SET: return kindMissing(path, "joint_torque, body_force, body_torque, drive_input");
    }
  }

  void pointMotion(const std::string& path, const v1::PointMotion& in, rt::PointQuantity quantity,
                   rt::SensorSpec& out) {
    auto& s = out.kind.emplace<rt::PointMotionSpec>();
    s.quantity = quantity;
    bodyAndDirection(path, in, s);
    given(path + ".point", in.point(), s.point);
  }

  void read(const std::string& path, const v1::Sensor& in, rt::SensorSpec& out) {
    out.name = in.name();
    out.description = in.description();
    switch (in.kind_case()) {
      case v1::Sensor::kJointAngle: out.kind.emplace<rt::JointAngleSpec>().joint = in.joint_angle().joint(); return;
      case v1::Sensor::kJointRate: out.kind.emplace<rt::JointRateSpec>().joint = in.joint_rate().joint(); return;
      case v1::Sensor::kPointPosition:
        return pointMotion(path + ".point_position", in.point_position(), rt::PointQuantity::kPosition, out);
      case v1::Sensor::kPointVelocity:
        return pointMotion(path + ".point_velocity", in.point_velocity(), rt::PointQuantity::kVelocity, out);
      case v1::Sensor::kPointAcceleration:
        return pointMotion(path + ".point_acceleration", in.point_acceleration(), rt::PointQuantity::kAcceleration,
                           out);
      case v1::Sensor::kAngularVelocity:
        return bodyAndDirection(path + ".angular_velocity", in.angular_velocity(),
                                out.kind.emplace<rt::AngularVelocitySpec>());
      case v1::Sensor::KIND_NOT_SET:
        return kindMissing(
            path, "joint_angle, joint_rate, point_position, point_velocity, point_acceleration, angular_velocity");
    }
  }

  void read(const std::string& path, const v1::InitialCondition& in, rt::InitialConditionSpec& out) {
    out.name = in.name();
    out.description = in.description();
    each(path + ".bodies", in.bodies(), out.bodies);
  }

  void read(const std::string& path, const v1::BodyState& in, rt::BodyStateSpec& out) {
    out.body = in.body();
    given(path + ".position", in.position(), out.position);
    given(path + ".orientation", in.orientation(), out.orientation);
    given(path + ".velocity", in.velocity(), out.velocity);
    given(path + ".angular_velocity", in.angular_velocity(), out.angular_velocity);
  }

  void solver(const v1::SolverSettings& in) {
    if (in.has_period()) spec_.solver.period = in.period();
    if (in.has_relative_compliance()) spec_.solver.relative_compliance = in.relative_compliance();
    spec_.solver.third_order = in.third_order();
    if (!in.has_iterations()) return;
    constexpr auto kMost = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
    spec_.solver.iterations = static_cast<int>(std::min(in.iterations(), kMost));
  }

  rt::ModelSpec& spec_;
  rt::FindingList out_;
};

}  // namespace

std::vector<rt::Finding> fromProto(const v1::Model& message, rt::ModelSpec& spec) {
  Translator translator(spec);
  translator.model(message);
  return translator.takeFindings();
}

}  // namespace tactus::server
