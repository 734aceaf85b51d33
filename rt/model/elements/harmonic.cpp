#include "rt/model/elements/harmonic.h"

#include "rt/model/model.h"

namespace tactus::rt {

Fields HarmonicSpec::fields() {
  static constexpr Field kFields[] = {
      field<&HarmonicSpec::offset>("offset", "Mean value.", {.unit = "rad or m", .range = Range::kFinite}),
      field<&HarmonicSpec::amplitude>("amplitude", "Amplitude.", {.unit = "rad or m", .range = Range::kFinite}),
      field<&HarmonicSpec::angular_frequency>("angular_frequency", "Angular frequency.",
                                              {.unit = "rad/s", .range = Range::kFinite}),
      field<&HarmonicSpec::phase>("phase", "Phase at tick 0.", {.unit = "rad", .range = Range::kFinite}),
  };
  return kFields;
}

void build(const HarmonicSpec& spec, Drive& drive) {
  drive.kind = DriveKind::kHarmonic;
  drive.coefficients = {spec.offset, spec.amplitude, spec.angular_frequency, spec.phase};
}

}  // namespace tactus::rt
