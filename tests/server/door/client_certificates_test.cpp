#include "server/door/client_certificates.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/test_authority.h"
#include "tests/server/record/scratch_folder.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <fstream>
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

  Signed(const char* name, int number, const Signed* authority, bool signs) {
    X509_set_version(certificate.get(), X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate.get()), number);
    X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
    X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
    const Signed& by = authority ? *authority : *this;
    X509_set_issuer_name(certificate.get(), X509_get_subject_name(by.certificate.get()));
    X509_set_pubkey(certificate.get(), key.get());
    if (signs) {
      const OpenSslHandle<X509_EXTENSION> extension(
          X509V3_EXT_conf_nid(nullptr, nullptr, NID_basic_constraints, "critical,CA:TRUE"));
      X509_add_ext(certificate.get(), extension.get(), -1);
    }
    REQUIRE(X509_sign(certificate.get(), by.key.get(), EVP_sha256()) > 0);
  }

  std::string text() const {
    const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
    REQUIRE(PEM_write_bio_X509(memory.get(), certificate.get()) == 1);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory.get(), &bytes);
    return {bytes, static_cast<std::size_t>(size)};
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
