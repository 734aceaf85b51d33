#include "proto/text/replaced_file.h"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace tactus::text;
using Catch::Matchers::Contains;

namespace {

/// A folder of its own, which goes with the test.
struct Folder {
  Folder() { REQUIRE(mkdtemp(path.data()) != nullptr); }
  ~Folder() { fs::remove_all(path); }
  std::string at(const std::string& name) const { return path + '/' + name; }
  long entries() const { return std::distance(fs::directory_iterator(path), fs::directory_iterator()); }

  std::string path = (fs::temp_directory_path() / "tactus_replaced_XXXXXX").string();
};

/// No file gets larger than this, bytes: as a disk that is full then.
class FullDisk {
 public:
  explicit FullDisk(rlim_t size) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    REQUIRE(::getrlimit(RLIMIT_FSIZE, &former_) == 0);
    const rlimit limit{size, former_.rlim_max};
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit former_{};
  void (*handler_)(int);
};

std::string contentOf(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t modeOf(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 07777;
}

}  // namespace

TEST_CASE("a file that is replaced has the new content and its former mode, and no draft is left", "[text]") {
  const Folder folder;
  const std::string path = folder.at("a.json");
  replaceFile(path, "first, which is longer");
  CHECK(modeOf(path) == 0600);
  REQUIRE(::chmod(path.c_str(), 0640) == 0);
  replaceFile(path, "second");
  CHECK(contentOf(path) == "second");
  CHECK(modeOf(path) == 0640);
  CHECK(folder.entries() == 1);
}

TEST_CASE("a link stays, and leads to the new content, whether or not there was a file behind it", "[text]") {
  const Folder folder;
  REQUIRE(fs::create_directory(folder.at("below")));
  fs::create_symlink("below/b.json", folder.at("a.json"));
  fs::create_symlink("c.json", folder.at("below/b.json"));
  for (const char* content : {"first", "second"}) {
    replaceFile(folder.at("a.json"), content);
    CHECK(fs::is_symlink(folder.at("a.json")));
    CHECK(fs::is_symlink(folder.at("below/b.json")));
    CHECK(contentOf(folder.at("below/c.json")) == content);
  }
}

TEST_CASE("a disk that is full leaves the file that was there, and no new one", "[text]") {
  const Folder folder;
  replaceFile(folder.at("a.json"), "first");
  {
    const FullDisk full(100);
    for (const char* name : {"a.json", "b.json"})
      CHECK_THROWS_WITH(replaceFile(folder.at(name), std::string(1000, 'x')),
                        Contains(std::string(name) + ": cannot be written: File too large"));
  }
  CHECK(contentOf(folder.at("a.json")) == "first");
  CHECK(folder.entries() == 1);
}

TEST_CASE("in a folder that takes no draft, a file that may be written is written in place", "[text]") {
  const Folder folder;
  const std::string path = folder.at("a.json");
  std::ofstream(path) << "first, which is longer";
  REQUIRE(::chmod(path.c_str(), 0666) == 0);
  REQUIRE(::chmod(folder.path.c_str(), 0555) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;  // root writes into every folder
    if (::geteuid() == 0 && (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0)) ::_exit(2);
    int done = 0;
    try {
      requireReplaceable(path);
      replaceFile(path, "second");
      ++done;
      replaceFile(folder.at("b.json"), "x");
      ++done;
    } catch (const std::runtime_error&) {}
    ::_exit(done == 1 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(contentOf(path) == "second");
  CHECK(folder.entries() == 1);
  REQUIRE(::chmod(folder.path.c_str(), 0700) == 0);
}

TEST_CASE("devices are written in place, and folders are refused", "[text]") {
  const Folder folder;
  replaceFile("/dev/null", "x");
  CHECK(fs::is_character_file("/dev/null"));
  CHECK_THROWS_WITH(replaceFile("/dev/full", "x"), "/dev/full: cannot be written: No space left on device");
  CHECK_THROWS_WITH(replaceFile(folder.path, "x"), Contains("Is a directory"));
  CHECK_THROWS_WITH(replaceFile(folder.at("none/a"), "x"), Contains("none/a: cannot be written: No such file"));
}

TEST_CASE("what can be replaced is found without a change", "[text]") {
  const Folder folder;
  std::ofstream(folder.at("a")) << "content";
  fs::create_symlink("target", folder.at("link"));
  const fs::file_time_type before = fs::last_write_time(folder.at("a"));
  for (const std::string& path : {folder.at("a"), folder.at("new"), folder.at("link"), std::string("/dev/null")})
    CHECK_NOTHROW(requireReplaceable(path));
  CHECK(fs::last_write_time(folder.at("a")) == before);
  CHECK(contentOf(folder.at("a")) == "content");
  CHECK(fs::is_symlink(folder.at("link")));
  CHECK(folder.entries() == 2);
  CHECK_THROWS_WITH(requireReplaceable(folder.path), Contains("cannot be written: Is a directory"));
  CHECK_THROWS_WITH(requireReplaceable(folder.at("none/a")), Contains("cannot be written: No such file"));
}
