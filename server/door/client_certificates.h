// ClientCertificates: which client certificates hold at this moment. A connection may be older than what took them
// back.
#pragma once

#include "server/door/openssl_handle.h"
#include "server/door/revocation_list.h"

#include <compare>
#include <ctime>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tactus::server {

/// What a client has shown, in PEM form.
struct ShownCertificate {
  std::string own, others{};  ///< its certificate, and those between it and an authority

  bool empty() const noexcept { return own.empty(); }
  auto operator<=>(const ShownCertificate&) const = default;
};

/// Not thread-safe.
class ClientCertificates {
 public:
  /// @param authorities  in PEM form; none: a proxy has verified the certificates, and the authorities are its own
  /// @param revoked  none: nothing is revoked
  /// @throws Error if an authority cannot be used
  ClientCertificates(const std::optional<std::string>& authorities, std::optional<RevocationList> revoked);

  /// Takes over the intermediate certificates that `former` has kept. A TLS session that is resumed comes without them.
  void continueFrom(ClientCertificates& former) noexcept { between_ = std::move(former.between_); }

  /// What is wrong with a certificate now, such as "the client certificate is revoked"; empty if it holds.
  std::string fault(const ShownCertificate& shown);

  const std::optional<RevocationList>& revoked() const noexcept { return revoked_; }

 private:
  struct Verdict {
    std::string fault;
    std::time_t until;  ///< UTC, s: then it is found anew
  };
  Verdict judge(const ShownCertificate& shown);
  void keepBetween(X509* certificate);

  OpenSslHandle<X509_STORE> authorities_;  ///< null behind a proxy
  std::optional<RevocationList> revoked_;
  std::map<std::string, Verdict> known_;      ///< by the certificate of a client
  std::vector<OpenSslHandle<X509>> between_;  ///< intermediate ones that an authority vouched for, the newest last
};

}  // namespace tactus::server
