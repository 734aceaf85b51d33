#include "server/door/watched_certificates.h"

#include "proto/text/small_file.h"
#include "rt/error.h"
#include "server/door/openssl_handle.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <functional>
#include <stdexcept>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr unsigned kLook = 1;  // s, between two looks at the files, and between two of gRPC at what was read

std::string certificateText(const char* option, const std::string& path,
                            text::FileReaders readers = text::FileReaders::kAny) {
  try {
    return text::readSmallFile(path, readers);
  } catch (const std::runtime_error& error) { throw Error(std::string(option) + ' ' + error.what()); }
}

void readPair(const Access& access, CertificateTexts& found) {
  found.certificate = certificateText("--tls-cert", access.tls_cert);
  found.key = certificateText("--tls-key", access.tls_key, text::FileReaders::kOwner);
}

void readAuthorities(const Access& access, CertificateTexts& found) {
  if (!access.tls_client_ca.empty()) found.authorities = certificateText("--tls-client-ca", access.tls_client_ca);
}

CertificateTexts certificateTexts(const Access& access) {
  CertificateTexts found;
  readPair(access, found);
  readAuthorities(access, found);
  return found;
}

bool hasExpired(const X509* certificate) {
  return X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0;
}

// The first certificate of a PEM file: that of the server.
OpenSslHandle<X509> serverCertificate(const std::string& where, const std::string& content) {
  const OpenSslHandle<BIO> memory = bioOf(content);
  OpenSslHandle<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  ERR_clear_error();
  if (!certificate) throw Error(where + ": holds no certificate in PEM form");
  if (hasExpired(certificate.get()))
    throw Error(where + ": the certificate has expired; `tactus certificate issue` makes a new one");
  if (X509_cmp_current_time(X509_get0_notBefore(certificate.get())) > 0)
    throw Error(where + ": the certificate is not valid yet; check the clock of this host");
  const bool is_of_server = X509_check_purpose(certificate.get(), X509_PURPOSE_SSL_SERVER, 0) == 1;
  ERR_clear_error();
  if (!is_of_server)
    throw Error(
        where +
        ": is not a certificate of a server, so no client would accept it; `tactus certificate issue --host HOST` "
        "makes one");
  return certificate;
}

// A key with a password is not one that a server can start with.
int noPassword(char*, int, int, void*) {
  return -1;
}

void checkAuthorities(const Access& access, const CertificateTexts& found) {
  if (access.tls_client_ca.empty()) return;
  // In a file with a former and a new authority the former one may have expired.
  const std::string where = "--tls-client-ca " + access.tls_client_ca;
  const std::vector<OpenSslHandle<X509>> authorities = certificatesOf(where, found.authorities);
  if (authorities.empty()) throw Error(where + ": holds no certificate in PEM form");
  const auto expired = std::count_if(authorities.begin(), authorities.end(),
                                     [](const auto& authority) { return hasExpired(authority.get()); });
  if (expired == std::ssize(authorities))
    throw Error(where + ": each authority has expired; `tactus certificate new-ca` makes a new one");
  if (expired > 0)
    spdlog::warn("{}: {} of {} authorities have expired; certificates of these authorities are refused", where, expired,
                 authorities.size());
}

void checkPair(const Access& access, const CertificateTexts& found) {
  const OpenSslHandle<X509> certificate = serverCertificate("--tls-cert " + access.tls_cert, found.certificate);
  const OpenSslHandle<BIO> memory = bioOf(found.key);
  const OpenSslHandle<EVP_PKEY> key(PEM_read_bio_PrivateKey(memory.get(), nullptr, noPassword, nullptr));
  ERR_clear_error();
  if (!key) throw Error("--tls-key " + access.tls_key + ": holds no private key in PEM form without a password");
  const bool fits = X509_check_private_key(certificate.get(), key.get()) == 1;
  ERR_clear_error();
  if (!fits) throw Error("--tls-key " + access.tls_key + ": is not the key of the certificate in " + access.tls_cert);
}

void checkTexts(const Access& access, const CertificateTexts& found) {
  checkPair(access, found);
  checkAuthorities(access, found);
}

// One file for both, so that nobody reads a new certificate and a former key. Readers of PEM pass over what they do not
// look for.
std::string pairOf(const CertificateTexts& texts) {
  return texts.certificate + '\n' + texts.key;
}

int newMemoryFile(const std::string& content) {
  const int file = ::memfd_create("tactus-certificates", MFD_CLOEXEC);
  std::size_t size = 0;
  while (file >= 0 && size < content.size()) {
    const ssize_t count = ::write(file, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    size += static_cast<std::size_t>(count);
  }
  if (file >= 0 && size == content.size()) return file;
  const int error = errno;
  if (file >= 0) ::close(file);
  throw Error(std::string("no file in memory can be made for certificates: ") + std::strerror(error));
}

}  // namespace

void checkCertificates(const Access& access) {
  if (access.tls_cert.empty() != access.tls_key.empty())
    throw Error("--tls-cert and --tls-key belong together: give both");
  // Behind a proxy the authorities sign the lists of revoked certificates alone.
  if (!access.encrypted() && !access.tls_client_ca.empty() && !access.trust_peer_header)
    throw Error("--tls-client-ca needs --tls-cert and --tls-key");
  if (!access.tls_crl.empty() && access.tls_client_ca.empty())
    throw Error("--tls-crl needs --tls-client-ca: the list revokes certificates of these authorities, which sign it");
  if (access.encrypted()) return checkTexts(access, certificateTexts(access));
  CertificateTexts found;
  readAuthorities(access, found);
  checkAuthorities(access, found);
}

MemoryFile::MemoryFile(const std::string& content) : descriptor_(newMemoryFile(content)) {}

MemoryFile::~MemoryFile() {
  ::close(descriptor_);
}

std::string MemoryFile::path() const {
  return "/proc/self/fd/" + std::to_string(descriptor_);
}

void MemoryFile::replace(const std::string& content) {
  const int file = newMemoryFile(content);
  const bool replaced = ::dup3(file, descriptor_, O_CLOEXEC) >= 0;
  const int error = errno;
  ::close(file);
  if (!replaced) throw Error(std::string("the certificates in memory cannot be replaced: ") + std::strerror(error));
}

WatchedCertificates::WatchedCertificates(const Access& access,
                                         std::function<void(const std::string&)> other_authorities)
    : access_(access),
      other_authorities_(std::move(other_authorities)),
      current_((checkCertificates(access), certificateTexts(access))),
      pair_(pairOf(current_)),
      authorities_(current_.authorities) {
  if (::access(pair_.path().c_str(), R_OK) != 0)
    throw Error(pair_.path() + ": " + std::strerror(errno) + "; TLS needs /proc to be mounted");
  using Watcher = grpc::experimental::FileWatcherCertificateProvider;
  watcher_ = access_.tls_client_ca.empty()
                 ? std::make_unique<Watcher>(pair_.path(), pair_.path(), kLook)
                 : std::make_unique<Watcher>(pair_.path(), pair_.path(), authorities_.path(), kLook);
  thread_ = std::thread([this] { watch(); });
}

WatchedCertificates::~WatchedCertificates() {
  end();
}

void WatchedCertificates::end() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void WatchedCertificates::reloadPair() {
  const std::lock_guard lock(mutex_);
  CertificateTexts found = current_;
  readPair(access_, found);
  checkPair(access_, found);
  take(found);
  failure_.clear();
  told_ = false;
}

void WatchedCertificates::reloadAuthorities() {
  const std::lock_guard lock(mutex_);
  CertificateTexts found = current_;
  readAuthorities(access_, found);
  checkAuthorities(access_, found);
  if (other_authorities_) other_authorities_(found.authorities);
  take(found);
}

void WatchedCertificates::take(const CertificateTexts& found) {
  if (found.authorities != current_.authorities) authorities_.replace(found.authorities);
  current_.authorities = found.authorities;
  if (pairOf(found) != pairOf(current_)) pair_.replace(pairOf(found));
  current_ = found;
}

// A failure counts from the second look on: the files are replaced one by one. Other authorities need the list of what
// they have revoked, which only reload() reads.
void WatchedCertificates::look() {
  try {
    CertificateTexts found = certificateTexts(access_);
    const bool waits = !access_.tls_crl.empty() && found.authorities != current_.authorities;
    if (waits) found.authorities = current_.authorities;
    if (found != current_) {
      checkTexts(access_, found);
      if (other_authorities_ && found.authorities != current_.authorities) other_authorities_(found.authorities);
      take(found);
      spdlog::info("replaced certificates hold for new connections");
    }
    if (waits)
      throw Error("--tls-client-ca " + access_.tls_client_ca +
                  ": has changed; send SIGHUP, which reads it together with the list of --tls-crl");
    if (told_) spdlog::info("the certificate files are valid again");
    failure_.clear();
    told_ = false;
  } catch (const Error& error) {
    if (failure_ != error.what()) {
      failure_ = error.what();
      told_ = false;
    } else if (!told_) {
      spdlog::warn("{}; the certificates that were valid before stay in force", failure_);
      told_ = true;
    }
  }
}

void WatchedCertificates::watch() {
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, std::chrono::seconds(kLook), [this] { return ended_; })) look();
}

}  // namespace tactus::server
