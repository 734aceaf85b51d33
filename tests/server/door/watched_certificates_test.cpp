#include "server/door/watched_certificates.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/test_authority.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

TEST_CASE("a file in memory is replaced at once for those that open it", "[server][door]") {
  MemoryFile file("first");
  std::ifstream former(file.path());
  file.replace("second, and longer");
  CHECK(text::readSmallFile(file.path()) == "second, and longer");
  file.replace("");
  CHECK(text::readSmallFile(file.path()).empty());
  std::string word;
  CHECK(former >> word);
  CHECK(word == "first");
}

TEST_CASE("certificates stay in force when something else takes the place of a file", "[server][door]") {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  const ScratchFolder folder;
  const CertificateFiles ca = makeAuthority(folder.path(), kHour);
  const CertificateFiles server = issueCertificate(folder.path(), folder.path(), {"server", {}, {"a"}, kHour});
  const CertificateFiles other = issueCertificate(folder.path(), folder.path(), {"other", {}, {"a"}, kHour});
  Access access;
  access.tls_cert = server.certificate;
  access.tls_key = server.key;
  access.tls_client_ca = ca.certificate;
  WatchedCertificates watched(access);
  const auto reload = [&] {
    watched.reloadAuthorities();
    watched.reloadPair();
  };
  CHECK_NOTHROW(reload());

  for (const std::string& path : {server.certificate, server.key, ca.certificate}) {
    std::filesystem::rename(path, path + ".kept");
    std::filesystem::create_directory(path);
    CHECK_THROWS_WITH(reload(), Catch::Contains(path + ": cannot be read: it is a folder"));
    CHECK_THROWS_AS(WatchedCertificates(access), Error);
    std::filesystem::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);  // would block whoever waits for its writer
    CHECK_THROWS_WITH(reload(), Catch::Contains("not a regular file"));
    CHECK_THROWS_AS(WatchedCertificates(access), Error);
    std::filesystem::remove(path);
    CHECK_THROWS_WITH(reload(), Catch::Contains("No such file"));
    std::filesystem::rename(path + ".kept", path);
    CHECK_NOTHROW(reload());
  }
  std::filesystem::rename(other.key, server.key);
  CHECK_THROWS_WITH(watched.reloadPair(), Catch::Contains("is not the key of the certificate"));
  CHECK_NOTHROW(watched.reloadAuthorities());
}
