#include "rt/model/elements/polynomial.h"

#include "rt/model/model.h"
#include "rt/model/rules.h"

namespace tactus::rt {
namespace {

constexpr std::size_t kMaxCoefficients = 8;

}  // namespace

Fields PolynomialSpec::fields() {
  static constexpr Field kFields[] = {
      field<&PolynomialSpec::coefficients>(
          "coefficients", "c0, c1, ...",
          {.unit = "rad or m, and their rates", .range = Range::kFinite, .rule = "1 to 8 numbers"}),
  };
  return kFields;
}

void check(const PolynomialSpec& spec, const FindingPlace& at) {
  requireCount(at.path + ".coefficients", spec.coefficients, 1, kMaxCoefficients, at.out);
}

void build(const PolynomialSpec& spec, Drive& drive) {
  drive.kind = DriveKind::kPolynomial;
  drive.coefficients = spec.coefficients;
}

}  // namespace tactus::rt
