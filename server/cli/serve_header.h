// What `tactus serve` prints when it is ready.
#pragma once

#include <string>

namespace tactus::server {

class Server;
class Session;

/// Prints build, endpoint, session, clock and host, for people, to stdout.
/// @param pages  ADDR:PORT of the metrics page; empty: none
void printHeader(Server& server, Session& session, const std::string& pages);

}  // namespace tactus::server
