// Peer: who calls, and the checks of what this one may do.
#pragma once

#include "server/door/role.h"

#include <string>

namespace tactus::server {

/// The caller of an RPC. As it is: a client of a server that knows no identities, which may do everything.
struct Peer {
  std::string name{};  ///< of the token or of the certificate; empty: the server knows no identities
  Role role = Role::kAdmin;

  bool mayChange(const std::string& owner) const { return role == Role::kAdmin || (!name.empty() && owner == name); }
};

/// @param what  the subject of the message: "StartSession", "a period of the class"
/// @throws RequestError kRoleTooLow
void requireRole(const Peer& peer, Role needed, const std::string& what);

/// @param owner  identity that has made it; empty: the server itself
/// @param what   for the message: session "main"
/// @throws RequestError kNotOwner unless the peer is its owner or an admin
void requireOwner(const Peer& peer, const std::string& owner, const std::string& what);

/// Of inputs to a session: its owner, and with a session of the server itself each identity that may control. Which of
/// them holds the inputs is a matter of the lease.
/// @throws RequestError kRoleTooLow, kNotOwner
void requireDriver(const Peer& peer, const std::string& owner, const std::string& session);

}  // namespace tactus::server
