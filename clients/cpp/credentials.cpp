#include "clients/cpp/credentials.h"

#include "clients/cpp/error.h"
#include "proto/text/secret_file.h"
#include "proto/text/small_file.h"

#include <cstdlib>
#include <stdexcept>

#include <arpa/inet.h>

namespace tactus::client {
namespace {

bool staysOnThisHost(const std::string& address) {
  for (const char* const prefix : {"unix:", "localhost:", "[::1]:"})
    if (address.starts_with(prefix)) return true;
  // A name may begin like an address.
  in_addr v4{};
  return ::inet_pton(AF_INET, address.substr(0, address.rfind(':')).c_str(), &v4) == 1 &&
         (ntohl(v4.s_addr) >> 24) == 127;
}

/// Whether an address names its port. Without one, gRPC takes port 0 or 443.
bool hasPort(const std::string& address) {
  if (address.starts_with("unix:")) return true;
  const std::size_t last = address.find_last_not_of("0123456789");
  return last != std::string::npos && last + 1 < address.size() && address[last] == ':';
}

ClientError invalid(const char* field, const std::string& message, const std::string& hint = {}) {
  v1::ErrorDetail detail;
  detail.set_reason("REQUEST_INVALID");
  detail.set_field(field);
  detail.set_hint(hint);
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT, message, detail);
}

std::string publicOf(const char* field, const std::string& path) {
  try {
    return text::readSmallFile(path);
  } catch (const std::runtime_error& error) { throw invalid(field, error.what()); }
}

std::string secretOf(const char* field, const std::string& path, std::string (*read)(const std::string&)) {
  try {
    return read(path);
  } catch (const std::runtime_error& error) { throw invalid(field, error.what()); }
}

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Credentials Credentials::fromEnvironment() {
  return {variable("TACTUS_TLS_CA"), variable("TACTUS_TLS_CERT"), variable("TACTUS_TLS_KEY"),
          variable("TACTUS_TOKEN_FILE"), false};
}

OpenedCredentials openCredentials(const Credentials& credentials, const std::string& address) {
  if (credentials.tls_cert.empty() != credentials.tls_key.empty())
    throw invalid("tls_key", "a certificate and its key belong together", "give both, --tls-cert and --tls-key");
  if (!credentials.tls_cert.empty() && credentials.tls_ca.empty())
    throw invalid("tls_ca", "a certificate of the client needs the authority of the server", "give --tls-ca");
  if (!hasPort(address))
    throw invalid("address", "'" + address + "' has no port", "give ADDR:PORT, such as 127.0.0.1:50051, or unix:/PATH");
  const bool leaves = !staysOnThisHost(address), encrypted = !credentials.tls_ca.empty();
  if (leaves && !encrypted && !credentials.insecure)
    throw invalid("address", "'" + address + "' is not an address on this host, and the connection is not encrypted",
                  "give --tls-ca (or TACTUS_TLS_CA), or use 127.0.0.1:PORT, localhost:PORT, [::1]:PORT or unix:/PATH");
  if (leaves && !encrypted && !credentials.token_file.empty())
    throw invalid("token_file", "a token must not go to another host in plaintext", "give --tls-ca");

  OpenedCredentials opened;
  if (encrypted) {
    grpc::SslCredentialsOptions options;
    options.pem_root_certs = publicOf("tls_ca", credentials.tls_ca);
    if (!credentials.tls_cert.empty()) {
      options.pem_cert_chain = publicOf("tls_cert", credentials.tls_cert);
      options.pem_private_key = secretOf("tls_key", credentials.tls_key, text::readSecretFile);
    }
    opened.channel = grpc::SslCredentials(options);
  } else {
    opened.channel = grpc::InsecureChannelCredentials();
  }
  if (!credentials.token_file.empty())
    opened.authorization = "Bearer " + secretOf("token_file", credentials.token_file, text::readSecretLine);
  return opened;
}

}  // namespace tactus::client
