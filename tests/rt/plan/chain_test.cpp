#include "rt/plan/chain.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"
#include "tests/support/random_mechanisms.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace tactus;
using namespace tactus::tests;

TEST_CASE("only a chain of spherical joints becomes lanes", "[rt][plan][chain]") {
  const auto isChain = [](const rt::ModelSpec& spec) { return rt::findChain(rt::buildModel(spec)).has_value(); };
  CHECK(isChain(chain(2)));
  CHECK(isChain(doublePendulum()));
  CHECK_FALSE(isChain(chain(1)));
  CHECK_FALSE(isChain(freeBody(1)));
  CHECK_FALSE(isChain(fourBar(FourBarReading::kDown)));
  CHECK_FALSE(isChain(together({chain(3), chain(4)})));
  CHECK_FALSE(isChain(star(3, JointMix::kSpherical, true, 1)));
  CHECK_FALSE(isChain(randomTree(9, JointMix::kHinged, 1)));
}

TEST_CASE("the number of segments depends on the number of bodies only", "[rt][plan][chain]") {
  const auto segments = [](int n) { return rt::findChain(rt::buildModel(chain(n)))->segments; };
  CHECK(segments(2) == 4);
  CHECK(segments(31) == 4);
  CHECK(segments(32) == 8);
  CHECK(segments(511) == 8);
  CHECK(segments(512) == 16);
  CHECK(segments(1024) == 32);
  CHECK(segments(4096) == 64);
}

TEST_CASE("the elements of a chain stand in line, whatever order the file has", "[rt][plan][chain]") {
  const rt::Model model = rt::buildModel(reordered(randomChain(9, 2, 4), 5));
  const std::optional<rt::Chain> found = rt::findChain(model);
  REQUIRE(found);
  REQUIRE(found->segments * found->stations >= 9);
  std::vector<int> bodies;
  for (const rt::ChainElement& element : found->elements)
    if (element.body >= 0) bodies.push_back(element.body);
  REQUIRE(bodies.size() == 9);
  // Neighbors in line share a joint.
  for (std::size_t i = 0; i + 1 < bodies.size(); ++i) {
    const bool joined = std::any_of(model.joints.begin(), model.joints.end(), [&](const rt::Joint& j) {
      return (j.body_1 == bodies[i] && j.body_2 == bodies[i + 1]) ||
             (j.body_2 == bodies[i] && j.body_1 == bodies[i + 1]);
    });
    CHECK(joined);
  }
  // One joint an element or an interface: each row of the model is held once.
  std::vector<int> rows;
  for (const rt::ChainElement& element : found->elements)
    if (element.joined) rows.push_back(element.row);
  for (const rt::ChainInterface& interface : found->interfaces)
    if (interface.joined) rows.push_back(interface.row);
  std::sort(rows.begin(), rows.end());
  REQUIRE(rows.size() == model.joints.size());
  for (std::size_t j = 0; j < rows.size(); ++j) CHECK(rows[j] == static_cast<int>(3 * j));
}
