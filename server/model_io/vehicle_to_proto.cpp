#include "server/model_io/vehicle_to_proto.h"

namespace tactus::server {

namespace {

template <class List>
void append(const List& in, google::protobuf::RepeatedField<double>* out) {
  out->Add(std::begin(in), std::end(in));
}

}  // namespace

void writeSlipTyre(const rt::SlipTyreSpec& in, v1::SlipTyre& out) {
  out.set_road(in.road);
  out.set_body(in.body);
  append(in.centre, out.mutable_centre());
  append(in.axis, out.mutable_axis());
  out.set_radius(in.radius);
  if (in.rolling_radius) out.set_rolling_radius(*in.rolling_radius);
  out.set_stiffness(in.stiffness);
  out.set_damping(in.damping);
  out.set_nominal_load(in.nominal_load);
  out.set_longitudinal_relaxation(in.longitudinal_relaxation);
  out.set_lateral_relaxation(in.lateral_relaxation);
  out.set_rolling_resistance(in.rolling_resistance);
  if (in.standstill_damping) out.set_standstill_damping(*in.standstill_damping);
  out.set_mirrored(in.mirrored);
  if (const auto* brush = std::get_if<rt::BrushTyreSpec>(&in.grip)) {
    v1::BrushTyre& b = *out.mutable_brush();
    b.set_longitudinal_stiffness(brush->longitudinal_stiffness);
    b.set_cornering_stiffness(brush->cornering_stiffness);
    b.set_friction(brush->friction);
    b.set_load_exponent(brush->load_exponent);
    b.set_contact_half_length(brush->contact_half_length);
    return;
  }
  v1::MagicFormulaTyre& magic = *out.mutable_magic_formula();
  for (const auto& [name, value] : std::get<rt::MagicFormulaTyreSpec>(in.grip).coefficients) {
    v1::Coefficient& c = *magic.add_coefficients();
    c.set_name(name);
    c.set_value(value);
  }
}

void writePowertrain(const rt::PowertrainSpec& in, v1::Powertrain& out) {
  out.set_carrier(in.carrier);
  for (const std::string& joint : in.joints) out.add_joints(joint);
  append(in.speeds, out.mutable_speeds());
  append(in.full_torque, out.mutable_full_torque());
  append(in.zero_torque, out.mutable_zero_torque());
  out.set_final_ratio(in.final_ratio);
  out.set_efficiency(in.efficiency);
}

void writeControl(const rt::ControlSpec& in, v1::Control& out) {
  for (const std::string& element : in.elements) out.add_elements(element);
  switch (in.quantity) {
    case rt::ControlQuantity::kBrake: return out.set_quantity(v1::CONTROL_QUANTITY_BRAKE);
    case rt::ControlQuantity::kThrottle: return out.set_quantity(v1::CONTROL_QUANTITY_THROTTLE);
    case rt::ControlQuantity::kRatio: return out.set_quantity(v1::CONTROL_QUANTITY_RATIO);
  }
}

void writeSurfaceGrid(const rt::SurfaceGridSpec& in, v1::SurfaceGrid& out) {
  out.set_along(in.along);
  out.set_across(in.across);
  out.set_spacing(in.spacing);
  out.set_columns(static_cast<std::uint32_t>(in.columns));
  append(in.values, out.mutable_values());
}

}  // namespace tactus::server
