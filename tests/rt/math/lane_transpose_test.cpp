#include "rt/math/lane_transpose.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace tactus::rt;

namespace {

/// Four rows of N numbers: number k of lane l is 100 l + k.
template <int N>
std::vector<double> fourRows() {
  std::vector<double> rows(4 * N);
  for (int lane = 0; lane < 4; ++lane)
    for (int k = 0; k < N; ++k) rows[static_cast<std::size_t>(lane * N + k)] = 100 * lane + k;
  return rows;
}

template <int N>
void checkGatherAndScatter() {
  const std::vector<double> rows = fourRows<N>();
  const double* const from[4] = {&rows[0], &rows[N], &rows[2 * N], &rows[3 * N]};
  Lanes<4> values[N];
  gather(from, values);
  for (int k = 0; k < N; ++k)
    for (int lane = 0; lane < 4; ++lane) REQUIRE(values[k][lane] == 100 * lane + k);

  std::vector<double> back(4 * N);
  double* const to[4] = {&back[0], &back[N], &back[2 * N], &back[3 * N]};
  scatter(values, to);
  CHECK(back == rows);
}

}  // namespace

TEST_CASE("gathering puts number k of each row into value k, and scattering is its inverse", "[rt][math]") {
  checkGatherAndScatter<4>();
  checkGatherAndScatter<5>();
  checkGatherAndScatter<7>();
  checkGatherAndScatter<8>();
  checkGatherAndScatter<19>();
}

TEST_CASE("vectors of three numbers are gathered and scattered without touching a fourth", "[rt][math]") {
  std::vector<double> rows = fourRows<4>();
  const double* const from[4] = {&rows[0], &rows[4], &rows[8], &rows[12]};
  Lanes<4> values[3];
  gatherThree(from, values);
  for (int k = 0; k < 3; ++k)
    for (int lane = 0; lane < 4; ++lane) CHECK(values[k][lane] == 100 * lane + k);

  double* const to[4] = {&rows[0], &rows[4], &rows[8], &rows[12]};
  for (Lanes<4>& value : values) value += Lanes<4>(0.5);
  scatterThree(values, to);
  for (int lane = 0; lane < 4; ++lane) {
    for (int k = 0; k < 3; ++k) CHECK(to[lane][k] == 100 * lane + k + 0.5);
    CHECK(to[lane][3] == 100 * lane + 3);
  }
}
