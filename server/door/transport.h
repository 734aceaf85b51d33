// The transport of a server: plaintext, or TLS with certificates that are read again when their files change.
#pragma once

#include "server/config.h"
#include "server/door/watched_certificates.h"

#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <string>

namespace tactus::server {

/// Whether a client certificate, in PEM form, is revoked. Called from any thread.
using IsRevoked = std::function<bool(const std::string& certificate)>;

struct Transport {
  std::shared_ptr<grpc::ServerCredentials> credentials;
  std::shared_ptr<WatchedCertificates> certificates;  ///< null in plaintext
};

/// TLS 1.2 or later with the certificates of `access`, whose files are looked at every second; plaintext without them.
/// With client authorities the handshake fails without a valid client certificate that is not revoked.
/// @param other_authorities  as WatchedCertificates has it
/// @throws Error as checkCertificates()
Transport makeTransport(const Access& access, IsRevoked revoked = {},
                        std::function<void(const std::string&)> other_authorities = {});

}  // namespace tactus::server
