// RevocationList: the client certificates that their authorities have taken back.
#pragma once

#include <openssl/x509.h>

#include <set>
#include <string>
#include <vector>

namespace tactus::server {

class RevocationList {
 public:
  /// No certificate is revoked.
  RevocationList() = default;

  /// Reads the lists (CRL) of a PEM file, each signed by an authority of the other file.
  /// @throws Error with the file and the rule: no list, a list of another authority, a wrong signature, an expired list
  static RevocationList read(const std::string& path, const std::string& authorities);

  /// What a list knows of a certificate: its issuer and its number. Empty for a text that is no certificate in PEM
  /// form.
  static std::string keyOf(const std::string& certificate);

  /// Whether a certificate is revoked. One without a key is.
  bool holds(const std::string& key) const { return key.empty() || keys_.contains(key); }

  /// The same of a certificate by its authority and its number.
  bool holds(const X509_NAME* authority, const ASN1_INTEGER* number) const;

  std::size_t size() const noexcept { return keys_.size(); }

  /// Names of authorities of which the file has no list: none of their certificates can be revoked.
  const std::vector<std::string>& unlisted() const noexcept { return unlisted_; }

 private:
  std::set<std::string> keys_;
  std::vector<std::string> unlisted_;
};

}  // namespace tactus::server
