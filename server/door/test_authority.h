// TestAuthority: a small certificate authority for benches and tests, in a folder with ca.crt and ca.key.
#pragma once

#include "server/door/role.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// What a certificate is for: a server with its hosts, or a client with its role.
struct CertificateTerms {
  std::string name{};                ///< 1 to 64 of A-Z a-z 0-9 _ . -; of a client its identity
  std::optional<Role> role{};        ///< of a client; none: a server
  std::vector<std::string> hosts{};  ///< of a server: names and addresses by which clients reach it
  std::int64_t valid_ns = 0;         ///< from now on, at least a second
};

/// The files that were written; the key has mode 0600, the certificate, which is public, 0644.
struct CertificateFiles {
  std::string certificate, key;
  std::string valid_until;  ///< "2027-11-27 20:15:00 UTC"
  bool shortened = false;   ///< it ends with its authority, earlier than was asked for
};

/// Makes an authority: an EC key on P-256, a certificate that signs others, and an empty list of revoked certificates,
/// "ca.crl". The folder is made, with mode 0700, if it does not exist.
/// @throws Error if the folder has an authority already, or cannot be written; no file is then left behind
CertificateFiles makeAuthority(const std::string& folder, std::int64_t valid_ns);

/// Signs a certificate with a new EC key on P-256: "<name>.crt" and "<name>.key" in `out`. A server also gets
/// localhost, 127.0.0.1 and ::1; a client gets the URIs of identity.h. It ends with its authority at the latest.
/// @throws Error for invalid terms, a folder without an authority or with an expired one, or files that exist already;
/// no
///         file is then left behind
CertificateFiles issueCertificate(const std::string& folder, const std::string& out, const CertificateTerms& terms);

/// The list of revoked certificates of an authority, written again.
struct Revocation {
  std::string list;     ///< path
  bool before = false;  ///< the certificate was on the list already: only the time of the list is new
};

/// Adds a certificate of the authority to its list of revoked certificates, "ca.crl" in `folder`, which is replaced at
/// once. Processes that revoke in one folder wait for each other.
/// @param certificate  path of the file
/// @param valid_ns     from now on: a list that is older is refused by servers
/// @throws Error for a certificate of another authority, and for the authority itself
Revocation revokeCertificate(const std::string& folder, const std::string& certificate, std::int64_t valid_ns);

}  // namespace tactus::server
