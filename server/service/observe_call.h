// One Observe call in the synchronous API: its thread sends until the reader leaves or the session ends.
#pragma once

#include "server/config.h"
#include "server/door/peer.h"
#include "server/session/session_registry.h"
#include "server/stream/observers.h"

#include "tactus/v1/simulation.pb.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/sync_stream.h>

namespace tactus::server {

/// @throws RequestError for a request that cannot be granted, and when the session or the server ends the stream
void serveObserver(grpc::ServerContext& context, const v1::ObserveRequest& request,
                   grpc::ServerWriter<v1::ObserveResponse>& stream, const Peer& peer, SessionRegistry& sessions,
                   Observers& observers, const Limits& limits);

}  // namespace tactus::server
