// Covers: server/door/authority_files.cpp, server/door/openssl_handle.h, server/cli/certificate.cpp, server/cli/token.cpp
#include "server/door/test_authority.h"

#include "rt/error.h"
#include "server/door/openssl_handle.h"
#include "tests/server/door/processes.h"
#include "tests/server/record/scratch_folder.h"

#include <openssl/pem.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include <sys/stat.h>

using namespace tactus;
using namespace tactus::server;
using tests::inProcesses;
using tests::ScratchFolder;
namespace fs = std::filesystem;

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

std::set<std::string> filesOf(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

/// Number of entries in the list of an authority.
int revokedIn(const std::string& folder) {
  std::FILE* const file = std::fopen((folder + "/ca.crl").c_str(), "r");
  REQUIRE(file != nullptr);
  const OpenSslHandle<X509_CRL> list(PEM_read_X509_CRL(file, nullptr, nullptr, nullptr));
  std::fclose(file);
  REQUIRE(list);
  STACK_OF(X509_REVOKED)* const entries = X509_CRL_get_REVOKED(list.get());
  return entries == nullptr ? 0 : sk_X509_REVOKED_num(entries);
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

TEST_CASE("what fails leaves no file behind", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  makeAuthority(ca, kHour);
  // The key of a client has gone to its host, the certificate is still here.
  const CertificateFiles client = issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour});
  fs::remove(client.key);
  CHECK_THROWS_WITH(issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour}), Catch::Contains("lab.crt: exists"));
  CHECK_FALSE(fs::exists(client.key));
  // A link to nowhere is in the place of the certificate.
  fs::create_symlink(folder.file("nowhere/x"), ca + "/b.crt");
  CHECK_THROWS_WITH(issueCertificate(ca, ca, {"b", Role::kControl, {}, kHour}), Catch::Contains("b.crt"));
  CHECK_FALSE(fs::exists(ca + "/b.key"));

  // The list of another authority is not replaced.
  const std::string other = folder.file("other");
  fs::create_directory(other);
  fs::copy_file(ca + "/ca.crl", other + "/ca.crl");
  CHECK_THROWS_WITH(makeAuthority(other, kHour), Catch::Contains("ca.crl: exists already"));
  CHECK(filesOf(other) == std::set<std::string>{"ca.crl"});
}

TEST_CASE("keys are private and certificates public, whatever the umask", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  for (const mode_t mask : {mode_t{0}, mode_t{0077}}) {
    const mode_t former = ::umask(mask);
    const CertificateFiles authority = makeAuthority(ca, kHour);
    const CertificateFiles client = issueCertificate(ca, ca, {"lab", Role::kControl, {}, kHour});
    revokeCertificate(ca, client.certificate, kHour);
    ::umask(former);
    CHECK(modeOf(ca) == 0700);
    for (const std::string& key : {authority.key, client.key}) CHECK(modeOf(key) == 0600);
    for (const std::string& open : {authority.certificate, client.certificate, ca + "/ca.crl"})
      CHECK(modeOf(open) == 0644);
    fs::remove_all(ca);
  }
}

TEST_CASE("a certificate ends with its authority", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  const CertificateFiles authority = makeAuthority(ca, 10 * kHour);
  const CertificateFiles within = issueCertificate(ca, ca, {"a", Role::kControl, {}, kHour});
  CHECK_FALSE(within.shortened);
  const CertificateFiles beyond = issueCertificate(ca, ca, {"b", Role::kControl, {}, 11 * kHour});
  CHECK(beyond.shortened);
  CHECK(beyond.valid_until == authority.valid_until);
  const auto root = open(authority.certificate), leaf = open(beyond.certificate);
  CHECK(ASN1_TIME_compare(X509_get0_notAfter(root.get()), X509_get0_notAfter(leaf.get())) == 0);
  CHECK(X509_verify(leaf.get(), X509_get0_pubkey(root.get())) == 1);
}

TEST_CASE("no list revokes its own authority", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  const CertificateFiles authority = makeAuthority(ca, kHour);
  CHECK_THROWS_WITH(revokeCertificate(ca, authority.certificate, kHour), Catch::Contains("the authority itself"));
  CHECK(revokedIn(ca) == 0);
}

TEST_CASE("processes that make, issue and revoke at the same time lose nothing", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = folder.file("ca");
  constexpr int kProcesses = 8;
  // One of them makes the authority, the others find it.
  CHECK(inProcesses(kProcesses, [&](int) { makeAuthority(ca, kHour); }) == 1);
  CHECK(filesOf(ca) == std::set<std::string>{"ca.crl", "ca.crt", "ca.key"});
  const auto name = [](int i) { return "c" + std::to_string(i); };
  CHECK(inProcesses(kProcesses, [&](int i) {
          issueCertificate(ca, ca, {name(i), Role::kControl, {}, kHour});
        }) == kProcesses);
  // Of those that want the same name, one gets it, with the key that fits.
  CHECK(inProcesses(kProcesses, [&](int) { issueCertificate(ca, ca, {"same", Role::kControl, {}, kHour}); }) == 1);
  std::FILE* const file = std::fopen((ca + "/same.key").c_str(), "r");
  REQUIRE(file != nullptr);
  const OpenSslHandle<EVP_PKEY> key(PEM_read_PrivateKey(file, nullptr, nullptr, nullptr));
  std::fclose(file);
  CHECK(X509_check_private_key(open(ca + "/same.crt").get(), key.get()) == 1);

  CHECK(inProcesses(kProcesses, [&](int i) { revokeCertificate(ca, ca + "/" + name(i) + ".crt", kHour); }) ==
        kProcesses);
  CHECK(revokedIn(ca) == kProcesses);
  std::set<std::string> files{"ca.crl", "ca.crt", "ca.key", "same.crt", "same.key"};
  for (int i = 0; i < kProcesses; ++i) files.insert({name(i) + ".crt", name(i) + ".key"});
  CHECK(filesOf(ca) == files);  // no draft is left behind
}
