// The one table of what each RPC of tactus.v1.Simulation asks of its caller.
#pragma once

#include "server/door/role.h"

#include <cstdint>
#include <string_view>

namespace tactus::server {

/// Whose things a call may touch below the role admin.
enum class Reach : std::uint8_t {
  kAny,           ///< everybody's
  kOwnSession,    ///< request.session: a session that this identity has created
  kDriven,        ///< request.session: as above, or a session of the server itself, which has no owner
  kOwnThing,      ///< a model, a link or a recording that this identity has made; the call itself looks it up
  kByItsRequest,  ///< the call itself decides by what the request asks for
};

struct RpcRule {
  const char* name;  ///< of the method in the service descriptor
  Role role;         ///< the lowest that may call
  Reach reach;
  bool changes;  ///< something of the server: goes into the audit log, whatever its outcome
};

/// The row of an RPC. @throws Error for a name without a row
const RpcRule& rpcRule(std::string_view name);

}  // namespace tactus::server
