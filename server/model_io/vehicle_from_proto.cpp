// Tyres with slip, friction, brakes, powertrains and surfaces.
#include "server/model_io/field_reader.h"

namespace tactus::server {
namespace {

std::vector<double> listOf(const Numbers& in) {
  return {in.begin(), in.end()};
}

class VehicleReader : private FieldReader {
 public:
  using FieldReader::FieldReader;

  void read(const std::string& path, const v1::SlipTyre& in, rt::SlipTyreSpec& out) {
    out.road = in.road();
    out.body = in.body();
    given(path + ".centre", in.centre(), out.centre);
    required(path + ".axis", in.axis(), out.axis);
    out.radius = in.radius();
    if (in.has_rolling_radius()) out.rolling_radius = in.rolling_radius();
    out.stiffness = in.stiffness();
    out.damping = in.damping();
    out.nominal_load = in.nominal_load();
    out.longitudinal_relaxation = in.longitudinal_relaxation();
    out.lateral_relaxation = in.lateral_relaxation();
    out.rolling_resistance = in.rolling_resistance();
    if (in.has_standstill_damping()) out.standstill_damping = in.standstill_damping();
    out.mirrored = in.mirrored();
    switch (in.grip_case()) {
      case v1::SlipTyre::kBrush: {
        const v1::BrushTyre& brush = in.brush();
        out.grip =
            rt::BrushTyreSpec{brush.longitudinal_stiffness(), brush.cornering_stiffness(), brush.friction(),
                              brush.has_load_exponent() ? brush.load_exponent() : 1.0, brush.contact_half_length()};
        return;
      }
      case v1::SlipTyre::kMagicFormula: return read(path + ".magic_formula", in.magic_formula(), out);
      case v1::SlipTyre::GRIP_NOT_SET:
        out_.error(path + ".grip", "none", "must be given: one of brush, magic_formula");
        return;
    }
  }

  void read(const std::string& path, const v1::MagicFormulaTyre& in, rt::SlipTyreSpec& out) {
    auto& magic = out.grip.emplace<rt::MagicFormulaTyreSpec>();
    for (int i = 0; i < in.coefficients_size(); ++i) {
      const v1::Coefficient& c = in.coefficients(i);
      if (!magic.coefficients.emplace(c.name(), c.value()).second)
        out_.error(rt::element((path + ".coefficients").c_str(), static_cast<std::size_t>(i)), rt::printed(c.name()),
                   "must be given once");
    }
  }

  static void read(const v1::Powertrain& in, rt::PowertrainSpec& out) {
    out.carrier = in.carrier();
    out.joints.assign(in.joints().begin(), in.joints().end());
    out.speeds = listOf(in.speeds());
    out.full_torque = listOf(in.full_torque());
    out.zero_torque = listOf(in.zero_torque());
    if (in.has_final_ratio()) out.final_ratio = in.final_ratio();
    if (in.has_efficiency()) out.efficiency = in.efficiency();
  }

  void read(const std::string& path, const v1::Control& in, rt::ControlSpec& out) {
    out.elements.assign(in.elements().begin(), in.elements().end());
    switch (in.quantity()) {
      case v1::CONTROL_QUANTITY_BRAKE: out.quantity = rt::ControlQuantity::kBrake; return;
      case v1::CONTROL_QUANTITY_THROTTLE: out.quantity = rt::ControlQuantity::kThrottle; return;
      case v1::CONTROL_QUANTITY_RATIO: out.quantity = rt::ControlQuantity::kRatio; return;
      default: break;
    }
    out_.error(path + ".quantity", std::to_string(static_cast<int>(in.quantity())),
               "must be CONTROL_QUANTITY_BRAKE, CONTROL_QUANTITY_THROTTLE or CONTROL_QUANTITY_RATIO");
  }
};

}  // namespace

void readSlipTyre(const std::string& path, const v1::SlipTyre& in, rt::SlipTyreSpec& spec, rt::FindingList& out) {
  VehicleReader(out).read(path, in, spec);
}

void readPowertrain(const v1::Powertrain& in, rt::PowertrainSpec& spec) {
  VehicleReader::read(in, spec);
}

void readControl(const std::string& path, const v1::Control& in, rt::ControlSpec& spec, rt::FindingList& out) {
  VehicleReader(out).read(path, in, spec);
}

rt::SurfaceGridSpec readSurfaceGrid(const std::string& path, const v1::SurfaceGrid& in, rt::FindingList& out) {
  if (!in.file().empty())
    out.error(path + ".file", rt::printed(in.file()), "must be read where the model file is, not by a server",
              "tactus model print writes the model with the values in place of the file");
  constexpr std::uint32_t kMax = 1u << 30;
  return {in.along(), in.across(), in.spacing(), static_cast<int>(std::min(in.columns(), kMax)), listOf(in.values())};
}

}  // namespace tactus::server
