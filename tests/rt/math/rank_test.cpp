// The rank of a dense matrix.
#include "rt/math/rank.h"

#include <catch2/catch.hpp>

using namespace tactus::rt;

TEST_CASE("the rank counts independent columns, and none below the threshold", "[rt][math]") {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(4, 3);
  m.col(0) << 1, 2, 3, 4;
  m.col(1) << 0, 1, 0, -1;
  m.col(2) = 2 * m.col(0) - m.col(1);
  CHECK(rankOf(m, 1e-8) == 2);
  m(0, 2) += 1e-10;
  CHECK(rankOf(m, 1e-8) == 2);
  m(0, 2) += 1e-3;
  CHECK(rankOf(m, 1e-8) == 3);
}
