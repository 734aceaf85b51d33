#include "rt/math/fixed_size.h"

#include <catch2/catch.hpp>

TEST_CASE("a kernel gets its size as a constant", "[rt][math]") {
  for (int size = 1; size <= 6; ++size)
    CHECK(tactus::rt::withFixedSize(size, []<int N>() { return std::integral_constant<int, N>::value; }) == size);
  CHECK(tactus::rt::withFixedSize(7, []<int N>() { return N; }) == 6);
}
