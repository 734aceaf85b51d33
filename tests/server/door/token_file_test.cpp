#include "server/door/token_file.h"

#include "rt/error.h"
#include "tests/server/door/processes.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

std::string write(const ScratchFolder& folder, const std::string& content, mode_t mode = 0600) {
  const std::string path = folder.file("tokens");
  std::ofstream(path) << content;
  ::chmod(path.c_str(), mode);
  return path;
}

std::string contentOf(const std::string& path) {
  std::ostringstream content;
  content << std::ifstream(path).rdbuf();
  return content.str();
}

std::string addToken(const std::string& path, const std::string& name, Role role) {
  std::string told;
  server::addToken(path, name, role, [&told](const std::string& token) { told = token; });
  return told;
}

}  // namespace

TEST_CASE("a token finds its own line and no other one", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("tokens");
  const std::string watcher = addToken(path, "watcher", Role::kObserve), boss = addToken(path, "boss", Role::kAdmin);
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0600);
  const TokenFile file = TokenFile::read(path);
  CHECK(file.size() == 2);
  REQUIRE(file.find(watcher));
  CHECK(file.find(watcher)->name == "watcher");
  CHECK(file.find(watcher)->role == Role::kObserve);
  CHECK(file.find(boss)->role == Role::kAdmin);
  CHECK(file.holds(*file.find(boss)));

  std::string nearly = boss;
  nearly.back() = nearly.back() == 'A' ? 'B' : 'A';
  for (const std::string& wrong : {std::string(), std::string("x"), nearly, boss + "A", boss.substr(1)})
    CHECK_FALSE(file.find(wrong));
}

TEST_CASE("a token has 256 random bits and does not stand in the file", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("tokens");
  std::set<std::string> tokens;
  for (int i = 0; i < 16; ++i) {
    const std::string token = addToken(path, "t" + std::to_string(i), Role::kControl);
    CHECK(token.size() == 43);  // 256 bits at 6 bits a character
    CHECK(contentOf(path).find(token) == std::string::npos);
    tokens.insert(token);
  }
  CHECK(tokens.size() == 16);
}

TEST_CASE("a name has one token at a time, and a rotated token is another one", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("tokens");
  const std::string first = addToken(path, "lab", Role::kControl);
  CHECK_THROWS_WITH(addToken(path, "lab", Role::kControl), Catch::Contains("has a token already"));
  const TokenFile before = TokenFile::read(path);
  write(folder, "");
  addToken(path, "lab", Role::kControl);
  CHECK_FALSE(TokenFile::read(path).holds(*before.find(first)));
  for (const char* name : {"", "a b", "a\nb", "ä"}) CHECK_THROWS_AS(addToken(path, name, Role::kControl), Error);
}

TEST_CASE("a token file that others can read, or with a wrong line, is refused with its line", "[server][door]") {
  const ScratchFolder folder;
  const std::string line = makeToken("lab", Role::kControl).line;
  CHECK(TokenFile::read(write(folder, "# tokens\n\n  \n" + line)).size() == 1);
  CHECK(TokenFile::read(write(folder, "")).size() == 0);
  for (const mode_t mode : {0640, 0604, 0620, 0602}) {
    CHECK_THROWS_WITH(TokenFile::read(write(folder, line, mode)), Catch::Contains("chmod 600"));
  }
  const std::string hash = line.substr(line.rfind(' ') + 1);
  for (const std::string& wrong :
       {"root lab " + hash, "control a/b " + hash, std::string("control lab\n"), std::string("control lab secret\n"),
        "control lab " + hash.substr(0, 40) + "\n", line.substr(0, line.size() - 1) + " more\n", line + line}) {
    INFO(wrong);
    CHECK_THROWS_WITH(TokenFile::read(write(folder, "# first\n" + wrong)), Catch::Contains(", line "));
  }
  CHECK_THROWS_AS(TokenFile::read(folder.file("nowhere")), Error);
}

TEST_CASE("a wrong line of a token file is not quoted, since it may hold a token", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = write(folder, "control lab MY-TOKEN\n");
  try {
    TokenFile::read(path);
    FAIL("no error");
  } catch (const Error& error) { CHECK(std::string(error.what()).find("MY-TOKEN") == std::string::npos); }
}

TEST_CASE("a token is added to a file whose last line has no end", "[server][door]") {
  const ScratchFolder folder;
  std::string line = makeToken("a", Role::kObserve).line;
  line.pop_back();
  const std::string path = write(folder, line);
  addToken(path, "b", Role::kObserve);
  CHECK(TokenFile::read(path).size() == 2);
}

TEST_CASE("a token that cannot be told is not in the file", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("tokens");
  const auto lose = [](const std::string&) { throw Error("lost"); };
  CHECK_THROWS_WITH(server::addToken(path, "lab", Role::kControl, lose), "lost");
  CHECK_FALSE(std::filesystem::exists(path));
  addToken(path, "boss", Role::kAdmin);
  const std::string before = contentOf(path);
  CHECK_THROWS_WITH(server::addToken(path, "lab", Role::kControl, lose), "lost");
  CHECK(contentOf(path) == before);
}

TEST_CASE("processes that add tokens at the same time lose none, and one name gets one token", "[server][door]") {
  const ScratchFolder folder;
  const std::string path = folder.file("tokens");
  constexpr int kProcesses = 8;
  CHECK(tests::inProcesses(kProcesses, [&](int i) { addToken(path, "t" + std::to_string(i), Role::kControl); }) ==
        kProcesses);
  CHECK(TokenFile::read(path).size() == kProcesses);
  CHECK(tests::inProcesses(kProcesses, [&](int) { addToken(path, "same", Role::kControl); }) == 1);
  CHECK(TokenFile::read(path).size() == kProcesses + 1);
}
