#include "server/door/test_authority.h"

#include "proto/text/secret_file.h"
#include "server/door/identity.h"
#include "server/door/openssl_handle.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include <sys/stat.h>

namespace tactus::server {

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;
constexpr long kClockSkew = 300;  // s by which the clock of another host may be behind

void require(bool done, const char* what) {
  if (!done) throw Error(std::string("OpenSSL cannot ") + what);
}

OpenSslHandle<EVP_PKEY> makeKey() {
  OpenSslHandle<EVP_PKEY> key(EVP_EC_gen("P-256"));
  require(key != nullptr, "make a key");
  return key;
}

std::string pemOf(X509& certificate) {
  const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
  require(memory && PEM_write_bio_X509(memory.get(), &certificate) == 1, "write a certificate");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

std::string pemOf(EVP_PKEY& key) {
  const OpenSslHandle<BIO> memory(BIO_new(BIO_s_secmem()));
  require(memory && PEM_write_bio_PrivateKey(memory.get(), &key, nullptr, nullptr, 0, nullptr, nullptr) == 1,
          "write a key");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

void addExtension(X509& certificate, X509& issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, &issuer, &certificate, nullptr, nullptr, 0);
  X509V3_set_ctx_nodb(&context);
  const OpenSslHandle<X509_EXTENSION> extension(X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
  require(extension && X509_add_ext(&certificate, extension.get(), -1) == 1, "add an extension to a certificate");
}

/// A certificate without extensions and signature.
OpenSslHandle<X509> makeCertificate(const std::string& name, EVP_PKEY& key, std::int64_t valid_ns) {
  OpenSslHandle<X509> certificate(X509_new());
  require(certificate && X509_set_version(certificate.get(), X509_VERSION_3) == 1, "make a certificate");

  // 127 random bits, so that no two certificates of an authority share a number.
  unsigned char bytes[16];
  require(RAND_bytes(bytes, sizeof bytes) == 1, "make random numbers");
  bytes[0] &= 0x7f;
  const OpenSslHandle<BIGNUM> number(BN_bin2bn(bytes, sizeof bytes, nullptr));
  require(number && BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) != nullptr,
          "number a certificate");

  require(X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kClockSkew) != nullptr &&
              X509_gmtime_adj(X509_getm_notAfter(certificate.get()), static_cast<long>(valid_ns / kSecond)) != nullptr,
          "set the time of a certificate");
  X509_NAME* const subject = X509_get_subject_name(certificate.get());
  require(X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, reinterpret_cast<const unsigned char*>(name.data()),
                                     static_cast<int>(name.size()), -1, 0) == 1 &&
              X509_set_pubkey(certificate.get(), &key) == 1,
          "name a certificate");
  return certificate;
}

void write(const std::string& path, const std::string& content) {
  if (std::filesystem::exists(path)) throw Error(path + ": exists already; remove it first, or choose another name");
  std::ofstream file(path, std::ios::binary);
  if (!file.write(content.data(), static_cast<std::streamsize>(content.size())).flush())
    throw Error(path + ": cannot be written");
}

CertificateFiles writeFiles(const std::string& stem, X509& certificate, EVP_PKEY& key) {
  const CertificateFiles files{stem + ".crt", stem + ".key"};
  try {
    text::writeNewSecretFile(files.key, pemOf(key));
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
  write(files.certificate, pemOf(certificate));
  return files;
}

void requireTime(std::int64_t valid_ns) {
  if (valid_ns < kSecond) throw Error("--valid: a certificate must be valid for a second or longer");
}

// "DNS:localhost,IP:127.0.0.1,..." for a server, or the URIs of a client.
std::string alternativeNames(const CertificateTerms& terms) {
  if (terms.role) return "URI:tactus:client:" + terms.name + ",URI:tactus:role:" + toString(*terms.role);
  std::string names;
  std::vector<std::string> hosts = terms.hosts;
  hosts.insert(hosts.end(), {"localhost", "127.0.0.1", "::1"});
  for (const std::string& host : hosts) {
    unsigned char address[sizeof(in6_addr)];
    const bool numeric =
        ::inet_pton(AF_INET, host.c_str(), address) == 1 || ::inet_pton(AF_INET6, host.c_str(), address) == 1;
    constexpr std::string_view kLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-";
    if (!numeric && (host.empty() || host.find_first_not_of(kLetters) != std::string::npos))
      throw Error("--host " + host + ": is neither a name nor an address of a host");
    names += (names.empty() ? "" : ",") + std::string(numeric ? "IP:" : "DNS:") + host;
  }
  return names;
}

struct Authority {
  OpenSslHandle<X509> certificate;
  OpenSslHandle<EVP_PKEY> key;
};

Authority openAuthority(const std::string& folder) {
  const std::string certificate_path = folder + "/ca.crt", key_path = folder + "/ca.key";
  std::ifstream file(certificate_path, std::ios::binary);
  if (!file)
    throw Error(certificate_path + ": cannot be read; `tactus certificate new-ca --folder " + folder +
                "` makes an authority");
  const std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  std::string secret;
  try {
    secret = text::readSecretFile(key_path);
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
  const OpenSslHandle<BIO> certificate_memory = bioOf(content), key_memory = bioOf(secret);
  Authority authority{OpenSslHandle<X509>(PEM_read_bio_X509(certificate_memory.get(), nullptr, nullptr, nullptr)),
                      OpenSslHandle<EVP_PKEY>(PEM_read_bio_PrivateKey(key_memory.get(), nullptr, nullptr, nullptr))};
  if (!authority.certificate || !authority.key ||
      X509_check_private_key(authority.certificate.get(), authority.key.get()) != 1)
    throw Error(folder + ": ca.crt and ca.key are not an authority of this program");
  return authority;
}

void sign(X509& certificate, EVP_PKEY& key) {
  require(X509_sign(&certificate, &key, EVP_sha256()) > 0, "sign a certificate");
}

}  // namespace

CertificateFiles makeAuthority(const std::string& folder, std::int64_t valid_ns) {
  requireTime(valid_ns);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(folder + ": cannot be made: " + std::strerror(errno));
  const OpenSslHandle<EVP_PKEY> key = makeKey();
  const OpenSslHandle<X509> certificate = makeCertificate("tactus bench authority", *key, valid_ns);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  addExtension(*certificate, *certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  addExtension(*certificate, *certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
  addExtension(*certificate, *certificate, NID_subject_key_identifier, "hash");
  sign(*certificate, *key);
  return writeFiles(folder + "/ca", *certificate, *key);
}

CertificateFiles issueCertificate(const std::string& folder, const std::string& out, const CertificateTerms& terms) {
  requireTime(terms.valid_ns);
  if (!isIdentity(terms.name) || terms.name == "ca")
    throw Error("--name " + terms.name + ": must be 1 to 64 of A-Z a-z 0-9 _ . -, and not ca");
  const std::string names = alternativeNames(terms);
  const Authority authority = openAuthority(folder);
  const OpenSslHandle<EVP_PKEY> key = makeKey();
  const OpenSslHandle<X509> certificate = makeCertificate(terms.name, *key, terms.valid_ns);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(authority.certificate.get()));
  addExtension(*certificate, *authority.certificate, NID_basic_constraints, "critical,CA:FALSE");
  addExtension(*certificate, *authority.certificate, NID_key_usage, "critical,digitalSignature");
  addExtension(*certificate, *authority.certificate, NID_ext_key_usage, terms.role ? "clientAuth" : "serverAuth");
  addExtension(*certificate, *authority.certificate, NID_subject_alt_name, names);
  addExtension(*certificate, *authority.certificate, NID_subject_key_identifier, "hash");
  addExtension(*certificate, *authority.certificate, NID_authority_key_identifier, "keyid:always");
  sign(*certificate, *authority.key);
  return writeFiles(out + "/" + terms.name, *certificate, *key);
}

}  // namespace tactus::server
