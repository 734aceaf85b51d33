// ModelSpec to tactus.v1.Model.
#include "server/model_io/field_writer.h"
#include "server/model_io/model_file.h"
#include "server/model_io/vehicle_to_proto.h"

namespace tactus::server {
namespace {

using server::write;  // of field_writer.h, beside those here

v1::Frame toProto(rt::Frame frame) {
  return frame == rt::Frame::kBody ? v1::FRAME_BODY : v1::FRAME_WORLD;
}

void write(const rt::BodySpec& in, v1::Body& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  out.set_mass(in.mass);
  v1::Inertia& inertia = *out.mutable_inertia();
  inertia.set_xx(in.inertia(0, 0));
  inertia.set_yy(in.inertia(1, 1));
  inertia.set_zz(in.inertia(2, 2));
  inertia.set_xy(in.inertia(0, 1));
  inertia.set_xz(in.inertia(0, 2));
  inertia.set_yz(in.inertia(1, 2));
  write(in.position, out.mutable_position());
  write(in.orientation, out.mutable_orientation());
  write(in.velocity, out.mutable_velocity());
  write(in.angular_velocity, out.mutable_angular_velocity());
}

/// Row by row; symmetric, so that the order of storage does not matter.
void writeMatrix(const Eigen::MatrixXd& in, Numbers* out) {
  if (in.isDiagonal(0))
    for (Eigen::Index i = 0; i < in.rows(); ++i) out->Add(in(i, i));
  else
    write(in, out);
}

void write(const rt::CurveSpec& in, v1::Curve& out) {
  for (const double x : in.x) out.add_x(x);
  for (const double y : in.y) out.add_y(y);
}

void write(const rt::StopSpec& in, v1::SpringStop& out) {
  out.set_position(in.position);
  out.set_stiffness(in.stiffness);
  out.set_exponent(in.exponent);
  out.set_damping(in.damping);
}

/// What a spring does not have is left out, so that the file of a plain one stays short.
template <typename Message>
void writeSpringLaw(const rt::SpringLawSpec& in, Message& out) {
  if (in.stiffness_curve) write(*in.stiffness_curve, *out.mutable_stiffness_curve());
  if (in.damping_curve) write(*in.damping_curve, *out.mutable_damping_curve());
  if (in.only != rt::SpringSide::kBoth)
    out.set_only(in.only == rt::SpringSide::kPull ? v1::SPRING_SIDE_PULL : v1::SPRING_SIDE_PUSH);
  if (in.minimum_stop) write(*in.minimum_stop, *out.mutable_minimum_stop());
  if (in.maximum_stop) write(*in.maximum_stop, *out.mutable_maximum_stop());
}

struct ForceKindWriter {
  v1::Force& out;

  void operator()(const rt::TranslationalSpringSpec& s) const {
    v1::TranslationalSpring& spring = *out.mutable_translational_spring();
    writeEnds(s, spring);
    spring.set_stiffness(s.stiffness);
    spring.set_damping(s.damping);
    if (s.free_length) spring.set_free_length(*s.free_length);
    spring.set_preload(s.preload);
    writeSpringLaw(s.law, spring);
  }
  void operator()(const rt::RotationalSpringSpec& s) const {
    v1::RotationalSpring& spring = *out.mutable_rotational_spring();
    spring.set_joint(s.joint);
    spring.set_stiffness(s.stiffness);
    spring.set_damping(s.damping);
    spring.set_free_angle(s.free_angle);
    spring.set_preload(s.preload);
    writeSpringLaw(s.law, spring);
  }
  void operator()(const rt::BushingSpec& s) const {
    v1::Bushing& bushing = *out.mutable_bushing();
    writeEnds(s, bushing);
    write(s.orientation, bushing.mutable_orientation());
    writeMatrix(s.stiffness, bushing.mutable_stiffness());
    writeMatrix(s.damping, bushing.mutable_damping());
  }
  void operator()(const rt::BodyDragSpec& s) const {
    v1::BodyDrag& drag = *out.mutable_body_drag();
    drag.set_body(s.body);
    drag.set_linear(s.linear);
    drag.set_angular(s.angular);
  }
  void operator()(const rt::AntiRollBarSpec& s) const {
    v1::AntiRollBar& bar = *out.mutable_anti_roll_bar();
    bar.set_joint_1(s.joint_1);
    bar.set_joint_2(s.joint_2);
    bar.set_stiffness(s.stiffness);
    bar.set_damping(s.damping);
    bar.set_ratio(s.ratio);
    if (s.free_twist) bar.set_free_twist(*s.free_twist);
  }
  void operator()(const rt::AirLoadSpec& s) const {
    v1::AirLoad& air = *out.mutable_air_load();
    air.set_body(s.body);
    write(s.point, air.mutable_point());
    air.set_area(s.area);
    air.set_density(s.density);
    air.set_drag(s.drag);
    air.set_lift(s.lift);
    write(s.up, air.mutable_up());
    write(s.wind, air.mutable_wind());
    air.set_side(s.side);
    write(s.across, air.mutable_across());
  }
  void operator()(const rt::VerticalTyreSpec& s) const {
    v1::VerticalTyre& tyre = *out.mutable_vertical_tyre();
    tyre.set_road(s.road);
    tyre.set_body(s.body);
    write(s.centre, tyre.mutable_centre());
    tyre.set_radius(s.radius);
    tyre.set_stiffness(s.stiffness);
    tyre.set_damping(s.damping);
  }
  void operator()(const rt::SlipTyreSpec& s) const { writeSlipTyre(s, *out.mutable_slip_tyre()); }
  void operator()(const rt::JointFrictionSpec& s) const {
    v1::JointFriction& friction = *out.mutable_joint_friction();
    friction.set_joint(s.joint);
    friction.set_limit(s.limit);
    friction.set_elastic(s.elastic);
    friction.set_along_axis(s.along_axis);
  }
  void operator()(const rt::BrakeSpec& s) const {
    out.mutable_brake()->set_joint(s.joint);
    out.mutable_brake()->set_torque(s.torque);
    out.mutable_brake()->set_elastic(s.elastic);
  }
  void operator()(const rt::PowertrainSpec& s) const { writePowertrain(s, *out.mutable_powertrain()); }
};

void write(const rt::RoadSpec& in, v1::Road& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  write(in.origin, out.mutable_origin());
  write(in.up, out.mutable_up());
  write(in.along, out.mutable_along());
  for (const rt::HalfCylinderSpec& bump : in.half_cylinders) {
    v1::HalfCylinder& half_cylinder = *out.add_half_cylinders();
    half_cylinder.set_position(bump.position);
    half_cylinder.set_radius(bump.radius);
  }
  if (in.friction != 1) out.set_friction(in.friction);
  if (in.heights) writeSurfaceGrid(*in.heights, *out.mutable_heights());
  if (in.frictions) writeSurfaceGrid(*in.frictions, *out.mutable_frictions());
}

void write(const rt::ForceSpec& in, v1::Force& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  std::visit(ForceKindWriter{out}, in.kind);
}

struct DriveWriter {
  v1::Drive& out;

  void operator()(const rt::DrivenAngleSpec& s) const { out.mutable_angle()->set_joint(s.joint); }
  void operator()(const rt::DrivenTravelSpec& s) const { out.mutable_travel()->set_joint(s.joint); }
  void operator()(const rt::DrivenDistanceSpec& s) const { writeEnds(s, *out.mutable_distance()); }
  void operator()(const rt::PolynomialSpec& s) const {
    for (const double c : s.coefficients) out.mutable_polynomial()->add_coefficients(c);
  }
  void operator()(const rt::HarmonicSpec& s) const {
    v1::Harmonic& harmonic = *out.mutable_harmonic();
    harmonic.set_offset(s.offset);
    harmonic.set_amplitude(s.amplitude);
    harmonic.set_angular_frequency(s.angular_frequency);
    harmonic.set_phase(s.phase);
  }
  void operator()(const rt::TableSpec& s) const {
    for (const double t : s.times) out.mutable_table()->add_times(t);
    for (const double v : s.values) out.mutable_table()->add_values(v);
  }
  void operator()(const rt::InputFunctionSpec&) const { out.mutable_input(); }
};

void write(const rt::DriveSpec& in, v1::Drive& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  std::visit(DriveWriter{out}, in.target);
  std::visit(DriveWriter{out}, in.function);
}

v1::DriveQuantity toProto(rt::DriveQuantity quantity) {
  switch (quantity) {
    case rt::DriveQuantity::kValue: return v1::DRIVE_QUANTITY_VALUE;
    case rt::DriveQuantity::kRate: return v1::DRIVE_QUANTITY_RATE;
    case rt::DriveQuantity::kAcceleration: break;
  }
  return v1::DRIVE_QUANTITY_ACCELERATION;
}

template <typename Spec, typename Message>
void writeBodyAndDirection(const Spec& in, Message& out) {
  out.set_body(in.body);
  write(in.direction, out.mutable_direction());
  out.set_frame(toProto(in.frame));
}

v1::LossAction toProto(rt::LossAction action) {
  switch (action) {
    case rt::LossAction::kDefault: return v1::LOSS_ACTION_UNSPECIFIED;
    case rt::LossAction::kHold: return v1::LOSS_ACTION_HOLD;
    case rt::LossAction::kZero: return v1::LOSS_ACTION_ZERO;
    case rt::LossAction::kRamp: return v1::LOSS_ACTION_RAMP;
    case rt::LossAction::kExtrapolate: return v1::LOSS_ACTION_EXTRAPOLATE;
    case rt::LossAction::kFault: return v1::LOSS_ACTION_FAULT;
  }
  return v1::LOSS_ACTION_UNSPECIFIED;
}

void write(const rt::InputLossSpec& in, v1::InputLoss& out) {
  out.set_action(toProto(in.action));
  out.set_ramp_time(in.ramp_time);
  out.set_extrapolate_ticks(static_cast<std::uint32_t>(in.extrapolate_ticks));
  out.set_then(toProto(in.then));
}

struct ActuatorKindWriter {
  v1::Actuator& out;

  void operator()(const rt::JointTorqueSpec& s) const { out.mutable_joint_torque()->set_joint(s.joint); }
  void operator()(const rt::BodyForceSpec& s) const {
    writeBodyAndDirection(s, *out.mutable_body_force());
    write(s.point, out.mutable_body_force()->mutable_point());
  }
  void operator()(const rt::BodyTorqueSpec& s) const { writeBodyAndDirection(s, *out.mutable_body_torque()); }
  void operator()(const rt::DriveInputSpec& s) const {
    out.mutable_drive_input()->set_drive(s.drive);
    out.mutable_drive_input()->set_quantity(toProto(s.quantity));
  }
  void operator()(const rt::ControlSpec& s) const { writeControl(s, *out.mutable_control()); }
  void operator()(const rt::SpringInputSpec& s) const {
    out.mutable_spring_input()->set_spring(s.spring);
    out.mutable_spring_input()->set_offset(s.offset);
    out.mutable_spring_input()->set_axis(static_cast<std::uint32_t>(s.axis));
    if (s.scale != 1) out.mutable_spring_input()->set_scale(s.scale);
    out.mutable_spring_input()->set_quantity(
        s.quantity == rt::SpringQuantity::kPreload ? v1::SPRING_QUANTITY_PRELOAD : v1::SPRING_QUANTITY_FREE_LENGTH);
  }
};

void write(const rt::ActuatorSpec& in, v1::Actuator& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  out.set_group(in.group);
  if (in.minimum) out.set_minimum(*in.minimum);
  if (in.maximum) out.set_maximum(*in.maximum);
  out.set_initial(in.initial);
  if (in.safe) out.set_safe(*in.safe);
  const rt::InputLossSpec& loss = in.on_loss;
  if (loss.action != rt::LossAction::kDefault || loss.ramp_time != 0) write(loss, *out.mutable_on_loss());
  std::visit(ActuatorKindWriter{out}, in.kind);
}

struct SensorKindWriter {
  v1::Sensor& out;

  void operator()(const rt::JointAngleSpec& s) const { out.mutable_joint_angle()->set_joint(s.joint); }
  void operator()(const rt::JointRateSpec& s) const { out.mutable_joint_rate()->set_joint(s.joint); }
  void operator()(const rt::PointMotionSpec& s) const {
    v1::PointMotion& motion = motionOf(s.quantity);
    writeBodyAndDirection(s, motion);
    write(s.point, motion.mutable_point());
  }
  void operator()(const rt::AngularVelocitySpec& s) const { writeBodyAndDirection(s, *out.mutable_angular_velocity()); }
  void operator()(const rt::ForceValueSpec& s) const { out.mutable_force_value()->set_force(s.force); }
  void operator()(const rt::JointTravelSpec& s) const {
    out.mutable_joint_travel()->set_joint(s.joint);
    out.mutable_joint_travel()->set_rate(s.rate);
  }
  void operator()(const rt::JointReactionSpec& s) const {
    v1::JointReaction& reaction = *out.mutable_joint_reaction();
    reaction.set_joint(s.joint);
    reaction.set_torque(s.torque);
    write(s.direction, reaction.mutable_direction());
    reaction.set_frame(toProto(s.frame));
  }
  void operator()(const rt::SpecificForceSpec& s) const {
    writeBodyAndDirection(s, *out.mutable_specific_force());
    write(s.point, out.mutable_specific_force()->mutable_point());
  }

 private:
  v1::PointMotion& motionOf(rt::PointQuantity quantity) const {
    switch (quantity) {
      case rt::PointQuantity::kPosition: return *out.mutable_point_position();
      case rt::PointQuantity::kVelocity: return *out.mutable_point_velocity();
      case rt::PointQuantity::kAcceleration: break;
    }
    return *out.mutable_point_acceleration();
  }
};

void write(const rt::SensorSpec& in, v1::Sensor& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  std::visit(SensorKindWriter{out}, in.kind);
}

void write(const rt::InitialConditionSpec& in, v1::InitialCondition& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  for (const rt::BodyStateSpec& body : in.bodies) {
    v1::BodyState& state = *out.add_bodies();
    state.set_body(body.body);
    write(body.position, state.mutable_position());
    write(body.orientation, state.mutable_orientation());
    write(body.velocity, state.mutable_velocity());
    write(body.angular_velocity, state.mutable_angular_velocity());
  }
}

void write(const rt::ParameterSpec& in, v1::Parameter& out) {
  out.set_name(in.name);
  out.set_description(in.description);
  out.set_unit(in.unit);
  if (in.minimum) out.set_minimum(*in.minimum);
  if (in.maximum) out.set_maximum(*in.maximum);
  for (const std::string& target : in.targets) out.add_targets(target);
}

}  // namespace

v1::Model toProto(const rt::ModelSpec& spec) {
  v1::Model model;
  model.set_name(spec.name);
  model.set_description(spec.description);
  write(spec.gravity, model.mutable_gravity());
  for (const rt::BodySpec& body : spec.bodies) write(body, *model.add_bodies());
  for (const rt::JointSpec& joint : spec.joints) write(joint, *model.add_joints());
  for (const rt::ForceSpec& force : spec.forces) write(force, *model.add_forces());
  for (const rt::DriveSpec& drive : spec.drives) write(drive, *model.add_drives());
  for (const rt::RoadSpec& road : spec.roads) write(road, *model.add_roads());
  for (const rt::ActuatorSpec& actuator : spec.actuators) write(actuator, *model.add_actuators());
  for (const rt::SensorSpec& sensor : spec.sensors) write(sensor, *model.add_sensors());
  for (const rt::InitialConditionSpec& condition : spec.initial_conditions)
    write(condition, *model.add_initial_conditions());
  model.mutable_assembly()->set_position(spec.assembly.position);
  model.mutable_assembly()->set_velocity(spec.assembly.velocity);
  model.mutable_solver()->set_period(spec.solver.period);
  if (spec.solver.iterations)
    model.mutable_solver()->set_iterations(static_cast<std::uint32_t>(*spec.solver.iterations));
  model.mutable_solver()->set_relative_compliance(spec.solver.relative_compliance);
  model.mutable_solver()->set_third_order(spec.solver.third_order);
  if (spec.solver.gyroscopic_tangent) model.mutable_solver()->set_gyroscopic_tangent(*spec.solver.gyroscopic_tangent);
  for (const rt::ParameterSpec& parameter : spec.parameters) write(parameter, *model.add_parameters());
  return model;
}

}  // namespace tactus::server
