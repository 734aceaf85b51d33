// The one rule of how much of a Quota a caller may take. An identity below the role admin has a share, over all its
// connections together, and leaves the reserve free: an administrator can always get in, look and clean up. Where no
// identities are known everybody is an administrator, and only the total counts.
#pragma once

#include "server/config.h"
#include "server/door/peer.h"

#include <cstddef>
#include <string>

namespace tactus::server {

/// What there is of a kind now, as one caller sees it.
struct QuotaUse {
  std::size_t all = 0, own = 0;

  void add(const Peer& peer, const std::string& owner, std::size_t count = 1) {
    all += count;
    if (owner == peer.name) own += count;
  }
};

/// @param more  that the caller wants
/// @throws RequestError kLimitExceeded if the caller may not have it: names the limit, and the option that raises a
/// share
void requireRoom(const Quota& quota, const Peer& peer, const QuotaUse& use, std::size_t more = 1);

}  // namespace tactus::server
