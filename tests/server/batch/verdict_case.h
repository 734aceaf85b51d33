// Models for verdicts, as short texts, and the check of a verdict with its reason.
#pragma once

#include "rt/model/model.h"
#include "server/batch/validation.h"
#include "server/model_io/model_file.h"
#include "tests/server/batch/never.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <numbers>
#include <sstream>
#include <string>

namespace tactus::tests::verdicts {

using server::ModelDocument;
using server::ValidationOptions;
using server::ValidationReport;

inline std::string number(double value) {
  std::ostringstream text;
  text.precision(12);
  text << value;
  return text.str();
}

inline double stiffnessFor(double inertia, double hertz) {
  return inertia * std::pow(2 * std::numbers::pi * hertz, 2);
}

inline std::string body(const std::string& name, double mass, double inertia, const std::string& position,
                        const std::string& more = "") {
  const std::string j = number(inertia);
  return R"({"name": ")" + name + R"(", "mass": )" + number(mass) + R"(, "inertia": {"xx": )" + j + R"(, "yy": )" + j +
         R"(, "zz": )" + j + R"(}, "position": )" + position + more + "}";
}

inline std::string hinge(const std::string& name, const std::string& body_1, const std::string& body_2,
                         const std::string& point_1, const std::string& point_2) {
  return R"({"name": ")" + name + R"(", "body_1": ")" + body_1 + R"(", "body_2": ")" + body_2 +
         R"(", "revolute": {"point_1": )" + point_1 + R"(, "point_2": )" + point_2 +
         R"(, "axis_1": [0, 0, 1], "axis_2": [0, 0, 1]}})";
}

/// A torsion spring on a joint, 1 rad from its rest.
inline std::string torsion(const std::string& joint, double stiffness, const std::string& more = "") {
  return R"({"name": "spring_)" + joint + R"(", "rotational_spring": {"joint": ")" + joint + R"(", "stiffness": )" +
         number(stiffness) + more + "}}";
}
inline const std::string kAtOne = R"(, "free_angle": 1)";

inline std::string model(const std::string& bodies, const std::string& joints, const std::string& forces,
                         const std::string& more = "", const std::string& gravity = "[0, -9.81, 0]") {
  return R"({"name": "m", "gravity": )" + gravity + R"(, "bodies": [)" + bodies + R"(], "joints": [)" + joints +
         R"(], "forces": [)" + forces + "]" + more + "}";
}

/// A rotor of 0.01 kg m^2 on a torsion spring; its mass center never moves.
inline std::string rotor(double hertz, const std::string& spring = kAtOne, const std::string& more = "") {
  return model(body("rotor", 1, 0.01, "[0, 0, 0]"), hinge("axle", "ground", "rotor", "[0, 0, 0]", "[0, 0, 0]"),
               torsion("axle", stiffnessFor(0.01, hertz), spring), more);
}

/// A mass of 1 kg on a rail with a long spring along it, 50 mm from its rest.
inline std::string rail(double hertz, double damping = 0, const std::string& more = "", double moved = 0.05,
                        const std::string& law = "") {
  const std::string stiffness = law.empty() ? R"("stiffness": )" + number(stiffnessFor(1, hertz)) : law;
  return model(body("cart", 1, 0.001, "[" + number(moved) + ", 0, 0]"),
               R"({"name": "rail", "body_1": "ground", "body_2": "cart", "prismatic": {"point_1": [0, 0, 0],
                  "point_2": [0, 0, 0], "axis_1": [1, 0, 0], "axis_2": [1, 0, 0]}})",
               R"({"name": "spring", "translational_spring": {"body_1": "ground", "body_2": "cart",
                  "point_1": [-10, 0, 0], "point_2": [0, 0, 0], "free_length": 10, "damping": )" +
                   number(damping) + ", " + stiffness + "}}",
               more);
}

inline std::string pendulum(const std::string& name, double length, double x) {
  return body(name, 1, 0.4e-2 * length * length, "[" + number(x + length) + ", 0, 0]");
}
inline std::string pivot(const std::string& name, double length, double x) {
  return hinge("pivot_" + name, "ground", name, "[" + number(x) + ", 0, 0]", "[" + number(-length) + ", 0, 0]");
}
inline std::string pendulums(double length, double other = 0, const std::string& more = "") {
  std::string bodies = pendulum("bob", length, 0), joints = pivot("bob", length, 0);
  if (other > 0) {
    bodies += ", " + pendulum("small", other, 20);
    joints += ", " + pivot("small", other, 20);
  }
  return model(bodies, joints, "", more);
}

/// An arm without gravity that turns at 2 rad/s into a stop at 1 rad.
inline std::string arm(double stop_stiffness, double damping = 0) {
  return model(body("arm", 1, 0.1, "[0.5, 0, 0]", R"(, "velocity": [0, 1, 0], "angular_velocity": [0, 0, 2])"),
               hinge("hinge", "ground", "arm", "[0, 0, 0]", "[-0.5, 0, 0]"),
               torsion("hinge", 0.001,
                       R"(, "maximum_stop": {"position": 1, "stiffness": )" + number(stop_stiffness) +
                           R"(, "damping": )" + number(damping) + "}"),
               "", "[0, 0, 0]");
}

inline const std::string kMotor = R"(, "actuators": [{"name": "motor", "joint_torque": {"joint": "axle"}}])";
inline const std::string kEncoder = R"(, "sensors": [{"name": "encoder", "joint_angle": {"joint": "axle"}}])";

struct VerdictCase {
  std::string name;
  rt::ModelSpec spec;
  bool trusted;
  std::string reason;  ///< in one of the lines of the verdict
  std::int64_t step_us = 1000, until_ms = 1000;
  std::function<void(ValidationOptions&)> change = {};
};

inline rt::ModelSpec specOf(const std::string& text) {
  const ModelDocument document = server::readModelText(text, server::ModelSyntax::kJson);
  std::string all;
  for (const server::LocatedFinding& finding : document.findings) all += server::toString(finding, "m") + '\n';
  INFO(text << '\n' << all);
  REQUIRE(document.valid());
  return document.spec;
}

inline std::function<void(ValidationOptions&)> tolerance(const std::string& text) {
  return [text](ValidationOptions& options) { options.tolerances.set(text); };
}

inline void check(const VerdictCase& c) {
  const rt::Model built = rt::buildModel(c.spec);
  ValidationOptions options;
  options.step_ns = 1000 * c.step_us;
  options.until_ns = 1'000'000 * c.until_ms;
  options.budget_s = 1200;  // a verdict, not the speed of a busy or instrumented machine
  if (c.change) c.change(options);
  const ValidationReport report = server::validate(built, options, kNever, [](const std::string&) {});
  std::string all;
  for (const std::string& reason : report.reasons) all += reason + '\n';
  INFO(c.name << ", " << report.wall_seconds << " s\n" << all);
  CHECK(report.trusted == c.trusted);
  CHECK_THAT(all, Catch::Matchers::Contains(c.reason));
  // The deciding line is one of the findings, and of the kind of the verdict.
  CHECK(report.deciding.rfind(c.trusted ? "ok: " : "no: ", 0) == 0);
}

}  // namespace tactus::tests::verdicts
