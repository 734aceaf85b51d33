// Covers: proto/text/descriptor.h
#include "proto/text/small_file.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/stat.h>

using namespace tactus::text;

TEST_CASE("a small file is read whole, and whatever else its path leads to is refused without waiting", "[text]") {
  std::string folder = (std::filesystem::temp_directory_path() / "tactus_small_XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string path = folder + "/file";
  std::string content(10'003, 'x');
  content.back() = 'y';
  std::ofstream(path) << content;
  CHECK(readSmallFile(path) == content);
  CHECK(readSmallFile(path, FileReaders::kAny, content.size()) == content);
  CHECK_THROWS_WITH(readSmallFile(path, FileReaders::kAny, content.size() - 1),
                    path + ": cannot be read: it has more than 10002 bytes");
  CHECK(!readSmallFile("/proc/self/status").empty());  // has no size

  CHECK_THROWS_WITH(readSmallFile(folder), folder + ": cannot be read: it is a folder; give the path of a file in it");
  CHECK_THROWS_WITH(readSmallFile(path + "s"), path + "s: cannot be read: No such file or directory");
  // A reader that waits for a writer of the FIFO would wait forever.
  REQUIRE(::mkfifo((folder + "/fifo").c_str(), 0600) == 0);
  for (const std::string& other : {folder + "/fifo", std::string("/dev/zero")})
    CHECK_THROWS_WITH(readSmallFile(other), Catch::Contains("not a regular file"));
  std::filesystem::create_symlink("/dev/zero", folder + "/link");
  CHECK_THROWS_WITH(readSmallFile(folder + "/link"), Catch::Contains("not a regular file"));

  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  CHECK_THROWS_WITH(readSmallFile(path, FileReaders::kOwner), Catch::Contains("chmod 600"));
  REQUIRE(::chmod(path.c_str(), 0600) == 0);
  CHECK(readSmallFile(path, FileReaders::kOwner) == content);
  std::filesystem::remove_all(folder);
}
