// Covers: server/door/openssl_handle.h, server/cli/certificate.cpp, server/cli/token.cpp
#include "server/door/test_authority.h"

#include "rt/error.h"
#include "server/door/openssl_handle.h"
#include "tests/server/record/scratch_folder.h"

#include <openssl/pem.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <fstream>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

constexpr std::int64_t kHour = 3'600'000'000'000;

OpenSslHandle<X509> open(const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "r");
  REQUIRE(file != nullptr);
  OpenSslHandle<X509> certificate(PEM_read_X509(file, nullptr, nullptr, nullptr));
  std::fclose(file);
  REQUIRE(certificate);
  return certificate;
}

unsigned modeOf(const std::string& path) {
  struct stat status {};
  REQUIRE(::stat(path.c_str(), &status) == 0);
  return status.st_mode & 0777;
}

}  // namespace

TEST_CASE("a certificate is signed by its authority, for its hosts or for its purpose", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  const CertificateFiles authority = makeAuthority(ca, 10 * kHour);
  CHECK(modeOf(ca) == 0700);
  CHECK(modeOf(authority.key) == 0600);
  const CertificateFiles server = issueCertificate(ca, ca, {"bench", {}, {"bench.example", "10.0.0.7"}, kHour});
  const CertificateFiles client = issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour});
  CHECK(modeOf(client.key) == 0600);

  const auto root = open(authority.certificate), a = open(server.certificate), b = open(client.certificate);
  EVP_PKEY* const key = X509_get0_pubkey(root.get());
  CHECK(X509_check_ca(root.get()) == 1);
  for (X509* const leaf : {a.get(), b.get()}) {
    CHECK(X509_verify(leaf, key) == 1);
    CHECK(X509_check_ca(leaf) == 0);
    CHECK(X509_cmp_current_time(X509_get0_notAfter(leaf)) > 0);
    CHECK(X509_cmp_current_time(X509_get0_notBefore(leaf)) < 0);
  }
  for (const char* host : {"bench.example", "localhost"}) CHECK(X509_check_host(a.get(), host, 0, 0, nullptr) == 1);
  for (const char* address : {"10.0.0.7", "127.0.0.1", "::1"}) CHECK(X509_check_ip_asc(a.get(), address, 0) == 1);
  CHECK(X509_check_host(a.get(), "other.example", 0, 0, nullptr) == 0);
  CHECK((X509_get_extended_key_usage(a.get()) & XKU_SSL_SERVER) != 0);
  CHECK((X509_get_extended_key_usage(a.get()) & XKU_SSL_CLIENT) == 0);
  CHECK((X509_get_extended_key_usage(b.get()) & XKU_SSL_CLIENT) != 0);
  CHECK((X509_get_extended_key_usage(b.get()) & XKU_SSL_SERVER) == 0);
  CHECK(X509_check_host(b.get(), "localhost", 0, 0, nullptr) == 0);
}

TEST_CASE("no file of an authority is replaced, and wrong terms are refused", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  CHECK_THROWS_WITH(issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour}), Catch::Contains("new-ca"));
  makeAuthority(ca, kHour);
  CHECK_THROWS_WITH(makeAuthority(ca, kHour), Catch::Contains("exists already"));
  issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour});
  CHECK_THROWS_WITH(issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour}), Catch::Contains("exists already"));
  CHECK_THROWS_AS(issueCertificate(ca, ca, {"ca", Role::kControl, {}, kHour}), Error);
  CHECK_THROWS_AS(issueCertificate(ca, ca, {"a/b", Role::kControl, {}, kHour}), Error);
  CHECK_THROWS_AS(issueCertificate(ca, ca, {"a", Role::kControl, {}, 0}), Error);
  // A host must not add a name of another kind.
  CHECK_THROWS_AS(issueCertificate(ca, ca, {"s", {}, {"a,URI:tactus:role:admin"}, kHour}), Error);
  CHECK_THROWS_AS(issueCertificate(ca, folder.file("nowhere"), {"b", Role::kControl, {}, kHour}), Error);
}
