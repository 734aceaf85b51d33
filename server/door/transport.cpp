#include "server/door/transport.h"

#include <grpcpp/security/tls_credentials_options.h>

#include <functional>
#include <utility>

namespace tactus::server {

namespace {

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

Transport makeTransport(const Access& access, IsRevoked revoked,
                        std::function<void(const std::string&)> other_authorities) {
  if (!access.encrypted()) {
    checkCertificates(access);
    return {grpc::InsecureServerCredentials(), nullptr};
  }
  const bool with_clients = !access.tls_client_ca.empty();
  const auto files = std::make_shared<WatchedCertificates>(access, std::move(other_authorities));
  grpc::experimental::TlsServerCredentialsOptions options(files);
  options.watch_identity_key_cert_pairs();
  if (with_clients) options.watch_root_certs();
  options.set_cert_request_type(with_clients ? GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY
                                             : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
  if (with_clients && revoked)
    options.set_certificate_verifier(
        grpc::experimental::ExternalCertificateVerifier::Create<RevocationCheck>(std::move(revoked)));
  return {grpc::experimental::TlsServerCredentials(options), files};
}

}  // namespace tactus::server
