#include "server/record/unfinished_recording.h"

#include "server/record/file_sink.h"
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

TEST_CASE(
    "recordings that were ended, empty files and pipes keep their names; files that are no recordings are not replaced",
    "[server][record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("run.mcap");
  for (const std::string& content : {kMagic + "all of it" + kMagic, std::string()}) {
    put(path, content);
    CHECK(keepUnfinished(path).empty());
    CHECK(got(path) == content);
  }
  put(path, "{\"name\": \"a model\"}");
  CHECK_THROWS_WITH(keepUnfinished(path), Catch::Contains("is no recording and would be replaced"));
  CHECK(got(path) == "{\"name\": \"a model\"}");
  const std::string pipe = folder.file("pipe");
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(keepUnfinished(pipe).empty());
}

TEST_CASE("a link stays one, and the recording that it names gets the next free name", "[server][record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("run.mcap"), file = folder.file("data.mcap");
  put(file, kMagic + "first");
  std::filesystem::create_symlink(file, path);
  CHECK(keepUnfinished(path) == std::filesystem::canonical(folder.path()).string() + "/data.mcap.1");
  CHECK(std::filesystem::is_symlink(path));
  CHECK_FALSE(std::filesystem::exists(file));
}

TEST_CASE("a file that a process records to keeps its name, and the next recording is refused", "[server][record]") {
  const ScratchFolder folder;
  const std::string path = folder.file("run.mcap");
  auto writer = createFile(path);
  REQUIRE(writer->append(kMagic) == 0);
  CHECK_THROWS_WITH(keepUnfinished(path), Catch::Contains("another process records to this file"));
  CHECK(got(path) == kMagic);
  writer.reset();
  CHECK(keepUnfinished(path) == path + ".1");
}
