#include "server/door/peer.h"

#include "server/wire/request_error.h"

namespace tactus::server {

void requireRole(const Peer& peer, Role needed, const std::string& what) {
  if (peer.role >= needed) return;
  throw RequestError(
      Reason::kRoleTooLow, "",
      what + " needs the role " + toString(needed) + ", and \"" + peer.name + "\" has the role " + toString(peer.role),
      std::string("call it with a token or a certificate of the role ") + toString(needed));
}

void requireOwner(const Peer& peer, const std::string& owner, const std::string& what) {
  if (peer.mayChange(owner)) return;
  throw RequestError(
      Reason::kNotOwner, "",
      what + " belongs to " + (owner.empty() ? "the server" : '"' + owner + '"') + ", not to \"" + peer.name + '"',
      "its owner or a client of the role admin may do this");
}

void requireDriver(const Peer& peer, const std::string& owner, const std::string& session) {
  requireRole(peer, Role::kControl, "driving a session");
  if (!owner.empty()) requireOwner(peer, owner, "session \"" + session + '"');
}

}  // namespace tactus::server
