// The transport of a server: plaintext, or TLS with certificates that are read again when their files change.
#pragma once

#include "server/config.h"

#include <grpcpp/security/server_credentials.h>

#include <functional>
#include <memory>
#include <string>

namespace tactus::server {

/// Checks the certificate files: they can be read, the key fits and is nobody else's to read, nothing has expired.
/// @throws Error naming the file, what is wrong and what to do; never with a key
void checkCertificates(const Access& access);

/// Whether a client certificate, in PEM form, is revoked. Called from any thread.
using IsRevoked = std::function<bool(const std::string& certificate)>;

/// TLS 1.2 or later with the certificates of `access`, whose files are looked at every second; plaintext without them.
/// With client authorities the handshake fails without a valid client certificate that is not revoked.
/// @throws Error as checkCertificates()
std::shared_ptr<grpc::ServerCredentials> makeTransport(const Access& access, IsRevoked revoked = {});

}  // namespace tactus::server
