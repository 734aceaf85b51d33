// Covers: rt/model/elements/polynomial.cpp, rt/model/elements/harmonic.cpp, rt/model/elements/table.cpp
// Covers: rt/model/drive.h
#include "rt/mechanics/drives.h"

#include "rt/model/model.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace tactus::rt;

namespace {

Drive driveOf(const DriveFunctions& function) {
  Drive drive;
  std::visit([&drive](const auto& kind) { build(kind, drive); }, function);
  return drive;
}

const std::vector<double> kNoInput;

}  // namespace

TEST_CASE("rates and accelerations of drives are the derivatives of their values", "[rt][mechanics]") {
  const Drive drives[] = {driveOf(PolynomialSpec{{0.3, -1.1, 0.7, 0.2, -0.05}}),
                          driveOf(HarmonicSpec{0.4, 1.3, 2.7, 0.6}),
                          driveOf(TableSpec{{-0.5, 0.2, 0.9, 1.4, 3.0}, {0.1, -0.4, 0.8, 0.7, 1.5}})};
  const double h = 1e-4;
  for (const Drive& drive : drives)
    for (double t = -0.45; t < 2.9; t += 0.17) {
      CAPTURE(static_cast<int>(drive.kind), t);
      const DriveValue before = evaluateDrive(drive, t - h, kNoInput), now = evaluateDrive(drive, t, kNoInput),
                       after = evaluateDrive(drive, t + h, kNoInput);
      // Truncation h^2 = 1e-8 times a third or fourth derivative; the rate of a table has kinks in its second
      // derivative.
      CHECK(now.rate == Approx((after.value - before.value) / (2 * h)).epsilon(0).margin(1e-6));
      CHECK(now.acceleration == Approx((after.rate - before.rate) / (2 * h)).margin(1e-3));
    }
}

TEST_CASE("a table passes through its points and rests at both ends", "[rt][mechanics]") {
  const std::vector<double> t = {0, 0.5, 2}, y = {1, 3, 2};
  const Drive drive = driveOf(TableSpec{t, y});
  for (std::size_t i = 0; i < t.size(); ++i)
    CHECK(evaluateDrive(drive, t[i], kNoInput).value == Approx(y[i]).epsilon(0).margin(1e-14));  // round-off
  for (const double outside : {-1.0, 0.0, 2.0, 5.0}) {
    CHECK(evaluateDrive(drive, outside, kNoInput).rate == 0.0);
    CHECK(evaluateDrive(drive, outside, kNoInput).acceleration == 0.0);
  }
  // The rate is continuous where the table begins and ends.
  CHECK(evaluateDrive(drive, 1e-7, kNoInput).rate == Approx(0).margin(1e-5));
  CHECK(evaluateDrive(drive, 2 - 1e-7, kNoInput).rate == Approx(0).margin(1e-5));
}

TEST_CASE("an input drive takes value, rate and acceleration from its actuators", "[rt][mechanics]") {
  Drive drive;
  drive.kind = DriveKind::kInput;
  drive.actuator[0] = 2;
  drive.actuator[2] = 0;
  const std::vector<double> input = {4.0, 5.0, 6.0};
  const DriveValue value = evaluateDrive(drive, 9.0, input);
  CHECK(value.value == 6.0);
  CHECK(value.rate == 0.0);
  CHECK(value.acceleration == 4.0);
}
