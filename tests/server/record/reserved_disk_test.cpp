#include "server/record/reserved_disk.h"

#include "tests/server/record/counted_file.h"

#include <catch2/catch.hpp>

#include <cerrno>
#include <memory>
#include <string>

using namespace tactus::server;
using tests::CountedFile;

namespace {

constexpr std::uint64_t kReserve = 1'000'000;

}  // namespace

TEST_CASE("an append that would take the reserve is refused, and the end that was kept room for is not",
          "[server][record]") {
  std::atomic<std::uint64_t> used{0};
  const std::uint64_t room = 100'000;  // beyond the reserve and what the file system may need
  ReservedDisk file(std::make_unique<CountedFile>(used, kReserve + ReservedDisk::kOverhead + room), kReserve, nullptr);
  file.keepForEnd(10'000);
  CHECK(file.append(std::string(80'000, 'x')) == 0);
  CHECK_FALSE(file.reached());
  CHECK(file.append(std::string(10'001, 'x')) == ENOSPC);
  CHECK(file.reached());
  CHECK(used == 80'000);
  CHECK(file.append(std::string(10'000, 'x')) == 0);
  file.beginEnd();
  CHECK(file.append(std::string(10'000, 'x')) == 0);
  CHECK(used == room);
}

TEST_CASE("no file takes the room that another one keeps for its end", "[server][record]") {
  std::atomic<std::uint64_t> used{0};
  const std::uint64_t disk = kReserve + ReservedDisk::kOverhead + 100'000;
  const auto claims = std::make_shared<DiskClaims>(std::uint64_t{0});
  {
    ReservedDisk one(std::make_unique<CountedFile>(used, disk), kReserve, claims);
    ReservedDisk other(std::make_unique<CountedFile>(used, disk), kReserve, claims);
    one.keepForEnd(40'000);
    CHECK(other.append(std::string(60'001, 'x')) == ENOSPC);
    one.beginEnd();  // not written yet
    CHECK(other.append(std::string(60'001, 'x')) == ENOSPC);
    CHECK(other.append(std::string(60'000, 'x')) == 0);
    CHECK(one.append(std::string(40'000, 'x')) == 0);
    CHECK(used == 100'000);
  }
  CHECK(*claims == 0);
}

TEST_CASE("without a reserve a file takes what its disk has", "[server][record]") {
  std::atomic<std::uint64_t> used{0};
  ReservedDisk file(std::make_unique<CountedFile>(used, 10), 0, nullptr);
  CHECK(file.append("0123456789") == 0);
  CHECK(file.room() == 0);
}
