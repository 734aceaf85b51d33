// Door: who a caller is, what this one may do, and what of it is written down. Every RPC passes it once.
#pragma once

#include "server/config.h"
#include "server/door/audit_log.h"
#include "server/door/client_certificates.h"
#include "server/door/peer.h"
#include "server/door/rpc_rules.h"
#include "server/door/token_file.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/status.h>

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace tactus::server {

/// Thread-safe.
class Door {
 public:
  /// @throws Error if the token file is not valid or can be read by others, a list of revoked certificates is not
  /// valid,
  ///         or the audit log cannot be written
  explicit Door(const Access& access);

  /// Reads the token file again. Calls with a token that is gone or has another role are cancelled.
  /// @throws Error if the file is not valid; the former tokens stay in force then
  void reloadTokens();

  /// Takes other authorities, those that the handshakes have from now on, and reads the list of revoked certificates
  /// again. Calls that came with a certificate that does not hold any more are cancelled.
  /// @param authorities  in PEM form; not looked at behind a proxy and without --tls-client-ca
  /// @throws Error if they or the list are not valid; what was in force stays in force then
  void reloadCertificates(const std::string& authorities);

  /// Whether a client certificate, in PEM form, is revoked.
  bool isRevoked(const std::string& certificate) const;

  const Access& access() const noexcept { return access_; }

  /// Writes a call into the audit log if its rule demands that, or if it was refused to this caller.
  /// @param peer  null for a caller without an identity
  void note(const grpc::ServerContextBase& context, const Peer* peer, const RpcRule& rule,
            const google::protobuf::Message& request, const std::string& subject, const grpc::Status& status);

 private:
  friend class Visit;
  struct Admitted {
    Peer peer;
    std::optional<TokenFile::Entry> token{};
    ShownCertificate certificate{};  ///< empty: none
  };
  /// Whether a caller that has been let in still would be. Under mutex_.
  bool holds(const std::optional<TokenFile::Entry>& token, const ShownCertificate& certificate) const;
  std::string readAuthorities() const;
  ClientCertificates readCertificates(const std::string& authorities) const;
  void cancelOthers();
  Admitted admit(const grpc::ServerContextBase& context) const;
  std::string addressOf(const grpc::ServerContextBase& context) const;

  struct Open {
    grpc::ServerContextBase* context;
    std::optional<TokenFile::Entry> token;
    ShownCertificate certificate;
  };

  const Access access_;
  AuditLog log_;
  mutable std::recursive_mutex mutex_;       ///< a cancelled call may end in the thread that cancels it
  TokenFile tokens_;                         ///< under mutex_
  mutable ClientCertificates certificates_;  ///< under mutex_
  std::map<std::uint64_t, Open> open_;       ///< under mutex_: the calls with a token or a certificate
  std::uint64_t next_ = 1;                   ///< under mutex_
};

/// The header in which a proxy names the client certificate that it has verified: base64 of DER. It is looked at only
/// where Access::trust_peer_header says that nobody but the proxy reaches the server; elsewhere a call that has it is
/// refused.
inline constexpr char kFrontHeader[] = "x-tactus-client-cert";

/// The header in which the same proxy tells the address of the client, for the audit log.
inline constexpr char kFrontAddressHeader[] = "x-tactus-client-address";

/// A call that has been let in, for as long as it lasts.
class Visit {
 public:
  /// Looks at the certificate or the token of the caller. Headers in which a client names an identity by itself are not
  /// looked at.
  /// @throws RequestError kNotAuthenticated
  Visit(Door& door, grpc::ServerContextBase& context, const char* rpc);
  ~Visit();
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  const Peer& peer() const noexcept { return peer_; }
  const RpcRule& rule() const noexcept { return rule_; }

  /// Tells, also after the call, whether its caller would still be let in. Thread-safe; the door must live as long.
  /// None: came with nothing that can be taken back.
  std::function<bool()> admission() const;

  /// For the audit log: what the request does not name.
  std::string subject;

  /// The role that the rule of the RPC asks for. @throws RequestError kRoleTooLow
  void requireRole() const { requireRole(rule_.role, rule_.name); }

  /// A role that the content of the request asks for. @throws RequestError kRoleTooLow
  void requireRole(Role needed, const std::string& what) const { server::requireRole(peer_, needed, what); }

  /// Writes the call into the audit log, whatever its rule. For streams, whose requests come after they were let in.
  void note(const google::protobuf::Message& request, const grpc::Status& status) const;

 private:
  Door& door_;
  grpc::ServerContextBase& context_;
  const RpcRule& rule_;
  Peer peer_;
  std::uint64_t number_ = 0;  ///< 0: came with nothing that can be taken back
};

}  // namespace tactus::server
