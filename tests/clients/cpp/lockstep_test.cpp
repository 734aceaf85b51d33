// Covers: clients/cpp/client.cpp, clients/cpp/tick_stream.cpp, clients/cpp/notice.cpp
// Covers: clients/cpp/stream_opening.h, clients/cpp/block.cpp
#include "clients/cpp/client.h"
#include "tests/clients/cpp/test_server.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

using tactus::client::Client;
using tactus::client::ClientError;
using tactus::client::Frame;
using tactus::client::Session;
using tactus::client::TickStream;
using tactus::test::TestServer;

namespace {

// State hash after `ticks` of a sine torque.
std::string run(const Client& client, int ticks, double amplitude) {
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  TickStream tick = session.tick({.outputs = {"energy.total"}});
  for (int n = 1; n <= ticks; ++n) tick.step({{"motor", amplitude * std::sin(0.02 * n)}});
  return session.status().state_hash();
}

}  // namespace

TEST_CASE("the same inputs in lockstep end in the same state hash", "[clients][determinism]") {
  const TestServer server;
  const Client client(server.address());
  const std::string hash = run(client, 300, 1.5);
  CHECK(hash.size() == 16);
  CHECK(run(client, 300, 1.5) == hash);
  CHECK(run(client, 300, std::nextafter(1.5, 2.0)) != hash);
}

TEST_CASE("a block of ticks in one call ends in the state hash of its ticks one by one", "[clients][determinism]") {
  const TestServer server;
  const Client client(server.address());
  tactus::client::BlockOptions options;
  options.inputs = {"motor"};
  options.outputs = {"motor", "energy.total"};
  options.every = 3;
  for (int n = 1; n <= 300; ++n) options.rows.push_back(1.5 * std::sin(0.02 * n));
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  tactus::client::Block block;
  session.run(300, options, block);
  CHECK(session.status().state_hash() == run(client, 300, 1.5));
  CHECK(block.names == options.outputs);
  REQUIRE(block.ticks.size() == 100);
  REQUIRE(block.values.size() == 200);
  CHECK(block.ticks[99] == 300);
  CHECK(block.values[198] == options.rows[299]);

  // The same as a stream: the width of a glob is not known before.
  const Session other = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  tactus::client::BlockOptions globs = options;
  globs.outputs = {"mot*", "energy.total"};
  tactus::client::Block streamed;
  other.run(300, globs, streamed);
  CHECK(other.status().state_hash() == session.status().state_hash());
  CHECK(streamed.names == block.names);
  CHECK(streamed.ticks == block.ticks);
  CHECK(streamed.values == block.values);

  // A refused row leaves the session alone.
  options.rows[299] = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(session.run(300, options, block), ClientError);
  CHECK(block.ticks.empty());
  CHECK(session.status().tick() == 300);
}

TEST_CASE("a block that ends early has the rows before its end, in one answer and as a stream", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  for (const char* const output : {"motor", "mot*"}) {
    tactus::v1::CreateSessionRequest request;
    request.set_model_name("motor_four_bar");
    request.set_clock(tactus::v1::CLOCK_MODE_LOCKSTEP);
    request.set_stop_tick(40);
    const Session session = client.createSession(request);
    tactus::client::BlockOptions options;
    options.outputs = {output};
    options.every = 10;
    tactus::client::Block block;
    try {
      session.run(100, options, block);
      FAIL("it ran on");
    } catch (const ClientError& error) {
      CHECK(error.code() == grpc::StatusCode::FAILED_PRECONDITION);
      CHECK(error.reason() == "SESSION_STATE");
      CHECK_THAT(error.what(), Catch::Contains("after 40 of 100 ticks"));
    }
    CHECK(block.ticks == std::vector<std::int64_t>{10, 20, 30, 40});
    CHECK(block.values.size() == 4);
  }
}

TEST_CASE("a session takes settings of the solver, and reports all of them", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  tactus::v1::CreateSessionRequest request;
  request.set_model_name("motor_four_bar");
  request.set_clock(tactus::v1::CLOCK_MODE_LOCKSTEP);
  request.set_threads(1);
  tactus::v1::SolverSetting& setting = *request.add_solver_settings();
  setting.set_name("full_newton");
  setting.set_value(1);
  const Session session = client.createSession(request);
  const tactus::v1::Session status = session.status();
  CHECK(status.settings().full_newton());
  CHECK(status.settings().velocity_passes() == 2);
  CHECK(status.threads() == 1);
}

TEST_CASE("the analysis of a session names the state that it is of", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  session.step(7);
  tactus::v1::AnalyseRequest request;
  request.add_outputs("crank_angle");
  request.set_modes(true);
  const tactus::v1::AnalyseResponse answer = session.analyse(request);
  CHECK(answer.tick() == 7);
  CHECK(answer.state_hash() == session.status().state_hash());
  CHECK(answer.a_size() == 4);
  CHECK(answer.c_size() == 2);
  CHECK(answer.modes_size() >= 1);
  request.add_outputs("crank_angel");
  try {
    session.analyse(request);
    FAIL("the request was granted");
  } catch (const ClientError& error) {
    CHECK(error.reason() == "SIGNAL_UNKNOWN");
    CHECK(error.field() == "outputs");
  }
}

TEST_CASE("a session begins at the equilibrium that was found from its newest tick", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  session.step(7);
  const std::string before = session.status().state_hash();
  tactus::v1::AnalyseRequest request;
  request.mutable_equilibrium();
  request.add_outputs("crank_angle");
  const tactus::v1::AnalyseResponse answer = session.analyse(request);
  CHECK(answer.tick() == 7);
  CHECK(session.status().state_hash() == before);
  session.restoreSnapshot(answer.found().snapshot());
  CHECK(session.status().state_hash() != before);
  session.step(500);
  // Half a second at 1e-10 of the weight that is not balanced turns the crank by less.
  CHECK(session.read({"crank_angle"})["crank_angle"] ==
        Approx(answer.found().signals(0).value()).epsilon(0).margin(1e-7));
}

TEST_CASE("in lockstep one input is one tick", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  TickStream tick = session.tick({.inputs = {"mot*"}, .outputs = {"*"}});
  REQUIRE(tick.inputs().names() == std::vector<std::string>{"motor"});

  for (int n = 1; n <= 50; ++n) {
    const double value = 0.01 * n;
    const Frame& frame = tick.step({&value, 1});
    REQUIRE(frame.tick() == n);
    REQUIRE(frame.inputSequence() == static_cast<std::uint64_t>(n));
    REQUIRE(frame.missed() == 0);
    REQUIRE(frame["motor"] == value);
    REQUIRE(frame["solver.contraction"] < 1);
    REQUIRE(frame["solver.factorizations"] >= 1);
  }
  // An input by name that names nothing is the same input again.
  CHECK(tick.step(std::map<std::string, double>{})["motor"] == 0.5);
  tick.close();
  CHECK(session.status().tick() == 51);
}

TEST_CASE("a stream that was closed receives nothing and sends nothing", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  TickStream tick = session.tick();
  tick.step({{"motor", 0.0}});
  tick.close();
  tick.close();
  Frame frame;
  CHECK_FALSE(tick.receive(frame));
  CHECK(tick.send({1.0}) == 0);
  CHECK_THROWS_AS(tick.step({{"motor", 0.0}}), ClientError);
  CHECK(session.status().tick() == 1);
}

TEST_CASE("a refused input makes no tick and leaves the stream usable", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  std::vector<std::string> notices;
  TickStream tick = session.tick(
      {.outputs = {"motor"}, .on_notice = [&](const auto& notice) { notices.push_back(notice.reason()); }});
  tick.step({{"motor", 0.5}});
  const std::string hash = session.status().state_hash();

  const auto [value, reason] =
      GENERATE(table<double, std::string>({{std::nan(""), "NOT_FINITE"},
                                           {std::numeric_limits<double>::infinity(), "NOT_FINITE"},
                                           {5.001, "VALUE_OUT_OF_RANGE"}}));
  try {
    tick.step({&value, 1});
    FAIL("the input was taken");
  } catch (const ClientError& error) {
    CHECK(error.reason() == reason);
    CHECK(error.code() == grpc::StatusCode::INVALID_ARGUMENT);
    CHECK(error.field().find("values[0]") != std::string::npos);
  }
  CHECK(session.status().state_hash() == hash);
  CHECK(std::count(notices.begin(), notices.end(), "INPUT_REFUSED") == 1);

  const Frame& frame = tick.step(std::map<std::string, double>{});
  CHECK(frame.tick() == 2);
  CHECK(frame["motor"] == 0.5);
}

TEST_CASE("a refused input in real time is taken back, and the values by name that follow are used", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  tactus::v1::CreateSessionRequest request;
  request.set_model_name("sedan");
  request.set_clock(tactus::v1::CLOCK_MODE_REAL_TIME);
  request.set_miss_limit(1'000'000);  // a busy machine may let this controller be silent for long
  const Session session = client.createSession(request);
  std::uint64_t refused = 0;
  TickStream tick = session.tick({.outputs = {"steering", "throttle"}, .on_notice = [&](const auto& notice) {
                                    if (notice.reason() == "INPUT_REFUSED") refused = notice.input_sequence();
                                  }});
  session.start();
  const std::uint64_t first = tick.send({{"steering", 0.125}});
  const std::uint64_t bad = tick.send({{"steering", std::nan("")}, {"throttle", 0.5}});
  // The newest frame of an input; the server may leave frames out.
  Frame frame;
  const auto use = [&](std::uint64_t input) {
    while (refused < input && tick.receive(frame) && frame.inputSequence() < input) {}
  };
  while (refused == 0 && tick.receive(frame)) {}
  CHECK(refused == bad);
  use(first);
  use(tick.send({{"throttle", 0.25}}));
  CHECK(frame["steering"] == 0.125);
  CHECK(frame["throttle"] == 0.25);

  // A value that a later input has changed again stays.
  refused = 0;
  std::vector<double> all(tick.inputs().size(), 0.0);
  all[tick.inputs().indexOf("steering")] = std::numeric_limits<double>::infinity();
  tick.send(all);
  const std::uint64_t last = tick.send({{"steering", 0.0625}});
  while (refused == 0 && tick.receive(frame)) {}
  use(last);
  CHECK(frame["steering"] == 0.0625);
  const std::uint64_t again = tick.send(std::map<std::string, double>{});
  use(again);
  CHECK(frame["steering"] == 0.0625);
  CHECK(frame["throttle"] == 0.25);
}

TEST_CASE("a step in real time ends however long the frames were not read", "[clients]") {
  constexpr int kWindow = 8;
  const TestServer server;
  const Client client(server.address());
  tactus::v1::CreateSessionRequest request;
  request.set_model_name("motor_four_bar");
  request.set_clock(tactus::v1::CLOCK_MODE_REAL_TIME);
  request.set_miss_limit(0);
  const Session session = client.createSession(request);
  TickStream tick = session.tick({.inputs = {"motor"}, .outputs = {"motor"}, .credit_window = kWindow});
  session.start();
  for (int round = 0; round < 5; ++round) {
    double value = 0;
    std::int64_t last = 0;
    for (int k = 0; k < 10; ++k) {
      value = 0.01 * k;
      const Frame& frame = tick.step(std::map<std::string, double>{{"motor", value}});
      REQUIRE(frame["motor"] == value);
      last = frame.tick();
    }
    while (session.status().tick() < last + 10 * kWindow) std::this_thread::yield();
  }
}

TEST_CASE("a step in real time is not answered by the safe state of a group of another stream", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("sedan", tactus::v1::CLOCK_MODE_REAL_TIME);
  TickStream wheel = session.tick({.inputs = {"steering"}, .outputs = {"steering"}});
  session.start();
  double value = 0;
  const auto steer = [&]() -> const Frame& {
    value += 0x1p-12;
    return wheel.step(std::map<std::string, double>{{"steering", value}});
  };
  {
    TickStream pedals = session.tick({.inputs = {"throttle"}, .outputs = {}});
    pedals.step({{"throttle", 0.125}});
    // Silent from now on: its group goes to its safe state.
    while (steer().inputMode() != tactus::v1::INPUT_MODE_SAFE) {}
    for (int k = 0; k < 20; ++k) {
      const Frame& frame = steer();
      REQUIRE(frame["steering"] == value);
      REQUIRE(frame.inputMode() == tactus::v1::INPUT_MODE_SAFE);
    }
  }
}

TEST_CASE("the client refuses wrong counts and names of inputs by itself", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
  TickStream tick = session.tick();
  CHECK_THROWS_AS(tick.send({1.0, 2.0}), std::invalid_argument);
  CHECK_THROWS_AS(tick.send({{"mtor", 1.0}}), std::out_of_range);
  CHECK(tick.step({{"motor", 0.0}}).inputSequence() == 1);
}

TEST_CASE("only the handle that created a session deletes it", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  std::string name;
  {
    Session created = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
    name = created.name();
    { const Session attached = client.session(name); }
    const Session moved = std::move(created);
    CHECK(moved.status().name() == name);
    CHECK(client.sessions().size() == 1);
  }
  CHECK(client.sessions().empty());
  CHECK_THROWS_AS(client.session(name), ClientError);
}
