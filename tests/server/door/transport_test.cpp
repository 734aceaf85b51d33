#include "server/door/transport.h"

#include "rt/error.h"
#include "server/door/test_authority.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <thread>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

constexpr std::int64_t kSecond = 1'000'000'000, kHour = 3600 * kSecond;

}  // namespace

TEST_CASE("certificate files are checked before a server listens", "[server][door]") {
  const ScratchFolder folder;
  const CertificateFiles ca = makeAuthority(folder.path(), kHour);
  const CertificateFiles server = issueCertificate(folder.path(), folder.path(), {"server", {}, {"a"}, kHour});
  const CertificateFiles other = issueCertificate(folder.path(), folder.path(), {"other", {}, {"a"}, kHour});
  const CertificateFiles brief = issueCertificate(folder.path(), folder.path(), {"brief", {}, {"a"}, kSecond});

  Access access;
  CHECK_NOTHROW(checkCertificates(access));
  access.tls_client_ca = ca.certificate;
  CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("--tls-client-ca needs"));
  access.tls_cert = server.certificate;
  CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("belong together"));
  access.tls_key = server.key;
  CHECK_NOTHROW(checkCertificates(access));
  CHECK(makeTransport(access).credentials != nullptr);

  SECTION("a key of another certificate") {
    access.tls_key = other.key;
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("is not the key of the certificate"));
  }
  SECTION("a key that others can read") {
    ::chmod(server.key.c_str(), 0640);
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("chmod 600"));
  }
  SECTION("a file that is no certificate, no key, or not there") {
    access.tls_cert = server.key;
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("holds no certificate"));
    access.tls_cert = folder.file("nowhere");
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("cannot be read"));
    access.tls_cert = server.certificate;
    ::chmod(server.certificate.c_str(), 0600);
    access.tls_key = server.certificate;
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("holds no private key"));
  }
  SECTION("a certificate that has expired") {
    access.tls_cert = brief.certificate;
    access.tls_key = brief.key;
    // Sleeping is what the certificate is waited for with: it expires by the clock.
    std::this_thread::sleep_for(std::chrono::milliseconds(2100));
    CHECK_THROWS_WITH(checkCertificates(access), Catch::Contains("has expired"));
  }
}
