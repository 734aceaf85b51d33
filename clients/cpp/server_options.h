// Options of a command line: the server, and how the client shows who it is.
#pragma once

#include "clients/cpp/credentials.h"

#include <CLI/CLI.hpp>

#include <string>

namespace tactus::client {

/// Adds --tls-ca, --tls-cert, --tls-key, --token-file and --insecure. They name files; a secret never stands on a
/// command line.
inline void addCredentialOptions(CLI::App& command, Credentials& credentials) {
  const auto add = [&command](const char* name, std::string& path, const char* what) {
    command.add_option(name, path, what)->group("Server of another host, or with tokens");
  };
  add("--tls-ca", credentials.tls_ca, "Authority of the server, PEM: use TLS; default: TACTUS_TLS_CA");
  add("--tls-cert", credentials.tls_cert, "Certificate of this client, PEM; default: TACTUS_TLS_CERT");
  add("--tls-key", credentials.tls_key, "Its private key, PEM, of mode 0600; default: TACTUS_TLS_KEY");
  add("--token-file", credentials.token_file, "File of mode 0600 with a token; default: TACTUS_TOKEN_FILE");
  command.add_flag("--insecure", credentials.insecure, "Speak plaintext to another host, without a token")
      ->group("Server of another host, or with tokens");
}

/// Adds --server, and the options of addCredentialOptions().
inline void addServerOption(CLI::App& command, std::string& server, Credentials& credentials) {
  command.add_option("--server", server, "Address of the server, ADDR:PORT or unix:PATH")->capture_default_str();
  addCredentialOptions(command, credentials);
}

}  // namespace tactus::client
