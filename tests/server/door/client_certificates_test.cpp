#include "server/door/client_certificates.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/test_authority.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <string>
#include <thread>

using namespace tactus;
using namespace tactus::server;
using tests::ScratchFolder;

namespace {

constexpr std::int64_t kInstant = 1'000'000'000, kLasting = 3600 * kInstant;

std::string clientOf(const ScratchFolder& folder, const std::string& name, std::int64_t valid_ns = kLasting) {
  return issueCertificate(folder.path(), folder.path(), {name, Role::kControl, {}, valid_ns}).certificate;
}

// A key and a certificate that another one signs; by itself if there is none.
struct Signed {
  OpenSslHandle<EVP_PKEY> key{EVP_EC_gen("P-256")};
  OpenSslHandle<X509> certificate{X509_new()};

  // @param spelled  how the certificate spells the name of its authority; null: as the authority does
  Signed(const char* name, int number, const Signed* authority, bool signs, const char* spelled = nullptr,
         int kind = MBSTRING_ASC) {
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), number);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    const Signed& by = authority ? *authority : *this;
    X509_set_issuer_name(certificate.get(), X509_get_subject_name(by.certificate.get()));
    if (spelled) {
      X509_NAME* const issuer = X509_NAME_new();
      X509_NAME_add_entry_by_txt(issuer, "CN", kind, reinterpret_cast<const unsigned char*>(spelled), -1, -1, 0);
      X509_set_issuer_name(certificate.get(), issuer);
      X509_NAME_free(issuer);
    }
    X509_set_pubkey(certificate.get(), key.get());
    if (signs) {
      const OpenSslHandle<X509_EXTENSION> extension(
          X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE"));
      X509_add_ext(certificate.get(), extension.get(), -1);
    }
    REQUIRE(X509_sign(certificate.get(), by.key.get(), EVP_sha256()) > 0);
  }

  // A list of this authority, in PEM form.
  std::string listOf(std::initializer_list<int> numbers) const {
    const OpenSslHandle<X509_CRL> list(X509_CRL_new());
    X509_CRL_set_version(list.get(), X509_CRL_VERSION_2);
    X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(certificate.get()));
    const OpenSslHandle<ASN1_TIME> now(X509_gmtime_adj(nullptr, 0)), end(X509_gmtime_adj(nullptr, 3600));
    X509_CRL_set1_lastUpdate(list.get(), now.get());
    X509_CRL_set1_nextUpdate(list.get(), end.get());
    for (const int number : numbers) {
      X509_REVOKED* const revoked = X509_REVOKED_new();
      ASN1_INTEGER* const serial = ASN1_INTEGER_new();
      ASN1_INTEGER_set(serial, number);
      X509_REVOKED_set_serialNumber(revoked, serial);
      X509_REVOKED_set_revocationDate(revoked, now.get());
      X509_CRL_add0_revoked(list.get(), revoked);
      ASN1_INTEGER_free(serial);
    }
    REQUIRE(X509_CRL_sign(list.get(), key.get(), EVP_sha256()) > 0);
    const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
    REQUIRE(PEM_write_bio_X509_CRL(memory.get(), list.get()) == 1);
    return read(memory.get());
  }

  static std::string read(BIO* memory) {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory, &bytes);
    return {bytes, static_cast<std::size_t>(size)};
  }

  std::string text() const {
    const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
    REQUIRE(PEM_write_bio_X509(memory.get(), certificate.get()) == 1);
    return read(memory.get());
  }
};

}  // namespace

TEST_CASE("a certificate holds while an authority of the file vouches for it, and no longer", "[server][door]") {
  const ScratchFolder folder, other;
  const std::string ca = makeAuthority(folder.path(), kLasting).certificate;
  const std::string rogue = makeAuthority(other.path(), kLasting).certificate;
  const std::string client = text::readSmallFile(clientOf(folder, "a")),
                    foreign = text::readSmallFile(clientOf(other, "a"));
  ClientCertificates certificates(text::readSmallFile(ca), {});
  CHECK(certificates.fault({client}).empty());
  CHECK(certificates.fault({client}).empty());  // from memory
  CHECK_THAT(certificates.fault({foreign}), Catch::Contains("is not of an authority of --tls-client-ca"));
  CHECK_THAT(certificates.fault({"nonsense"}), Catch::Contains("cannot be read"));

  ClientCertificates both(text::readSmallFile(ca) + text::readSmallFile(rogue), {});
  CHECK(both.fault({client}).empty());
  CHECK(both.fault({foreign}).empty());
  CHECK_THROWS_WITH(ClientCertificates(text::readSmallFile(ca).substr(0, 200), {}),
                    Catch::Contains("certificate 1 is damaged"));
}

TEST_CASE("a certificate that expires during a connection does not hold any more", "[server][door]") {
  const ScratchFolder folder;
  const std::string ca = text::readSmallFile(makeAuthority(folder.path(), kLasting).certificate);
  const std::string client = text::readSmallFile(clientOf(folder, "visitor", 3 * kInstant));
  ClientCertificates direct(ca, {}), behind_a_proxy(std::nullopt, {});
  CHECK(direct.fault({client}).empty());
  CHECK(behind_a_proxy.fault({client}).empty());
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (direct.fault({client}).empty() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  CHECK_THAT(direct.fault({client}), Catch::Contains("has expired"));
  CHECK_THAT(behind_a_proxy.fault({client}), Catch::Contains("has expired"));
}

TEST_CASE("a list revokes certificates of its authority; authorities without a list are named", "[server][door]") {
  const ScratchFolder folder, other;
  const std::string ca = makeAuthority(folder.path(), kLasting).certificate;
  const std::string second = makeAuthority(other.path(), kLasting).certificate;
  const std::string stays = clientOf(folder, "stays"), goes = clientOf(folder, "goes");
  const std::string list = revokeCertificate(folder.path(), goes, kLasting).list;
  for (const auto& authorities : {std::optional(text::readSmallFile(ca)), std::optional<std::string>()}) {
    INFO((authorities ? "direct" : "behind a proxy"));
    ClientCertificates certificates(authorities, RevocationList::read(list, ca));
    CHECK(certificates.fault({text::readSmallFile(stays)}).empty());
    CHECK_THAT(certificates.fault({text::readSmallFile(goes)}), Catch::Contains("is revoked"));
  }
  CHECK(RevocationList::read(list, ca).unlisted().empty());
  const std::string both = folder.file("both.crt");
  std::ofstream(both) << text::readSmallFile(ca) << text::readSmallFile(second);
  CHECK(RevocationList::read(list, both).unlisted().size() == 1);
}

TEST_CASE("certificates between a client and an authority count, also when TLS does not send them again",
          "[server][door]") {
  const Signed root("root", 1, nullptr, true), between("between", 2, &root, true), client("client", 3, &between, false);
  ClientCertificates certificates(root.text(), {});
  CHECK_THAT(certificates.fault({client.text()}), Catch::Contains("is not of an authority"));
  CHECK(certificates.fault({client.text(), between.text()}).empty());
  const Signed next("next", 4, &between, false);
  CHECK(certificates.fault({next.text()}).empty());
  const Signed below_client("below", 5, &client, false);
  CHECK_FALSE(certificates.fault({below_client.text(), client.text() + between.text()}).empty());
}

TEST_CASE("certificates that no authority vouches for do not push out those between others", "[server][door]") {
  const Signed root("root", 1, nullptr, true), between("between", 2, &root, true), client("client", 3, &between, false);
  const Signed observer("observer", 4, &root, false);
  ClientCertificates certificates(root.text(), {});
  std::string strangers;
  for (int number = 0; number < 70; ++number) strangers += Signed("stranger", 100 + number, nullptr, true).text();
  CHECK(certificates.fault({observer.text(), strangers}).empty());
  CHECK(certificates.fault({client.text(), between.text()}).empty());
}

TEST_CASE("a certificate without what lies between is refused until it comes with it; a reload keeps what lies between",
          "[server][door]") {
  const Signed root("root", 1, nullptr, true), between("between", 2, &root, true), client("client", 3, &between, false);
  ClientCertificates former(root.text(), {}), reloaded(root.text(), {});
  CHECK_FALSE(former.fault({client.text()}).empty());
  CHECK(former.fault({client.text(), between.text()}).empty());
  reloaded.continueFrom(former);
  CHECK(reloaded.fault({client.text()}).empty());
  // Other authorities vouch for nothing of it.
  const Signed other("other", 9, nullptr, true);
  ClientCertificates replaced(other.text(), {});
  replaced.continueFrom(reloaded);
  CHECK_THAT(replaced.fault({client.text()}), Catch::Contains("is not of an authority"));
}

TEST_CASE(
    "an authority between that its own authority has revoked vouches for nobody, in the file of authorities or not",
    "[server][door]") {
  const ScratchFolder folder;
  const Signed root("root", 1, nullptr, true), between("between", 2, &root, true), client("client", 3, &between, false);
  const std::string list = folder.file("list.pem"), ca = folder.file("ca.pem");
  std::ofstream(list) << root.listOf({2});
  std::ofstream(ca) << root.text();
  for (const std::string& authorities : {root.text(), root.text() + between.text()}) {
    ClientCertificates certificates(authorities, RevocationList::read(list, ca));
    CHECK_THAT(certificates.fault({client.text(), between.text()}),
               Catch::Contains("is of an authority that is revoked"));
  }
}

TEST_CASE("a list revokes whatever way a certificate spells the name of its authority", "[server][door]") {
  const ScratchFolder folder;
  const Signed root("Root of the  laboratory", 1, nullptr, true);
  const Signed client("client", 3, &root, false, "root of the laboratory", MBSTRING_UTF8);
  const std::string list = folder.file("list.pem"), ca = folder.file("ca.pem");
  std::ofstream(list) << root.listOf({3});
  std::ofstream(ca) << root.text();
  ClientCertificates behind_a_proxy(std::nullopt, RevocationList::read(list, ca));
  CHECK_THAT(behind_a_proxy.fault({client.text()}), Catch::Contains("is revoked"));
  ClientCertificates of_others(std::nullopt, RevocationList::read(list, ca));
  const Signed other_root("Root of the other laboratory", 1, nullptr, true), foreign("client", 3, &other_root, false);
  CHECK(of_others.fault({foreign.text()}).empty());
}
