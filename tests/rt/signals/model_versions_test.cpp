#include "rt/signals/model_versions.h"
#include "rt/model/model.h"

#include "tests/support/mechanisms.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("a model is found by its version until no publication in use was made with it", "[rt][signals]") {
  const auto first = std::make_shared<const Model>(buildModel(tactus::tests::doublePendulum()));
  const auto second = std::make_shared<const Model>(buildModel(tactus::tests::doublePendulum()));
  ModelVersions versions;
  CHECK(versions.find(1) == nullptr);
  versions.add(1, first);
  versions.add(2, second);
  CHECK(versions.find(1) == first);
  CHECK(versions.find(2) == second);
  CHECK(versions.find(3) == nullptr);

  // Version 1 made its last publication at 50.
  versions.retire(1, 50);
  versions.forget(50);
  CHECK(versions.find(1) == first);
  versions.forget(51);
  CHECK(versions.find(1) == nullptr);
  CHECK(versions.find(2) == second);
}

TEST_CASE("the first retirement of a version decides how long its model is kept", "[rt][signals]") {
  ModelVersions versions;
  versions.add(1, std::make_shared<const Model>(buildModel(tactus::tests::doublePendulum())));
  versions.retire(1, 20);
  versions.retire(1, 90);
  versions.forget(21);
  CHECK(versions.find(1) == nullptr);
}
