#include "server/door/transport.h"

#include "proto/text/secret_file.h"
#include "rt/error.h"
#include "server/door/openssl_handle.h"

#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>

namespace tactus::server {

namespace {

constexpr unsigned kLook = 1;  // s, between two looks at the files

std::string contentOf(const std::string& option, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(option + " " + path + ": cannot be read");
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// The first certificate of a PEM file.
OpenSslHandle<X509> certificateOf(const std::string& option, const std::string& path) {
  const std::string content = contentOf(option, path);
  const OpenSslHandle<BIO> memory = bioOf(content);
  OpenSslHandle<X509> certificate(PEM_read_bio_X509(memory.get(), nullptr, nullptr, nullptr));
  if (!certificate) throw Error(option + " " + path + ": holds no certificate in PEM form");
  if (X509_cmp_current_time(X509_get0_notAfter(certificate.get())) < 0)
    throw Error(option + " " + path + ": the certificate has expired; `tactus certificate issue` makes a new one");
  return certificate;
}

/// Ends the handshake of a revoked certificate.
class RevocationCheck final : public grpc::experimental::ExternalCertificateVerifier {
 public:
  explicit RevocationCheck(IsRevoked revoked) : revoked_(std::move(revoked)) {}

  bool Verify(grpc::experimental::TlsCustomVerificationCheckRequest* request, std::function<void(grpc::Status)>,
              grpc::Status* result) override {
    const grpc::string_ref certificate = request->peer_cert();
    *result = revoked_({certificate.data(), certificate.size()})
                  ? grpc::Status(grpc::StatusCode::UNAUTHENTICATED, "the client certificate is revoked")
                  : grpc::Status::OK;
    return true;
  }
  void Cancel(grpc::experimental::TlsCustomVerificationCheckRequest*) override {}

 private:
  const IsRevoked revoked_;
};

}  // namespace

void checkCertificates(const Access& access) {
  if (access.tls_cert.empty() != access.tls_key.empty())
    throw Error("--tls-cert and --tls-key belong together: give both");
  if (!access.encrypted()) {
    // Behind a proxy the authorities sign the lists of revoked certificates alone.
    if (!access.tls_client_ca.empty() && !access.trust_peer_header)
      throw Error("--tls-client-ca needs --tls-cert and --tls-key");
    if (!access.tls_crl.empty() && access.tls_client_ca.empty()) throw Error("--tls-crl needs --tls-client-ca");
    if (!access.tls_client_ca.empty()) certificateOf("--tls-client-ca", access.tls_client_ca);
    return;
  }
  if (!access.tls_crl.empty() && access.tls_client_ca.empty()) throw Error("--tls-crl needs --tls-client-ca");
  const OpenSslHandle<X509> certificate = certificateOf("--tls-cert", access.tls_cert);
  std::string secret;
  try {
    secret = text::readSecretFile(access.tls_key);
  } catch (const std::runtime_error& error) { throw Error(std::string("--tls-key ") + error.what()); }
  const OpenSslHandle<BIO> memory = bioOf(secret);
  const OpenSslHandle<EVP_PKEY> key(PEM_read_bio_PrivateKey(memory.get(), nullptr, nullptr, nullptr));
  if (!key) throw Error("--tls-key " + access.tls_key + ": holds no private key in PEM form without a password");
  if (X509_check_private_key(certificate.get(), key.get()) != 1)
    throw Error("--tls-key " + access.tls_key + ": is not the key of the certificate in " + access.tls_cert);
  if (!access.tls_client_ca.empty()) certificateOf("--tls-client-ca", access.tls_client_ca);
}

std::shared_ptr<grpc::ServerCredentials> makeTransport(const Access& access, IsRevoked revoked) {
  checkCertificates(access);
  if (!access.encrypted()) return grpc::InsecureServerCredentials();
  using Watcher = grpc::experimental::FileWatcherCertificateProvider;
  const bool with_clients = !access.tls_client_ca.empty();
  const auto files = with_clients
                         ? std::make_shared<Watcher>(access.tls_key, access.tls_cert, access.tls_client_ca, kLook)
                         : std::make_shared<Watcher>(access.tls_key, access.tls_cert, kLook);
  grpc::experimental::TlsServerCredentialsOptions options(files);
  options.watch_identity_key_cert_pairs();
  if (with_clients) options.watch_root_certs();
  options.set_cert_request_type(with_clients ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  if (with_clients && revoked)
    options.set_certificate_verifier(
        grpc::experimental::ExternalCertificateVerifier::Create<RevocationCheck>(std::move(revoked)));
  return grpc::experimental::TlsServerCredentials(options);
}

}  // namespace tactus::server
