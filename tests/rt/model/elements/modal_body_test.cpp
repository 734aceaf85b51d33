// Modal bodies as composites: parts, springs, findings.
#include "rt/model/elements/modal_body.h"

#include "rt/math/modal_parts.h"
#include "rt/model/expand.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <Eigen/LU>
#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <limits>

using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

using Eigen::MatrixXd;

constexpr double kFactorRounding = 1e-9;  // of matrices and their factors

std::vector<double> byRows(const MatrixXd& m) {
  std::vector<double> numbers;
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) numbers.push_back(m(r, c));
  return numbers;
}

/// Stiffness of two interfaces at x = -1 and 1 with springs between them in the middle.
MatrixXd stiffnessOfDumbbell() {
  MatrixXd strain(6, 12);
  strain << -motionAt({1, 0, 0}), motionAt({-1, 0, 0});
  const Eigen::VectorXd springs = Vector6d(4e6, 2e6, 3e6, 5e5, 7e5, 6e5);
  return strain.transpose() * springs.asDiagonal() * strain;
}

/// Two masses of 20 kg, half of which the interface bodies carry, and one mode of 3 kg between them.
ModalBodySpec dumbbell() {
  const Matrix3d inertia = Vector3d(2, 3, 3.5).asDiagonal();
  MatrixXd mass = MatrixXd::Zero(12, 12);
  for (const Eigen::Index at : {0, 6}) {
    mass.block<3, 3>(at, at) = 20 * Matrix3d::Identity();
    mass.block<3, 3>(at + 3, at + 3) = 2 * inertia;
  }
  ModalBodySpec body;
  body.position = Vector3d(0, 0, 4);
  body.orientation = Vector4d(0.8, 0, 0, 0.6);
  body.velocity = Vector3d(1, 0, 0);
  body.angular_velocity = Vector3d(0, 0, 2);
  body.interfaces = {{"left", {-1, 0, 0}, 10, inertia}, {"right", {1, 0, 0}, 10, inertia}};
  body.stiffness = byRows(stiffnessOfDumbbell());
  body.mass = byRows(mass);
  return body;
}

ModelSpec sampleWithModalBody(const ModalBodySpec& body) {
  ModelSpec spec = sampleModel();
  spec.composites = {{"flex", "bends", body}};
  return spec;
}

const BodySpec& partOf(const ModelSpec& expanded, const std::string& name) {
  for (const BodySpec& body : expanded.bodies)
    if (body.name == name) return body;
  FAIL("no body " << name);
  return expanded.bodies.front();
}

/// Of the springs, in displacements against the mean body.
MatrixXd stiffnessOfSprings(const ModelSpec& expanded, const std::vector<std::string>& parts) {
  const auto size = static_cast<Eigen::Index>(6 * parts.size());
  MatrixXd K = MatrixXd::Zero(size, size);
  for (const ForceSpec& force : expanded.forces) {
    if (const auto* spring = std::get_if<ModeSpringSpec>(&force.kind)) {
      Eigen::VectorXd weights = Eigen::VectorXd::Zero(size);
      for (const ModeSpringPartSpec& part : spring->parts) {
        const auto place = std::find(parts.begin(), parts.end(), part.body) - parts.begin();
        weights.segment<6>(6 * place) << part.translation, part.rotation;
      }
      K += spring->stiffness * weights * weights.transpose();
    }
  }
  return K;
}

std::vector<Finding> errorsOf(const ModalBodySpec& body) {
  std::vector<Finding> findings = checkModel(sampleWithModalBody(body));
  std::erase_if(findings, [](const Finding& f) { return f.severity != Severity::kError; });
  return findings;
}

}  // namespace

TEST_CASE("a modal body becomes a mean body, a body for each interface and a body for six modes",
          "[rt][model][modal]") {
  ModalBodySpec body = dumbbell();
  body.modes = 6;
  const ModelSpec spec = sampleWithModalBody(body);
  REQUIRE(checkModel(spec).empty());
  const ModelSpec expanded = expand(spec);
  const BodySpec &mean = partOf(expanded, "flex"), &left = partOf(expanded, "flex.left"),
                 &right = partOf(expanded, "flex.right"), &modes = partOf(expanded, "flex.modes_1");
  CHECK(left.mass == 10);
  CHECK(mean.mass + modes.mass == Approx(20).epsilon(kFactorRounding));
  CHECK((mean.position - Vector3d(0, 0, 4)).norm() < kFactorRounding);
  CHECK((modes.position - mean.position).norm() < kFactorRounding);
  // Each moves as the rigid body would: 2 rad/s about the vertical, cos and sin of the declared turn 0.28 and 0.96.
  CHECK((right.position - Vector3d(0.28, 0.96, 4)).norm() < kFactorRounding);
  CHECK((right.velocity - Vector3d(1 - 2 * 0.96, 2 * 0.28, 0)).norm() < kFactorRounding);
  CHECK(right.angular_velocity == body.angular_velocity);
  CHECK(std::count_if(expanded.forces.begin(), expanded.forces.end(),
                      [](const ForceSpec& force) { return force.name.compare(0, 16, "flex.mode_spring") == 0; }) == 18);
}

TEST_CASE("the springs of a modal body have the stiffness matrix of its parts", "[rt][model][modal]") {
  for (const int modes : {0, 6}) {
    ModalBodySpec body = dumbbell();
    body.modes = modes;
    body.damping_time = 1e-3;
    std::vector<std::string> names = {"flex.left", "flex.right"};
    if (modes == 6) names.emplace_back("flex.modes_1");
    CraigBampton data{
        {{-1, 0, 0}, {1, 0, 0}}, stiffnessOfDumbbell(), MatrixXd(12, 12), Eigen::VectorXd(), MatrixXd(12, 0)};
    for (Eigen::Index r = 0; r < 12; ++r)
      for (Eigen::Index c = 0; c < 12; ++c) data.mass(r, c) = body.mass[static_cast<std::size_t>(12 * r + c)];
    const Matrix3d inertia = body.interfaces[0].inertia;
    const MatrixXd exact = modalParts(data, {{10, inertia}, {10, inertia}}, modes).stiffness;
    const MatrixXd springs = stiffnessOfSprings(expand(sampleWithModalBody(body)), names);
    CHECK((springs - exact).norm() < kFactorRounding * exact.norm());
  }
}

TEST_CASE("each bad value of a modal body is one finding at the modal body", "[rt][model][modal]") {
  struct Case {
    const char* path;
    std::function<void(ModalBodySpec&)> spoil;
  };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Case cases[] = {
      {"stiffness", [](ModalBodySpec& b) { b.stiffness.pop_back(); }},
      {"mass", [](ModalBodySpec& b) { b.mass.resize(36); }},
      {"coupling",
       [](ModalBodySpec& b) {
         b.coupling = {1, 2, 3};
       }},
      {"stiffness[5]", [&](ModalBodySpec& b) { b.stiffness[5] = nan; }},
      {"stiffness", [](ModalBodySpec& b) { b.stiffness[1] += 100; }},
      {"mass", [](ModalBodySpec& b) { b.mass[2] += 1; }},
      {"stiffness", [](ModalBodySpec& b) { b.stiffness[0] *= 1.01; }},
      {"stiffness",
       [](ModalBodySpec& b) {
         for (double& k : b.stiffness) k = -k;
       }},
      {"stiffness",
       [](ModalBodySpec& b) {
         for (double& k : b.stiffness) k = 0;
       }},
      {"mass", [](ModalBodySpec& b) { b.mass[0] = -20; }},
      {"mass", [](ModalBodySpec& b) { b.mass[0] = 21; }},
      {"interfaces", [](ModalBodySpec& b) { b.interfaces[0].mass = 21; }},
      {"interfaces[1].mass", [](ModalBodySpec& b) { b.interfaces[1].mass = 0; }},
      {"interfaces[1].inertia", [](ModalBodySpec& b) { b.interfaces[1].inertia(0, 0) = -0.1; }},
      {"interfaces[1].name", [](ModalBodySpec& b) { b.interfaces[1].name = "left"; }},
      {"interfaces[0].name", [](ModalBodySpec& b) { b.interfaces[0].name = "modes_1"; }},
      {"interfaces[0].name", [](ModalBodySpec& b) { b.interfaces[0].name = "a.b"; }},
      {"modes", [](ModalBodySpec& b) { b.modes = 4; }},
      {"modes", [](ModalBodySpec& b) { b.modes = 12; }},
      {"damping_time", [](ModalBodySpec& b) { b.damping_time = -1; }},
      {"mode_stiffness[0]",
       [](ModalBodySpec& b) {
         b.mode_stiffness = {-1};
         b.coupling.assign(12, 0.0);
       }},
  };
  for (const Case& bad : cases) {
    ModalBodySpec body = dumbbell();
    REQUIRE(errorsOf(body).empty());
    bad.spoil(body);
    const std::vector<Finding> errors = errorsOf(body);
    CAPTURE(bad.path, errors.size(), errors.empty() ? "" : errors.front().path + " " + errors.front().rule);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].path == std::string("composites[0].modal_body.") + bad.path);
    CHECK_FALSE(errors[0].rule.empty());
  }
}

TEST_CASE("a modal body without interfaces reports all that is wrong at once", "[rt][model][modal]") {
  ModalBodySpec body = dumbbell();
  body.interfaces.clear();
  body.modes = 5;
  CHECK(errorsOf(body).size() >= 4);  // interfaces, stiffness, mass, modes
}

TEST_CASE("names of bodies that a bad modal body does not make are no findings of their own", "[rt][model][modal]") {
  ModelSpec spec = sampleWithModalBody(dumbbell());
  const std::size_t others = spec.joints.size();
  for (const char* body : {"flex.left", "flex", "flexible"})
    spec.joints.push_back(
        {std::string("at_") + std::to_string(spec.joints.size()), "", kGroundName, body, JointKinds(SphericalSpec{})});
  const auto errors = [&] {
    std::vector<std::string> paths;
    for (const Finding& f : checkModel(spec))
      if (f.severity == Severity::kError) paths.push_back(f.path);
    return paths;
  };
  const std::string unknown = element("joints", others + 2) + ".body_2";
  REQUIRE(errors() == std::vector<std::string>{unknown});
  std::get<ModalBodySpec>(spec.composites[0].kind).mass.pop_back();
  CHECK(errors() == std::vector<std::string>{"composites[0].modal_body.mass", unknown});
}
