// Covers: server/door/front_certificate.cpp
#include "server/door/front_certificate.h"

#include "server/door/identity.h"
#include "server/door/openssl_handle.h"
#include "server/door/test_authority.h"
#include "server/wire/request_error.h"
#include "tests/server/record/scratch_folder.h"

#include <openssl/pem.h>
#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <vector>

using namespace tactus::server;

namespace {

constexpr std::int64_t kValid = 3'600'000'000'000;

/// A certificate as HAProxy would hand it on, and its file.
struct Handed {
  std::string base64, pem;
};

std::string base64Of(const std::vector<unsigned char>& bytes) {
  std::string text((bytes.size() + 2) / 3 * 4 + 1, '\0');
  text.resize(static_cast<std::size_t>(
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), bytes.data(), static_cast<int>(bytes.size()))));
  return text;
}

Handed handOn(const CertificateTerms& terms) {
  const tests::ScratchFolder folder;
  makeAuthority(folder.file("ca"), kValid);
  std::ifstream file(issueCertificate(folder.file("ca"), folder.path(), terms).certificate);
  Handed handed;
  handed.pem = {std::istreambuf_iterator<char>(file), {}};
  const OpenSslHandle<BIO> memory = bioOf(handed.pem);
  const OpenSslHandle<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  unsigned char* der = nullptr;
  const int size = i2d_X509(certificate.get(), &der);
  handed.base64 = base64Of({der, der + size});
  OPENSSL_free(der);
  return handed;
}

}  // namespace

TEST_CASE("a certificate that a proxy hands on gives the identity that a handshake would", "[server][door]") {
  // Names of different lengths: one, two and no characters of padding.
  for (const char* name : {"lab", "lab1", "lab12"}) {
    const Handed handed = handOn({.name = name, .role = Role::kControl, .valid_ns = kValid});
    const FrontCertificate certificate = readFrontCertificate(handed.base64);
    const Peer peer = peerOfCertificate(certificate.uris, certificate.common_name);
    CHECK(peer.name == name);
    CHECK(peer.role == Role::kControl);
    CHECK(certificate.common_name == name);
    CHECK(certificate.pem == handed.pem);
  }
}

TEST_CASE("anything but one certificate in base64 gives no identity", "[server][door]") {
  const std::string good = handOn({.name = "lab", .role = Role::kControl, .valid_ns = kValid}).base64;
  CHECK_NOTHROW(readFrontCertificate(good));
  const std::vector<std::string> bad{"",
                                     "lab",
                                     "====",
                                     "AAAA",
                                     good + good,
                                     good + "AAAA",
                                     good.substr(4),
                                     good.substr(0, 400),
                                     std::string(20'000, 'A'),
                                     "!" + good.substr(1)};
  for (const std::string& text : bad) {
    INFO(text);
    CHECK_THROWS_AS(readFrontCertificate(text), RequestError);
  }
}

TEST_CASE("no bit of a certificate can be flipped so that reading it fails in another way", "[server][door]") {
  const std::string good = handOn({.name = "lab", .role = Role::kObserve, .valid_ns = kValid}).base64;
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string text = good;
    text[i] = text[i] == 'A' ? 'B' : 'A';
    try {
      readFrontCertificate(text);
    } catch (const RequestError&) {}
  }
  SUCCEED();
}
