#include "server/door/test_authority.h"

#include "proto/text/secret_file.h"
#include "server/door/authority_files.h"
#include "server/door/identity.h"
#include "server/door/openssl_handle.h"

#include <arpa/inet.h>
#include <openssl/pem.h>
#include <openssl/rand.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <sstream>
#include <stdexcept>

#include <sys/stat.h>
#include <unistd.h>

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

/// "2027-11-27 20:15:00 UTC"
std::string dateOf(const ASN1_TIME* time) {
  std::tm parts{};
  require(ASN1_TIME_to_tm(time, &parts) == 1, "read a time");
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &parts);
  return text;
}

CertificateFiles writeFiles(const std::string& stem, X509& certificate, EVP_PKEY& key) {
  const CertificateFiles files{stem + ".crt", stem + ".key", dateOf(X509_get0_notAfter(&certificate))};
  // The key of another host's certificate is often not here any more.
  if (std::filesystem::exists(files.certificate))
    throw Error(files.certificate + ": exists already; remove it first, or choose another name");
  try {
    text::writeNewSecretFile(files.key, pemOf(key));
  } catch (const std::runtime_error& error) { throw Error(error.what()); }
  try {
    writeNewPublicFile(files.certificate, pemOf(certificate));
  } catch (const Error&) {
    ::unlink(files.key.c_str());  // it fits no certificate
    throw;
  }
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
  if (!std::filesystem::exists(certificate_path))
    throw Error(certificate_path + ": cannot be read; `tactus certificate new-ca --folder " + folder +
                "` makes an authority");
  const std::string content = readPublicFile(certificate_path);
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

OpenSslHandle<ASN1_TIME> timeIn(long seconds) {
  OpenSslHandle<ASN1_TIME> time(X509_gmtime_adj(nullptr, seconds));
  require(time != nullptr, "make a time");
  return time;
}

/// The list of an authority, or null if there is none yet.
OpenSslHandle<X509_CRL> openList(const std::string& path, const Authority& authority) {
  if (!std::filesystem::exists(path)) return nullptr;
  const std::string content = readPublicFile(path);
  const OpenSslHandle<BIO> memory = bioOf(content);
  OpenSslHandle<X509_CRL> list(PEM_read_bio_X509_CRL(memory.get(), nullptr, nullptr, nullptr));
  if (!list || X509_CRL_verify(list.get(), authority.key.get()) != 1)
    throw Error(path + ": is not the list of this authority; move it away first");
  return list;
}

/// Writes the list with the entries of the former one and one more, each of which may be null.
void writeList(const std::string& path, const Authority& authority, X509_CRL* former, X509* revoked,
               std::int64_t valid_ns) {
  const OpenSslHandle<X509_CRL> list(X509_CRL_new());
  const OpenSslHandle<ASN1_TIME> now = timeIn(-kClockSkew), end = timeIn(static_cast<long>(valid_ns / kSecond));
  require(list && X509_CRL_set_version(list.get(), 1) == 1 &&
              X509_CRL_set_issuer_name(list.get(), X509_get_subject_name(authority.certificate.get())) == 1 &&
              X509_CRL_set1_lastUpdate(list.get(), now.get()) == 1 &&
              X509_CRL_set1_nextUpdate(list.get(), end.get()) == 1,
          "make a list of revoked certificates");
  const auto add = [&](OpenSslHandle<X509_REVOKED> entry) {
    require(entry && X509_CRL_add0_revoked(list.get(), entry.get()) == 1, "add to a list of revoked certificates");
    entry.release();
  };
  STACK_OF(X509_REVOKED)* const entries = former == nullptr ? nullptr : X509_CRL_get_REVOKED(former);
  for (int i = 0; i < sk_X509_REVOKED_num(entries); ++i)
    add(OpenSslHandle<X509_REVOKED>(X509_REVOKED_dup(sk_X509_REVOKED_value(entries, i))));
  if (revoked != nullptr) {
    OpenSslHandle<X509_REVOKED> entry(X509_REVOKED_new());
    const OpenSslHandle<ASN1_TIME> today = timeIn(0);
    require(entry && X509_REVOKED_set_serialNumber(entry.get(), X509_get_serialNumber(revoked)) == 1 &&
                X509_REVOKED_set_revocationDate(entry.get(), today.get()) == 1,
            "revoke a certificate");
    add(std::move(entry));
  }
  X509V3_CTX context;
  X509V3_set_ctx(&context, authority.certificate.get(), nullptr, nullptr, list.get(), 0);
  const OpenSslHandle<X509_EXTENSION> issuer(
      X509V3_EXT_conf_nid(nullptr, &context, NID_authority_key_identifier, "keyid:always"));
  require(issuer && X509_CRL_add_ext(list.get(), issuer.get(), -1) == 1 && X509_CRL_sort(list.get()) == 1 &&
              X509_CRL_sign(list.get(), authority.key.get(), EVP_sha256()) > 0,
          "sign a list of revoked certificates");

  const OpenSslHandle<BIO> memory(BIO_new(BIO_s_mem()));
  require(memory && PEM_write_bio_X509_CRL(memory.get(), list.get()) == 1, "write a list of revoked certificates");
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &bytes);
  // A server may read it at any time: it is replaced, never half written.
  replacePublicFile(path, {bytes, static_cast<std::size_t>(size)});
}

/// Ends a certificate with its authority, if it would be valid for longer. @returns whether it would
bool endWithAuthority(X509& certificate, const X509& authority, const std::string& folder) {
  const ASN1_TIME* const end = X509_get0_notAfter(&authority);
  if (X509_cmp_current_time(end) <= 0)
    throw Error(folder + ": the authority has expired on " + dateOf(end) + "; make another one in a new folder");
  if (ASN1_TIME_compare(X509_get0_notAfter(&certificate), end) <= 0) return false;
  require(X509_set1_notAfter(&certificate, end) == 1, "set the time of a certificate");
  return true;
}

}  // namespace

CertificateFiles makeAuthority(const std::string& folder, std::int64_t valid_ns) {
  requireTime(valid_ns);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    throw Error(folder + ": cannot be made: " + std::strerror(errno));
  const FolderLock lock(folder);
  const std::string list = folder + "/ca.crl";
  if (std::filesystem::exists(list))
    throw Error(list + ": exists already, of another authority; choose another folder, or move it away");
  const OpenSslHandle<EVP_PKEY> key = makeKey();
  const OpenSslHandle<X509> certificate = makeCertificate("tactus bench authority", *key, valid_ns);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(certificate.get()));
  addExtension(*certificate, *certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0");
  addExtension(*certificate, *certificate, NID_key_usage, "critical,keyCertSign,cRLSign");
  addExtension(*certificate, *certificate, NID_subject_key_identifier, "hash");
  sign(*certificate, *key);
  const CertificateFiles files = writeFiles(folder + "/ca", *certificate, *key);
  try {
    writeList(list, openAuthority(folder), nullptr, nullptr, valid_ns);
  } catch (const Error&) {
    ::unlink(files.certificate.c_str());
    ::unlink(files.key.c_str());
    throw;
  }
  return files;
}

CertificateFiles issueCertificate(const std::string& folder, const std::string& out, const CertificateTerms& terms) {
  requireTime(terms.valid_ns);
  if (!isIdentity(terms.name) || terms.name == "ca" || terms.name == "." || terms.name == "..")
    throw Error("--name " + terms.name + ": must be 1 to 64 of A-Z a-z 0-9 _ . -, and none of ca, . and ..");
  const std::string names = alternativeNames(terms);
  const Authority authority = openAuthority(folder);
  const OpenSslHandle<EVP_PKEY> key = makeKey();
  const OpenSslHandle<X509> certificate = makeCertificate(terms.name, *key, terms.valid_ns);
  const bool shortened = endWithAuthority(*certificate, *authority.certificate, folder);
  X509_set_issuer_name(certificate.get(), X509_get_subject_name(authority.certificate.get()));
  addExtension(*certificate, *authority.certificate, NID_basic_constraints, "critical,CA:FALSE");
  addExtension(*certificate, *authority.certificate, NID_key_usage, "critical,digitalSignature");
  addExtension(*certificate, *authority.certificate, NID_ext_key_usage, terms.role ? "clientAuth" : "serverAuth");
  addExtension(*certificate, *authority.certificate, NID_subject_alt_name, names);
  addExtension(*certificate, *authority.certificate, NID_subject_key_identifier, "hash");
  addExtension(*certificate, *authority.certificate, NID_authority_key_identifier, "keyid:always");
  sign(*certificate, *authority.key);
  CertificateFiles files = writeFiles(out + "/" + terms.name, *certificate, *key);
  files.shortened = shortened;
  return files;
}

Revocation revokeCertificate(const std::string& folder, const std::string& certificate, std::int64_t valid_ns) {
  requireTime(valid_ns);
  const FolderLock lock(folder);  // from reading the former list until the new one is there
  const Authority authority = openAuthority(folder);
  if (!std::filesystem::exists(certificate)) throw Error(certificate + ": there is no such file");
  const std::string content = readPublicFile(certificate);
  const OpenSslHandle<BIO> memory = bioOf(content);
  const OpenSslHandle<X509> revoked(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  if (!revoked || X509_verify(revoked.get(), authority.key.get()) != 1)
    throw Error(certificate + ": is not a certificate of the authority in " + folder);
  if (X509_cmp(revoked.get(), authority.certificate.get()) == 0)
    throw Error(certificate +
                ": is the authority itself, which no list can revoke; make another one in a new folder, and "
                "start the server with its ca.crt");
  Revocation made{folder + "/ca.crl"};
  const OpenSslHandle<X509_CRL> former = openList(made.list, authority);
  X509_REVOKED* entry = nullptr;
  made.before = former && X509_CRL_get0_by_serial(former.get(), &entry, X509_get_serialNumber(revoked.get())) != 0;
  writeList(made.list, authority, former.get(), made.before ? nullptr : revoked.get(), valid_ns);
  return made;
}

}  // namespace tactus::server
