// RevocationList: the client certificates that their authorities have taken back.
#pragma once

#include <set>
#include <string>

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

  std::size_t size() const noexcept { return keys_.size(); }

 private:
  std::set<std::string> keys_;
};

}  // namespace tactus::server
