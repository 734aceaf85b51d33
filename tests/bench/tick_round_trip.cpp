// Cost of the Tick stream of a lockstep session compared with a bare gRPC echo of messages of equal size: the tick, the
// layout and the accounting. The server runs in its own process, as it does for users.
#include "tests/bench/command_line.h"
#include "tests/bench/lanes.h"
#include "tests/bench/ping_pong_client.h"
#include "tests/bench/server_process.h"
#include "tests/bench/tick_client.h"

#include <unistd.h>
#include <iostream>

namespace tactus::bench {
namespace {

struct Options {
  LaneOptions lanes;
  std::string program = TACTUS_PROGRAM;
  std::string model = "motor_four_bar";
  std::vector<std::string> signals = {"crank.r.*", "crank.p.*", "crank.v.*", "crank.omega.*", "energy.total"};
  int inputs = 1, outputs = 14;
};

void run(const Options& options) {
  // Fork all processes before gRPC starts its first thread.
  const std::string stem = "/tmp/tactus_round_trip_" + std::to_string(getpid());
  PingPongProcess bare_callback(Api::kCallback, false, options.outputs, stem + "_callback.sock");
  PingPongProcess bare_sync(Api::kSync, false, options.outputs, stem + "_sync.sock");
  // The initial session of the program stays idle: each lane creates its own.
  const std::vector<std::string> serve = {"serve", options.model, "--clock", "lockstep", "--report-every", "24h"};
  std::vector<std::string> over_tcp = serve, over_unix = serve;
  over_tcp.insert(over_tcp.end(), {"--listen", "127.0.0.1:0"});
  over_unix.insert(over_unix.end(), {"--listen", "unix:" + stem + "_tactus.sock"});
  ProgramProcess tcp_server(options.program, over_tcp);
  ProgramProcess unix_server(options.program, over_unix);
  bare_callback.waitUntilReady();
  bare_sync.waitUntilReady();
  const std::string tcp_address = tcp_server.waitForEndpoint(), unix_address = unix_server.waitForEndpoint();

  std::vector<Lane> lanes;
  const auto add = [&](const std::string& name, std::unique_ptr<RoundTripClient> client) {
    lanes.push_back({name, std::move(client), name.ends_with("bare, server sync")});
  };
  add("tcp: bare, server sync", connectPingPong(Api::kSync, bare_sync.tcpAddress(), options.inputs));
  add("tcp: bare, server callback", connectPingPong(Api::kSync, bare_callback.tcpAddress(), options.inputs));
  add("tcp: Tick, stub", connectWithStub(tcp_address, options.model, options.signals));
  add("tcp: Tick, client library", connectWithLibrary(tcp_address, options.model, options.signals));
  add("unix: bare, server sync", connectPingPong(Api::kSync, bare_sync.unixAddress(), options.inputs));
  add("unix: bare, server callback", connectPingPong(Api::kSync, bare_callback.unixAddress(), options.inputs));
  add("unix: Tick, stub", connectWithStub(unix_address, options.model, options.signals));
  add("unix: Tick, client library", connectWithLibrary(unix_address, options.model, options.signals));

  std::cout << "model:    " << options.model << " in lockstep\n";
  measureLanes(lanes, options.lanes);
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  tactus::bench::Options options;
  tactus::bench::CommandLine line(
      "Compare round trips of the Tick stream in lockstep and of a bare gRPC echo of equal message size");
  line.add("MODEL", options.model, "a built-in model or a file")
      .add("--signals", options.signals, "names or globs")
      .add("--inputs", options.inputs, "doubles in a bare request", {0, 10000})
      .add("--outputs", options.outputs, "doubles in a bare response", {0, 10000})
      .file("--program", options.program, "path of the server program");
  tactus::bench::addLaneOptions(line, options.lanes);
  return line.main(argc, argv, [&] { tactus::bench::run(options); });
}
