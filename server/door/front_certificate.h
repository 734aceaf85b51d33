// The certificate of a client that a proxy has verified, as the proxy hands it on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// What a handshake of this process would have told.
struct FrontCertificate {
  std::vector<std::string> uris;  ///< among its alternative names, in their order
  std::string common_name;        ///< the last one of the subject; empty: none
  std::string pem;
};

/// Reads base64 of one certificate in DER, as HAProxy writes `ssl_c_der,base64`. Its signature is the proxy's to check.
/// @throws RequestError kNotAuthenticated for anything else, also for names that hold a NUL
FrontCertificate readFrontCertificate(std::string_view base64);

}  // namespace tactus::server
