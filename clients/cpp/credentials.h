// How a client shows who it is, and which servers it trusts.
#pragma once

#include <grpcpp/security/credentials.h>

#include <memory>
#include <string>

namespace tactus::client {

/// Paths of files, which are read when a client connects. Keys and tokens must be their owner's alone (mode 0600).
struct Credentials {
  std::string tls_ca{};               ///< PEM: the authority that signed the certificate of the server. Not empty: TLS
  std::string tls_cert{}, tls_key{};  ///< PEM: certificate of this client and its key; both or none
  std::string token_file{};           ///< holds a token of the server
  bool insecure = false;              ///< plaintext to another host, without a token

  /// From TACTUS_TLS_CA, TACTUS_TLS_CERT, TACTUS_TLS_KEY and TACTUS_TOKEN_FILE.
  static Credentials fromEnvironment();
};

/// Credentials whose files have been read.
struct OpenedCredentials {
  std::shared_ptr<grpc::ChannelCredentials> channel;
  std::string authorization;  ///< header of that name of every call; empty: none
};

/// @param address  of the server
/// @throws ClientError  INVALID_ARGUMENT for the address of another host without TLS, and for files that do not go
///                      together or cannot be used; never with the content of a file
OpenedCredentials openCredentials(const Credentials& credentials, const std::string& address);

}  // namespace tactus::client
