// From the caller of an RPC to the claimant of a lease.
#pragma once

#include "server/door/peer.h"
#include "server/session/session.h"

namespace tactus::server {

/// The owner of a session and an admin take inputs from anybody, others from holders of their own identity.
inline Claimant claimantOf(const Peer& peer, const Session& session) {
  return {peer.name, peer.mayChange(session.spec().owner)};
}

}  // namespace tactus::server
