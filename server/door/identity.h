// The identity in a client certificate: URIs "tactus:client:NAME" and "tactus:role:ROLE" among its alternative names,
// as `tactus certificate issue` writes them.
#pragma once

#include "server/door/peer.h"

#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

/// The name from the URI, or else the common name; the role from the URI, or else observe.
/// @param uris  those of a certificate that the handshake has verified
/// @throws RequestError kNotAuthenticated for a certificate without a valid name, with two names or two roles, or with
/// an
///         unknown role
Peer peerOfCertificate(const std::vector<std::string>& uris, const std::string& common_name);

/// 1 to 64 of A-Z a-z 0-9 _ . -
bool isIdentity(std::string_view name);

}  // namespace tactus::server
