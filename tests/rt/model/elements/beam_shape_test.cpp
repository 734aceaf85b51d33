// Beams along splines: nodes, tangents, twist; those along polylines are in beam_test.cpp.
#include "rt/model/elements/beam_shape.h"

#include "rt/math/worst.h"
#include "rt/model/model.h"
#include "tests/rt/model/sample_model.h"
#include "tests/support/compare.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

using namespace tactus::rt;
using namespace tactus::rt::test;
using tactus::tests::observedOrders;

namespace {

/// Points of a circle of 2 m about (0, 2, 0) over 1.5 rad from the origin, along x there; the sections turn by 0.6 rad.
std::vector<BeamPointSpec> arc(int spans) {
  std::vector<BeamPointSpec> points;
  for (int k = 0; k <= spans; ++k) {
    const double angle = 1.5 * k / spans;
    points.push_back({{2 * std::sin(angle), 2 - 2 * std::cos(angle), 0}, 0.6 * k / spans});
  }
  return points;
}

}  // namespace

TEST_CASE("nodes of a beam along a spline lie on the circle of its points, at equal lengths, with order 4",
          "[rt][model][beam]") {
  std::vector<double> length, distance;
  for (const int spans : {4, 8, 16, 32}) {
    const BeamShape shape(arc(spans), BeamCurve::kSpline, 10);
    REQUIRE(shape.nodes.size() == 11);
    double off = 0;
    for (int k = 0; k <= 10; ++k) {
      const double angle = 0.15 * k;
      const Vector3d exact(2 * std::sin(angle), 2 - 2 * std::cos(angle), 0);
      off = tactus::rt::worst(off, (shape.nodes[static_cast<std::size_t>(k)] - exact).norm());
    }
    length.push_back(std::abs(10 * shape.spacing - 3));
    distance.push_back(off);
    for (const double part : shape.lengths) CHECK(part == shape.spacing);
  }
  CAPTURE(length, distance);
  CHECK(distance.back() < 1e-6);  // m
  for (const double order : observedOrders(length)) CHECK(order > 3.5);
  for (const double order : observedOrders(distance)) CHECK(order > 3.5);
}

TEST_CASE("elements of a spline share their tangent at a node, and the sections twist evenly", "[rt][model][beam]") {
  const BeamShape shape(arc(6), BeamCurve::kSpline, 10);
  for (std::size_t i = 1; i < shape.tangents.size(); ++i) CHECK(shape.tangents[i][0] == shape.tangents[i - 1][1]);
  CHECK((shape.tangents[0][0] - Vector3d::UnitX()).norm() < 5e-3);  // six spans of a quarter of a radian
  for (std::size_t k = 0; k < shape.twists.size(); ++k)
    CHECK(shape.twists[k] == Approx(0.06 * static_cast<double>(k)).margin(1e-3));  // along the spline, not the circle
  for (std::size_t k = 1; k < shape.turns.size(); ++k) CHECK(shape.turns[k] == Approx(0.15).epsilon(0.05));
}

TEST_CASE("a beam along a spline is strained evenly where its points lie on a circle", "[rt][model][beam]") {
  ModelSpec spec = sampleModel();
  BeamSpec beam;
  beam.points = arc(12);
  for (BeamPointSpec& point : beam.points) point.twist = 0;
  beam.curve = BeamCurve::kSpline;
  beam.elements = 10;
  beam.across = Vector3d::UnitZ();
  beam.stations = {{0, CircleSectionSpec{0.01}}};
  beam.material = BeamMaterialSpec{207e9, 0.3, 7800};
  beam.mounts = {{0, kGroundName}};
  spec.composites = {{"bow", "", beam}};
  REQUIRE(checkModel(spec).empty());
  const Model model = buildModel(spec);
  for (std::size_t i = model.compliant_laws.size() - 10; i < model.compliant_laws.size(); ++i) {
    const CompliantLaw& law = model.compliant_laws[i];
    CHECK((law.rest.head<3>() - Vector3d(0.3, 0, 0)).norm() < 1e-4);   // m: twelve spans, of order 3 in tangents
    CHECK((law.rest.tail<3>() - Vector3d(0, 0.15, 0)).norm() < 2e-3);  // rad about z, axis 2
  }
}

TEST_CASE("bad points of a spline are findings", "[rt][model][beam]") {
  ModelSpec spec = sampleModel();
  BeamSpec beam;
  beam.points = arc(4);
  beam.curve = BeamCurve::kSpline;
  beam.elements = 8;
  beam.across = Vector3d::UnitZ();
  beam.stations = {{0, GeneralSectionSpec{Eigen::MatrixXd::Identity(6, 6), 1, {2, 1, 1}}}};
  spec.composites = {{"bow", "", beam}};
  REQUIRE(checkModel(spec).empty());
  const auto refused = [&spec, &beam](const auto& change, const std::string& path, const std::string& text) {
    BeamSpec changed = beam;
    change(changed);
    spec.composites[0].kind = changed;
    TACTUS_REQUIRE_FINDING(spec, "composites[0].beam" + path, text);
  };
  refused([](BeamSpec& b) { b.points[2] = b.points[1]; }, ".points[2].position", "apart from the point before");
  refused([](BeamSpec& b) { b.points.resize(1); }, ".points", "at least 2");
  const Vector3d along = BeamShape(beam.points, beam.curve, beam.elements).tangents[3][0];
  refused([&along](BeamSpec& b) { b.across = along; }, ".across", "along the beam");
}

TEST_CASE("a spline with too few elements for its turn is a finding, up to loops within an element",
          "[rt][model][beam]") {
  ModelSpec spec = sampleModel();
  BeamSpec beam;
  beam.curve = BeamCurve::kSpline;
  beam.across = Vector3d::UnitZ();
  beam.stations = {{0, CircleSectionSpec{0.01}}};
  beam.material = BeamMaterialSpec{207e9, 0.3, 7800};
  // Turns of the whole axis: below and above the limit, at the half turn where the rotation of an element has no axis,
  // and at the full turn where the tangents at its ends are one.
  for (const auto& [turn, elements, error] : {std::tuple{3.0, 4, false},
                                              {3.0, 2, true},
                                              {3.1415, 1, true},
                                              {3.1416, 1, true},
                                              {6.2832, 1, true},
                                              {6.2832, 8, false}}) {
    CAPTURE(turn, elements);
    beam.points.clear();
    beam.elements = elements;
    for (int k = 0; k <= 12; ++k) {
      const double angle = turn * k / 12;
      beam.points.push_back({{std::sin(angle), 1 - std::cos(angle), 0}, 0});
    }
    spec.composites = {{"bow", "", beam}};
    const std::vector<Finding> findings = checkModel(spec);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].path == "composites[0].beam.elements");
    CHECK(findings[0].severity == (error ? Severity::kError : Severity::kWarning));
    CHECK_THAT(findings[0].rule, Catch::Contains("the axis turns by"));
  }
}
