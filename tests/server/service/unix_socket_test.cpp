#include "server/service/unix_socket.h"

#include "rt/error.h"
#include "server/service/server.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <memory>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

Config onSocket(const std::string& path) {
  Config config;
  config.endpoint = parseEndpoint("unix:" + path);
  return config;
}

std::size_t filesIn(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) count += entry.is_socket();
  return count;
}

}  // namespace

TEST_CASE("a server removes its own socket and leaves one that has taken its place", "[server][service]") {
  const ScratchFolder folder;
  const std::string path = folder.file("t.sock");
  auto first = std::make_unique<Server>(onSocket(path));
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  CHECK(filesIn(folder.path()) == 1);
  CHECK_THROWS_WITH(Server(onSocket(path)), Catch::Contains("another server listens there"));

  std::filesystem::rename(path, path + ".moved");
  Server second(onSocket(path));
  first.reset();
  CHECK(std::filesystem::is_socket(path));
  CHECK_THROWS_WITH(Server(onSocket(path)), Catch::Contains("another server listens there"));
  second.drain("the test ends");
  CHECK_FALSE(std::filesystem::exists(path));

  // Nobody listens at what is left of the first one.
  std::filesystem::rename(path + ".moved", path);
  Server(onSocket(path)).drain("the test ends");
  CHECK(filesIn(folder.path()) == 0);
}

TEST_CASE("a path that cannot become a socket is refused with the reason", "[server][service]") {
  const ScratchFolder folder;
  std::ofstream(folder.file("text")) << "kept";
  CHECK_THROWS_WITH(Server(onSocket(folder.file("text"))), Catch::Contains("not a socket"));
  CHECK_THROWS_WITH(Server(onSocket(folder.file("none/t.sock"))),
                    Catch::Contains("/none/t.sock: the folder ") && Catch::Contains("/none/ does not exist; make it"));
  CHECK_THROWS_WITH(Server(onSocket(folder.file("text/t.sock"))), Catch::Contains("/text/: Not a directory"));
  CHECK(std::filesystem::file_size(folder.file("text")) == 4);
  // 107 bytes with the name "s", more with that of the file that gRPC binds.
  std::string path = folder.path() + '/';
  path += std::string(105 - path.size(), 'x');
  std::filesystem::create_directory(path);
  CHECK_THROWS_WITH(Server(onSocket(path + "/s")), Catch::Contains("at most 107 bytes"));
}
