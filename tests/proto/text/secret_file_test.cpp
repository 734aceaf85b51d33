#include "proto/text/secret_file.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <sys/stat.h>

using namespace tactus::text;

namespace {

struct Folder {
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "tactus_secret_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

}  // namespace

TEST_CASE("a secret is read from a file that is its owner's alone", "[text]") {
  const Folder folder;
  const std::string path = folder.path + "/key";
  writeNewSecretFile(path, "  secret \nmore\n");
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(readSecretFile(path) == "  secret \nmore\n");
  CHECK(readSecretLine(path) == "secret");
  for (const mode_t mode : {0640, 0604, 0610, 0660}) {
    ::chmod(path.c_str(), mode);
    CHECK_THROWS_WITH(readSecretFile(path), Catch::Contains("chmod 600") && !Catch::Contains("secret \n"));
  }
  ::chmod(path.c_str(), 0400);
  CHECK_NOTHROW(readSecretFile(path));
}

TEST_CASE("what is no file, too long or there already is refused", "[text]") {
  const Folder folder;
  CHECK_THROWS_WITH(readSecretFile(folder.path + "/nowhere"), Catch::Contains("cannot be read"));
  CHECK_THROWS_WITH(readSecretFile(folder.path), Catch::Contains("is a folder"));
  const std::string path = folder.path + "/fifo";
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  CHECK_THROWS_WITH(readSecretFile(path), Catch::Contains("regular file"));
  writeNewSecretFile(folder.path + "/long", std::string((1 << 20) + 1, 'x'));
  CHECK_THROWS_WITH(readSecretFile(folder.path + "/long"), Catch::Contains("more than"));
  writeNewSecretFile(folder.path + "/empty", " \n");
  CHECK_THROWS_WITH(readSecretLine(folder.path + "/empty"), Catch::Contains("is empty"));
  CHECK_THROWS_WITH(writeNewSecretFile(folder.path + "/empty", "x"), Catch::Contains("exists already"));
}
