#include "rt/model/model_hash.h"

#include "rt/math/fnv.h"

#include <bit>
#include <type_traits>

namespace tactus::rt {
namespace {

class ModelHasher {
 public:
  template <typename Value>
  void add(Value value) requires std::is_integral_v<Value> || std::is_enum_v<Value> {
    hash_.addWord(static_cast<std::uint64_t>(value));
  }
  void add(double value) { hash_.addWord(std::bit_cast<std::uint64_t>(value)); }
  void add(const std::string& text) {
    add(text.size());
    hash_.addText(text);
  }
  template <typename Derived>
  void add(const Eigen::MatrixBase<Derived>& matrix) {
    for (Eigen::Index c = 0; c < matrix.cols(); ++c)
      for (Eigen::Index r = 0; r < matrix.rows(); ++r) add(matrix(r, c));
  }
  template <typename Element>
  void add(const std::vector<Element>& list) {
    add(list.size());
    for (const Element& element : list) add(element);
  }

  void add(const Body& b) {
    add(b.mass);
    add(b.inertia);
  }
  void add(const Joint& j) {
    add(j.kind);
    add(j.body_1);
    add(j.body_2);
    add(j.first_primitive);
    add(j.primitive_count);
    add(j.axis_1);
    add(j.zero_1);
    add(j.zero_2);
    add(j.initial_angle);
    add(j.law);
    add(j.law_index);
  }
  void add(const Primitive& p) {
    add(p.kind);
    add(p.body_1);
    add(p.body_2);
    add(p.s_1);
    add(p.s_2);
    add(p.a_1);
    add(p.a_2);
    add(p.length);
    add(p.b_1);
    add(p.b_2);
    add(p.displacement);
    add(p.t_1);
    add(p.rho_1);
    add(p.rho_2);
  }
  void add(const CompliantLaw& c) {
    add(c.rows);
    add(c.K);
    add(c.C);
    add(c.rest);
    add(c.preload);
    add(c.tyre);
    add(c.spring);
    add(c.free_input);
    add(c.preload_input);
    for (const Scaling& scaling : {c.free_of_input, c.preload_of_input}) {
      add(scaling.offset);
      add(scaling.scale);
    }
    for (std::size_t row = 0; c.has_input && row < c.preload_of_row.size(); ++row) {
      add(c.preload_of_row[row].actuator);
      add(c.preload_of_row[row].scaling.offset);
      add(c.preload_of_row[row].scaling.scale);
    }
  }
  void add(const StopSpec& s) {
    add(s.position);
    add(s.stiffness);
    add(s.exponent);
    add(s.damping);
  }
  void add(const Spring& s) {
    for (const Curve* curve : {&s.stiffness, &s.damping}) {
      add(curve->x);
      add(curve->y);
    }
    add(s.only);
    for (const auto* stop : {&s.minimum_stop, &s.maximum_stop}) {
      add(stop->has_value() ? 1 : 0);
      if (*stop) add(**stop);
    }
  }
  void add(const Drive& d) {
    add(d.kind);
    add(d.coefficients);
    add(d.times);
    add(d.values);
    for (const int actuator : d.actuator) add(actuator);
  }
  void add(const AntiRollBar& b) {
    add(b.joint_1);
    add(b.joint_2);
    add(b.stiffness);
    add(b.damping);
    add(b.ratio);
    add(b.free_twist);
  }
  void add(const AirLoad& a) {
    add(a.body);
    add(a.point);
    add(a.up);
    add(a.wind);
    add(a.drag);
    add(a.lift);
    add(a.side);
    add(a.across);
  }
  void add(const BodyDrag& d) {
    add(d.body);
    add(d.linear);
    add(d.angular);
  }
  void add(const HalfCylinder& h) {
    add(h.position);
    add(h.radius);
  }
  void add(const Road& r) {
    add(r.origin);
    add(r.up);
    add(r.along);
    add(r.half_cylinders);
    add(r.friction);
    add(r.heights);
    add(r.frictions);
  }
  void add(const SurfaceGrid& g) {
    add(g.along);
    add(g.across);
    add(g.spacing);
    add(g.rows);
    add(g.columns);
    add(g.values);
  }
  void add(const SlipTyre& t) {
    add(t.road);
    add(t.body);
    add(t.centre);
    add(t.axis);
    for (const double value : {t.radius, t.rolling_radius, t.stiffness, t.damping, t.nominal_load, t.relaxation[0],
                               t.relaxation[1], t.rolling_resistance, t.standstill_damping})
      add(value);
    add(t.mirrored ? 1 : 0);
    add(t.kind);
    for (const double value : {t.brush.longitudinal_stiffness, t.brush.cornering_stiffness, t.brush.friction,
                               t.brush.load_exponent, t.brush.contact_half_length})
      add(value);
    for (const MagicFormulaName& name : kMagicFormulaNames) add(t.magic.c.*name.member);
  }
  void add(const JointFriction& f) {
    add(f.joint);
    add(f.limit);
    add(f.stiffness);
    add(f.along_axis ? 1 : 0);
    add(f.brake ? 1 : 0);
    add(f.actuators);
  }
  void add(const Powertrain& p) {
    add(p.carrier);
    add(p.joints);
    add(p.speeds);
    add(p.full_torque);
    add(p.zero_torque);
    add(p.final_ratio);
    add(p.efficiency);
    add(p.throttle);
    add(p.ratio);
  }
  void add(const Tyre& t) {
    add(t.road);
    add(t.body);
    add(t.centre);
    add(t.radius);
    add(t.stiffness);
    add(t.damping);
  }
  void add(const Actuator& a) {
    add(a.kind);
    add(a.target);
    add(a.point);
    add(a.direction);
    add(a.frame);
    add(a.minimum);
    add(a.maximum);
    add(a.initial);
    add(a.order);
    add(a.safe);
    add(a.on_loss.action);
    add(a.on_loss.ramp_time);
    add(a.on_loss.extrapolate_ticks);
    add(a.on_loss.then);
  }
  void add(const InitialCondition& c) {
    add(c.name);
    add(c.position);
    add(c.orientation);
    add(c.velocity);
    add(c.angular_velocity);
  }

  std::uint64_t value() const noexcept { return hash_.value(); }

 private:
  Fnv1a hash_;
};

}  // namespace

std::uint64_t hashModel(const Model& model) {
  ModelHasher hash;
  hash.add(model.gravity);
  hash.add(model.bodies);
  hash.add(model.joints);
  hash.add(model.primitives);
  for (const Coupler& coupler : model.couplers) hash.add(coupler.terms);
  hash.add(model.compliant_laws);
  hash.add(model.drives);
  hash.add(model.drags);
  hash.add(model.anti_roll_bars);
  hash.add(model.air_loads);
  hash.add(model.roads);
  hash.add(model.tyres);
  hash.add(model.slip_tyres);
  hash.add(model.frictions);
  hash.add(model.powertrains);
  hash.add(model.springs);
  hash.add(model.actuators);
  hash.add(model.initial_conditions);
  hash.add(model.body_names);
  hash.add(model.joint_names);
  hash.add(model.actuator_names);
  hash.add(model.solver.period);
  hash.add(model.solver.iterations.value_or(0));
  hash.add(model.solver.relative_compliance);
  hash.add(model.solver.third_order ? 1 : 0);
  hash.add(model.solver.gyroscopic_tangent ? (*model.solver.gyroscopic_tangent ? 2 : 1) : 0);
  // One group is no choice.
  for (std::size_t i = 0; model.groups.size() > 1 && i < model.actuators.size(); ++i)
    hash.add(model.actuators[i].group);
  return hash.value();
}

}  // namespace tactus::rt
