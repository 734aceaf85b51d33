// Mode springs: loads against differences of an independent energy, third law, declared state, findings.
#include "rt/model/elements/mode_spring.h"

#include "rt/mechanics/compliant_loads.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"

#include <Eigen/Geometry>
#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

using namespace tactus;
using namespace tactus::rt;
using namespace tactus::rt::test;

namespace {

using Motions = std::vector<BodyMotion>;

ModeSpringSpec springOfThree() {
  ModeSpringSpec spring;
  spring.body = "a";
  spring.parts = {{"b", {1, 0.2, 0}, {0.1, 0, 0}, {1, -0.5, 0.25}, {0.3, 0, -0.4}},
                  {"c", {0, 2, 0}, {0, 0.1, 0.2}, {0, 0, 0}, {0, 0.5, 0}},
                  {"d", {0, 0, 3}, {0, 0, 0}, {0, 2, 0}, {0, 0, 0}}};
  spring.stiffness = 700;
  return spring;
}

ModelSpec modelOf(const ModeSpringSpec& spring) {
  ModelSpec spec;
  spec.name = "modes";
  spec.gravity = Vector3d::Zero();
  for (const char* name : {"a", "b", "c", "d"})
    spec.bodies.push_back(sampleBody(name, {1.0 * static_cast<double>(spec.bodies.size()), 0.5, 0}));
  // Another orientation than that of the reference body: the rotation counts from the declared state.
  spec.bodies[1].orientation = Vector4d(0.8, 0, 0.6, 0);
  spec.forces = {{"spring", "", spring}};
  return spec;
}

Motions declaredMotions(const Model& model) {
  Motions motions(model.bodies.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    motions[i].r = model.initial_conditions[0].position[i];
    motions[i].R = rotationMatrix(model.initial_conditions[0].orientation[i]);
  }
  return motions;
}

Matrix3d turn(const Vector3d& rotation) {
  return rotation.norm() == 0 ? Matrix3d::Identity()
                              : Eigen::AngleAxisd(rotation.norm(), rotation.normalized()).toRotationMatrix();
}

/// The weighted sum, written anew: the sine of the rotation is in the antisymmetric part of the relative rotation.
double sumAt(const ModeSpringSpec& spring, const Motions& declared, const Motions& motions) {
  double sum = 0;
  for (std::size_t i = 0; i < spring.parts.size(); ++i) {
    const ModeSpringPartSpec& part = spring.parts[i];
    const BodyMotion &a = motions[0], &b = motions[i + 1];
    const Vector3d d = a.R.transpose() * (b.r + b.R * part.point - a.r - a.R * part.reference_point);
    const Matrix3d relative = a.R.transpose() * b.R * declared[i + 1].R.transpose() * declared[0].R;
    const Vector3d sine(relative(2, 1) - relative(1, 2), relative(0, 2) - relative(2, 0),
                        relative(1, 0) - relative(0, 1));
    sum += part.translation.dot(d) + 0.5 * part.rotation.dot(sine);
  }
  return sum;
}

Eigen::VectorXd loadsAt(const Model& model, const Motions& motions) {
  std::vector<Load> loads(motions.size());
  double lambda[1];
  addCompliantLoad(model, model.joints[0], motions.data(), nullptr, nullptr, lambda, loads.data());
  Eigen::VectorXd all(6 * motions.size());
  for (std::size_t i = 0; i < loads.size(); ++i)
    all.segment<6>(static_cast<Eigen::Index>(6 * i)) << loads[i].force, loads[i].torque;
  return all;
}

/// Motions some way off the declared ones.
Motions movedAtRandom(Motions motions, std::mt19937& random) {
  std::normal_distribution<double> normal;
  const auto any = [&]() -> Vector3d { return 0.2 * Vector3d(normal(random), normal(random), normal(random)); };
  for (BodyMotion& m : motions) {
    m.r += any();
    m.R = turn(any()) * m.R;
  }
  return motions;
}

}  // namespace

TEST_CASE("a mode spring is without load in the declared state", "[rt][model][modal]") {
  const Model model = buildModel(modelOf(springOfThree()));
  CHECK(loadsAt(model, declaredMotions(model)).norm() < 1e-11);  // round-off of 700 N/m times 3 m
}

TEST_CASE("the loads of a mode spring are the slope of its energy and obey the third law", "[rt][model][modal]") {
  const ModeSpringSpec spring = springOfThree();
  const Model model = buildModel(modelOf(spring));
  const Motions declared = declaredMotions(model);
  const double rest = sumAt(spring, declared, declared);
  const auto energyAt = [&](const Motions& motions) {
    return 0.5 * spring.stiffness * std::pow(sumAt(spring, declared, motions) - rest, 2);
  };
  std::mt19937 random(41);
  for (int repeat = 0; repeat < 5; ++repeat) {
    const Motions motions = movedAtRandom(declared, random);
    const Eigen::VectorXd loads = loadsAt(model, motions);
    const double h = 1e-5;
    Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
    for (int k = 0; k < 24; ++k) {
      Motions moved[2] = {motions, motions};
      for (int s = 0; s < 2; ++s) {
        BodyMotion& m = moved[s][static_cast<std::size_t>(k / 6)];
        const Vector3d step = (s == 0 ? h : -h) * Vector3d::Unit(k % 3);
        if (k % 6 < 3)
          m.r += step;
        else
          m.R = turn(step) * m.R;
      }
      // Differences of some 1e3 J over 2e-5.
      CHECK(loads[k] == Approx(-(energyAt(moved[0]) - energyAt(moved[1])) / (2 * h)).epsilon(1e-6).margin(1e-4));
    }
    for (std::size_t i = 0; i < motions.size(); ++i) {
      const Vector3d f = loads.segment<3>(static_cast<Eigen::Index>(6 * i));
      force += f;
      moment += motions[i].r.cross(f) + loads.segment<3>(static_cast<Eigen::Index>(6 * i + 3));
    }
    CHECK(force.norm() < 1e-10);  // round-off of about 1e3 N
    CHECK(moment.norm() < 1e-10);
  }
}

TEST_CASE("mode springs: each bad value gets its finding", "[rt][model][modal]") {
  const auto refused = [](auto&& change, const std::string& field, const std::string& rule) {
    ModeSpringSpec spring = springOfThree();
    change(spring);
    const ModelSpec spec = modelOf(spring);
    TACTUS_REQUIRE_FINDING(spec, "forces[0].mode_spring" + field, rule);
  };
  refused([](ModeSpringSpec& s) { s.parts.clear(); }, ".parts", "1 to 7");
  refused([](ModeSpringSpec& s) { s.body = "z"; }, ".body", "name of a body");
  refused([](ModeSpringSpec& s) { s.parts[1].body = "b"; }, ".parts[1].body", "neither the reference body");
  refused([](ModeSpringSpec& s) { s.parts[1].body = "a"; }, ".parts[1].body", "neither the reference body");
  refused([](ModeSpringSpec& s) { s.parts[2].translation.setZero(); }, ".parts[2].rotation", "not be zero");
  refused([](ModeSpringSpec& s) { s.parts[0].translation[1] = NAN; }, ".parts[0].translation", "finite");
  refused([](ModeSpringSpec& s) { s.stiffness = 0; }, ".stiffness", "above zero");
  refused([](ModeSpringSpec& s) { s.damping = -1; }, ".damping", "below zero");
}
