#include "server/import/tree_starts.h"

#include "tests/server/import/report_text.h"

#include <catch2/catch.hpp>

using namespace tactus::server;

namespace {

/// Links one behind the other, each on one joint.
LinkTree lineOf(const std::vector<TreeJoint>& joints) {
  LinkTree tree;
  for (std::size_t i = 0; i < joints.size(); ++i) {
    TreeLink link;
    link.place = {"file.xml", static_cast<int>(i) + 1, ""};
    link.parent = static_cast<int>(i) - 1;
    link.joints = {joints[i]};
    link.joints.front().place = {"file.xml", static_cast<int>(i) + 1, ""};
    tree.links.push_back(link);
  }
  return tree;
}

TreeJoint jointOf(const std::string& name, JointMotion motion, std::optional<double> lower = {},
                  std::optional<double> upper = {}) {
  TreeJoint joint;
  joint.name = name;
  joint.motion = motion;
  joint.lower = lower;
  joint.upper = upper;
  return joint;
}

/// knuckle = 0.5 finger + 0.1
LinkTree hand() {
  LinkTree tree = lineOf({jointOf("finger", JointMotion::kTurn), jointOf("knuckle", JointMotion::kTurn)});
  tree.couplings.push_back({"", {"file.xml", 7, ""}, "knuckle", "finger", 0.5, 0.1});
  return tree;
}

std::string errorsWith(const LinkTree& tree, const std::map<std::string, double>& given) {
  ImportReport report;
  startsOf(tree, given, report);
  return errorsOf(report);
}

}  // namespace

TEST_CASE("a start lies within the limits of its joint", "[server][import]") {
  const LinkTree turning = lineOf({jointOf("j", JointMotion::kTurn, -1, 2)});
  for (const double start : {-1.0, 0.0, 2.0}) {
    ImportReport report;
    CHECK(startsOf(turning, {{"j", start}}, report).at("j") == start);
    CHECK_FALSE(report.failed());
  }
  CHECK(errorsWith(lineOf({jointOf("j", JointMotion::kTurn)}), {{"j", 9}}).empty());
  CHECK(errorsWith(turning, {{"j", 9}}).find("--start j=9: must be within the limits of the joint: -1 to 2 rad") !=
        std::string::npos);
  CHECK(errorsWith(lineOf({jointOf("j", JointMotion::kSlide, -1, 2)}), {{"j", -1.5}}).find(": -1 to 2 m") !=
        std::string::npos);
  CHECK(errorsWith(lineOf({jointOf("j", JointMotion::kPlane)}), {{"j", 1}})
            .find("must be of a joint that turns about an axis or slides") != std::string::npos);
}

TEST_CASE("without a start of the user a joint stands where the file says, at its zero or at the nearest limit",
          "[server][import]") {
  LinkTree tree = lineOf({jointOf("stated", JointMotion::kTurn), jointOf("zero", JointMotion::kTurn, -1, 1),
                          jointOf("limit", JointMotion::kTurn, 0.5, 1)});
  tree.links[0].joints[0].start = 0.25;
  ImportReport report;
  const auto starts = startsOf(tree, {}, report);
  CHECK(starts.at("stated") == 0.25);
  CHECK(starts.at("zero") == 0);
  CHECK(starts.at("limit") == 0.5);
  CHECK_FALSE(report.failed());
  REQUIRE(report.losses().size() == 1);
  CHECK(report.losses().front().reason.find("starts at its limit 0.5") != std::string::npos);
}

TEST_CASE("a start of an unknown joint names the nearest one", "[server][import]") {
  const std::string errors = errorsWith(hand(), {{"fingr", 1}});
  CHECK(errors.find("must be a joint that moves") != std::string::npos);
  CHECK(errors.find("did you mean \"finger\"?") != std::string::npos);
}

TEST_CASE("a joint that follows another one starts where the coupling says, and nowhere else", "[server][import]") {
  ImportReport report;
  CHECK(startsOf(hand(), {{"finger", 0.4}}, report).at("knuckle") == Approx(0.3).epsilon(1e-15));  // rounding
  CHECK(errorsWith(hand(), {{"finger", 0.4}, {"knuckle", 0.3}}).empty());
  const std::string errors = errorsWith(hand(), {{"knuckle", 0.3}});
  CHECK(errors.find("file.xml:7") != std::string::npos);
  CHECK(errors.find("--start knuckle=0.3: must be 0.1: the joint follows \"finger\"") != std::string::npos);
  CHECK(errors.find("give the start of \"finger\" instead") != std::string::npos);
}

TEST_CASE("couplings that lead back to their joint, or that put one joint in two places, are errors",
          "[server][import]") {
  const auto withCouplings = [](const std::vector<JointCoupling>& couplings) {
    LinkTree tree = lineOf({jointOf("a", JointMotion::kTurn), jointOf("b", JointMotion::kTurn),
                            jointOf("c", JointMotion::kTurn), jointOf("d", JointMotion::kTurn)});
    tree.couplings = couplings;
    return errorsWith(tree, {{"d", 0.4}});
  };
  const auto couple = [](const std::string& joint, const std::string& other, int line) {
    return JointCoupling{"", {"file.xml", line, ""}, joint, other, 2, 0};
  };
  CHECK(withCouplings({couple("a", "b", 5), couple("b", "c", 6), couple("c", "d", 7)}).empty());
  const std::string circle = withCouplings({couple("d", "a", 4), couple("a", "b", 5), couple("b", "a", 6)});
  CHECK(circle.find("file.xml:5") != std::string::npos);
  CHECK(circle.find("must not lead back to a joint that follows: \"a\" follows \"b\" (line 5), which follows \"a\" "
                    "(line 6)") != std::string::npos);
  // A joint with two couplings, of which the last one leads elsewhere.
  CHECK(withCouplings({couple("b", "a", 4), couple("a", "b", 5), couple("a", "d", 6)}).find("a circle") !=
        std::string::npos);
  const std::string twice = withCouplings({couple("a", "b", 5), couple("a", "d", 6)});
  CHECK(twice.find("file.xml:5") != std::string::npos);
  CHECK(twice.find("\"a\" at 0.8: must be 0: the joint follows \"b\"") != std::string::npos);
}

TEST_CASE("a joint that follows another one beyond its own limits is a loss", "[server][import]") {
  LinkTree tree = hand();
  tree.links[1].joints[0].upper = 0.2;
  for (const double start : {0.0, 0.4}) {
    ImportReport report;
    CHECK(startsOf(tree, {{"finger", start}}, report).at("knuckle") == 0.5 * start + 0.1);
    CHECK_FALSE(report.failed());
    CHECK((report.motionLosses() == 1) == (start > 0));
    CHECK((lossText(report).find("starts at 0.3, beyond its limit 0.2") != std::string::npos) == (start > 0));
  }
}
