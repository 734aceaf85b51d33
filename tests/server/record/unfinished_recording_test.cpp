#include "server/record/unfinished_recording.h"

#include "server/record/mcap_format.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <sys/stat.h>

using namespace tactus::server;
using tactus::server::tests::ScratchFolder;

namespace {

const std::string kMagic(kMcapMagic);

void put(const std::string& path, const std::string& content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string got(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path, std::ios::binary).rdbuf();
  return content.str();
}

}  // namespace

TEST_CASE("a recording that no process has ended gets the next free name", "[server][record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("run.mcap");
  CHECK(keepUnfinished(path).empty());  // nothing is there
  put(path, kMagic + "first");
  CHECK(keepUnfinished(path) == path + ".1");
  CHECK_FALSE(std::filesystem::exists(path));
  put(path, kMagic);
  CHECK(keepUnfinished(path) == path + ".2");
  CHECK(got(path + ".1") == kMagic + "first");
  CHECK(got(path + ".2") == kMagic);
}

TEST_CASE("recordings that were ended and other files keep their names", "[server][record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("run.mcap");
  for (const std::string& content : {kMagic + "all of it" + kMagic, std::string("no recording"), std::string()}) {
    put(path, content);
    CHECK(keepUnfinished(path).empty());
    CHECK(got(path) == content);
  }
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(keepUnfinished(pipe).empty());
}
