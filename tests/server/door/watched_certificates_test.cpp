#include "server/door/watched_certificates.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/test_authority.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

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

TEST_CASE("a server takes no certificate that clients would refuse, and authorities of which one holds",
          "[server][door]") {
  constexpr std::int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;
  const ScratchFolder folder, former;
  const CertificateFiles ca = makeAuthority(folder.path(), kHour), old = makeAuthority(former.path(), kSecond);
  const CertificateFiles server = issueCertificate(folder.path(), folder.path(), {"server", {}, {"a"}, kHour});
  const CertificateFiles client = issueCertificate(folder.path(), folder.path(), {"lab", Role::kControl, {}, kHour});
  Access access;
  access.tls_cert = client.certificate;
  access.tls_key = client.key;
  CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("is not a certificate of a server"));

  access.tls_cert = server.certificate;
  access.tls_key = server.key;
  access.tls_client_ca = folder.file("both.crt");
  std::ofstream(access.tls_client_ca) << std::ifstream(old.certificate).rdbuf()
                                      << std::ifstream(ca.certificate).rdbuf();
  CHECK_NOTHROW(checkCertificates(access));
  access.tls_client_ca = old.certificate;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  const auto says = [&]() -> std::string {
    try {
      checkCertificates(access);
    } catch (const Error& error) { return error.what(); }
    return {};
  };
  while (says().empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_THAT(says(), Catch::Contains("each authority has expired; `tactus certificate new-ca` makes a new one"));
  access.tls_client_ca = folder.file("both.crt");
  CHECK_NOTHROW(checkCertificates(access));
}
