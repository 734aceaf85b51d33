#include "server/model_io/from_proto.h"

#include "server/model_io/field_reader.h"
#include "server/model_io/parameter_target.h"

#include <algorithm>
#include <limits>
#include <string>

namespace tactus::server {
namespace {

class Translator : private FieldReader {
 public:
  Translator(rt::ModelSpec& spec, rt::FindingList& out) : FieldReader(out), spec_(spec) {}

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
    each("roads", m.roads(), spec_.roads);
    each("actuators", m.actuators(), spec_.actuators);
    each("sensors", m.sensors(), spec_.sensors);
    each("initial_conditions", m.initial_conditions(), spec_.initial_conditions);
    if (m.assembly().has_position()) spec_.assembly.position = m.assembly().position();
    if (m.assembly().has_velocity()) spec_.assembly.velocity = m.assembly().velocity();
    solver(m.solver());
    parameters(m);
  }

 private:
  template <typename List, typename Specs>
  void each(const std::string& list, const List& in, Specs& out) {
    out.resize(static_cast<std::size_t>(in.size()));
    for (std::size_t i = 0; i < out.size(); ++i) read(rt::element(list.c_str(), i), in[static_cast<int>(i)], out[i]);
  }

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

  rt::DriveQuantity quantity(const std::string& path, v1::DriveQuantity in) {
    if (in == v1::DRIVE_QUANTITY_RATE) return rt::DriveQuantity::kRate;
    if (in == v1::DRIVE_QUANTITY_ACCELERATION) return rt::DriveQuantity::kAcceleration;
    if (in != v1::DRIVE_QUANTITY_VALUE && in != v1::DRIVE_QUANTITY_UNSPECIFIED)
      out_.error(path, std::to_string(static_cast<int>(in)),
                 "must be DRIVE_QUANTITY_VALUE, DRIVE_QUANTITY_RATE or DRIVE_QUANTITY_ACCELERATION");
    return rt::DriveQuantity::kValue;
  }

  rt::SpringQuantity quantity(const std::string& path, v1::SpringQuantity in) {
    if (in == v1::SPRING_QUANTITY_PRELOAD) return rt::SpringQuantity::kPreload;
    if (in != v1::SPRING_QUANTITY_FREE_LENGTH && in != v1::SPRING_QUANTITY_UNSPECIFIED)
      out_.error(path, std::to_string(static_cast<int>(in)),
                 "must be SPRING_QUANTITY_FREE_LENGTH or SPRING_QUANTITY_PRELOAD");
    return rt::SpringQuantity::kFreeLength;
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

  rt::LossAction lossAction(const std::string& path, v1::LossAction in) {
    switch (in) {
      case v1::LOSS_ACTION_UNSPECIFIED: return rt::LossAction::kDefault;
      case v1::LOSS_ACTION_HOLD: return rt::LossAction::kHold;
      case v1::LOSS_ACTION_ZERO: return rt::LossAction::kZero;
      case v1::LOSS_ACTION_RAMP: return rt::LossAction::kRamp;
      case v1::LOSS_ACTION_EXTRAPOLATE: return rt::LossAction::kExtrapolate;
      case v1::LOSS_ACTION_FAULT: return rt::LossAction::kFault;
      default: break;
    }
    out_.error(path, std::to_string(static_cast<int>(in)), "must be one of the values of LossAction");
    return rt::LossAction::kDefault;
  }

  void read(const std::string& path, const v1::InputLoss& in, rt::InputLossSpec& out) {
    out.action = lossAction(path + ".action", in.action());
    out.ramp_time = in.ramp_time();
    out.extrapolate_ticks = static_cast<int>(std::min<std::uint32_t>(in.extrapolate_ticks(), 1u << 30));
    out.then = lossAction(path + ".then", in.then());
  }

  void read(const std::string& path, const v1::Actuator& in, rt::ActuatorSpec& out) {
    out.name = in.name();
    out.description = in.description();
    out.group = in.group();
    if (in.has_minimum()) out.minimum = in.minimum();
    if (in.has_maximum()) out.maximum = in.maximum();
    out.initial = in.initial();
    if (in.has_safe()) out.safe = in.safe();
    read(path + ".on_loss", in.on_loss(), out.on_loss);
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
      case v1::Actuator::kControl:
        return readControl(path + ".control", in.control(), out.kind.emplace<rt::ControlSpec>(), out_);
      case v1::Actuator::kSpringInput:
        out.kind = rt::SpringInputSpec{
            in.spring_input().spring(), quantity(path + ".spring_input.quantity", in.spring_input().quantity()),
            in.spring_input().has_scale() ? in.spring_input().scale() : 1.0, in.spring_input().offset(),
            static_cast<int>(std::min(in.spring_input().axis(), 7u))};
        return;
      case v1::Actuator::KIND_NOT_SET:
        return kindMissing(path, "joint_torque, body_force, body_torque, drive_input, spring_input, control");
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
      case v1::Sensor::kForceValue: out.kind = rt::ForceValueSpec{in.force_value().force()}; return;
      case v1::Sensor::kJointTravel:
        out.kind = rt::JointTravelSpec{in.joint_travel().joint(), in.joint_travel().rate()};
        return;
      case v1::Sensor::kJointReaction: {
        auto& s = out.kind.emplace<rt::JointReactionSpec>();
        s.joint = in.joint_reaction().joint();
        s.torque = in.joint_reaction().torque();
        required(path + ".joint_reaction.direction", in.joint_reaction().direction(), s.direction);
        s.frame = frame(path + ".joint_reaction.frame", in.joint_reaction().frame());
        return;
      }
      case v1::Sensor::kSpecificForce: {
        auto& s = out.kind.emplace<rt::SpecificForceSpec>();
        bodyAndDirection(path + ".specific_force", in.specific_force(), s);
        given(path + ".specific_force.point", in.specific_force().point(), s.point);
        return;
      }
      case v1::Sensor::KIND_NOT_SET:
        return kindMissing(
            path,
            "joint_angle, joint_rate, point_position, point_velocity, point_acceleration, angular_velocity, "
            "force_value, joint_travel, joint_reaction, specific_force");
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
    if (in.has_gyroscopic_tangent()) spec_.solver.gyroscopic_tangent = in.gyroscopic_tangent();
    if (!in.has_iterations()) return;
    constexpr auto kMax = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
    spec_.solver.iterations = static_cast<int>(std::min(in.iterations(), kMax));
  }

  void parameters(const v1::Model& m) {
    for (int i = 0; i < m.parameters_size(); ++i) {
      const v1::Parameter& in = m.parameters(i);
      rt::ParameterSpec& out = spec_.parameters.emplace_back();
      out.name = in.name();
      out.description = in.description();
      out.unit = in.unit();
      if (in.has_minimum()) out.minimum = in.minimum();
      if (in.has_maximum()) out.maximum = in.maximum();
      out.targets.assign(in.targets().begin(), in.targets().end());
      const std::string path = rt::element("parameters", static_cast<std::size_t>(i));
      for (std::size_t k = 0; k < out.targets.size(); ++k) readTargetValue(m, path, k, out);
    }
  }

  /// All targets of a parameter have one value.
  void readTargetValue(const v1::Model& m, const std::string& parameter, std::size_t k, rt::ParameterSpec& out) {
    const std::string path = parameter + "." + rt::element("targets", k);
    TargetProblem problem;
    const std::optional<double> value = readTarget(m, out.targets[k], problem);
    if (!value) return out_.error(path, rt::printed(out.targets[k]), problem.rule, problem.hint);
    if (k > 0 && out.value && *out.value != *value)
      return out_.error(
          path, rt::printed(out.targets[k]),
          "must have the value of the first target, " + rt::printed(*out.value) + ", and not " + rt::printed(*value));
    out.value = *value;
  }

  void read(const std::string& path, const v1::Joint& in, rt::JointSpec& out) { readJoint(path, in, out, out_); }
  void read(const std::string& path, const v1::Force& in, rt::ForceSpec& out) { readForce(path, in, out, out_); }
  void read(const std::string& path, const v1::Road& in, rt::RoadSpec& out) { readRoad(path, in, out, out_); }
  void read(const std::string& path, const v1::Drive& in, rt::DriveSpec& out) { readDrive(path, in, out, out_); }

  rt::ModelSpec& spec_;
};

}  // namespace

std::vector<rt::Finding> fromProto(const v1::Model& message, rt::ModelSpec& spec) {
  rt::FindingList out;
  Translator(spec, out).model(message);
  return out.take();
}

}  // namespace tactus::server
