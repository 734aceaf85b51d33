// Compares the APIs of gRPC: round trip of a bidirectional echo of a Tick message with the synchronous and with the
// callback API on either side, over loopback TCP and a Unix socket, with client and server in two processes.
#include "tests/bench/command_line.h"
#include "tests/bench/lanes.h"
#include "tests/bench/ping_pong_client.h"
#include "tests/bench/server_process.h"

#include <unistd.h>
#include <iostream>
#include <list>

namespace tactus::bench {
namespace {

struct ServerKind {
  Api api;
  bool hand_offs;
};

constexpr ServerKind kServers[] = {
    {Api::kSync, false}, {Api::kCallback, false}, {Api::kSync, true}, {Api::kCallback, true}};

std::string nameOf(const ServerKind& server) {
  return std::string(toString(server.api)) + (server.hand_offs ? " with 2 hand-offs" : "");
}

std::vector<Lane> openLanes(const std::list<PingPongProcess>& servers, int values) {
  std::vector<Lane> lanes;
  for (const bool over_unix : {false, true}) {
    auto server = servers.begin();
    for (const ServerKind& kind : kServers) {
      const std::string& address = over_unix ? server->unixAddress() : server->tcpAddress();
      for (const Api client : {Api::kSync, Api::kCallback}) {
        const std::string name =
            std::string(over_unix ? "unix" : "tcp") + ": client " + toString(client) + ", server " + nameOf(kind);
        lanes.push_back({name, connectPingPong(client, address, values), lanes.empty()});
      }
      ++server;
    }
  }
  return lanes;
}

void run(const LaneOptions& options, int values) {
  // Fork all processes before gRPC starts its first thread.
  const std::string stem = "/tmp/tactus_ping_pong_" + std::to_string(getpid());
  std::list<PingPongProcess> servers;
  for (const ServerKind& kind : kServers)
    servers.emplace_back(kind.api, kind.hand_offs, values, stem + "_" + std::to_string(servers.size()) + ".sock");
  for (PingPongProcess& server : servers) server.waitUntilReady();

  std::vector<Lane> lanes = openLanes(servers, values);
  measureLanes(lanes, options);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::LaneOptions options;
  int values = 14;
  tactus::bench::CommandLine line("Compare round trips of a bidirectional gRPC stream: synchronous and callback API");
  line.add("--values", values, "doubles in each message", {1, 10000});
  tactus::bench::addLaneOptions(line, options);
  return line.main(argc, argv, [&] { tactus::bench::run(options, values); });
}
