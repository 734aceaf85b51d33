// Covers: clients/cpp/connection.cpp
#include "clients/cpp/client.h"
#include "clients/cpp/connection.h"
#include "tests/clients/cpp/test_server.h"

#include <catch2/catch.hpp>

#include <functional>
#include <string>

using tactus::client::Client;
using tactus::client::ClientError;
using tactus::client::Session;
using tactus::test::TestServer;

namespace {

ClientError errorOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const ClientError& error) { return error; }
  FAIL("no error");
  throw std::logic_error("unreachable");
}

}  // namespace

TEST_CASE("an address without a server is unreachable", "[clients]") {
  const ClientError error = errorOf([] { Client("unix:/nonexistent/tactus.sock"); });
  CHECK(error.unreachable());
  CHECK(error.code() == grpc::StatusCode::UNAVAILABLE);
  CHECK(error.hint() == "check the address and that the server runs (tactus serve)");
}

TEST_CASE("a client refuses the address of another host without TLS", "[clients]") {
  const ClientError error = errorOf([] { Client("192.0.2.1:50051"); });
  CHECK(error.reason() == "REQUEST_INVALID");
  CHECK(error.field() == "address");
  CHECK_FALSE(error.unreachable());
}

TEST_CASE("a refusal carries code, reason, field and hint", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  const Session session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_REAL_TIME);

  const ClientError no_model = errorOf([&] { client.createSession("motor_for_bar"); });
  CHECK(no_model.code() == grpc::StatusCode::NOT_FOUND);
  CHECK(no_model.reason() == "MODEL_UNKNOWN");
  CHECK(std::string(no_model.what()).find("motor_four_bar") != std::string::npos);

  const ClientError no_session = errorOf([&] { client.session("nobody"); });
  CHECK(no_session.code() == grpc::StatusCode::NOT_FOUND);
  CHECK(no_session.reason() == "SESSION_UNKNOWN");
  CHECK(no_session.field() == "session");

  CHECK(errorOf([&] { session.tick({.outputs = {"energy.totl"}}); }).reason() == "SIGNAL_UNKNOWN");
  CHECK(errorOf([&] { session.tick({.inputs = {"motr"}}); }).reason() == "SIGNAL_UNKNOWN");
  CHECK(errorOf([&] { session.observe({.signals = {"energy.totl"}}); }).reason() == "SIGNAL_UNKNOWN");
  CHECK(errorOf([&] { session.read({"energy.totl"}); }).reason() == "SIGNAL_UNKNOWN");

  const auto stream = session.tick();
  CHECK(errorOf([&] { session.tick(); }).reason() == "LEASE_HELD");
  const std::uint64_t hash = stream.outputs().hash();
  CHECK_NOTHROW(session.tick({.inputs = {}, .expected_output_layout_hash = hash}));
  CHECK(errorOf([&] {
          session.tick({.inputs = {}, .outputs = {"motor"}, .expected_output_layout_hash = hash});
        }).reason() == "LAYOUT_MISMATCH");
}

TEST_CASE("an invalid model is refused with all its findings", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  tactus::v1::Model model = client.model("motor_four_bar");
  model.set_name("broken");
  model.mutable_bodies(0)->set_mass(-1.0);
  model.mutable_joints(1)->set_body_2("coupla");

  const auto answer = client.validateModel(model);
  CHECK_FALSE(answer.valid());
  const ClientError error = errorOf([&] { client.loadModel(model); });
  CHECK(error.reason() == "MODEL_INVALID");
  REQUIRE(error.detail().findings_size() == answer.findings_size());
  std::string paths;
  for (const auto& finding : error.detail().findings()) paths += finding.path() + " ";
  CHECK(paths.find("bodies[0].mass") != std::string::npos);
  CHECK(paths.find("joints[1].body_2") != std::string::npos);
}

TEST_CASE("a loaded model is removed by its name, a built-in one is not", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  tactus::v1::Model model = client.model("four_bar");
  model.set_name("mine");
  client.loadModel(model);
  client.unloadModel("mine");
  CHECK(errorOf([&] { client.model("mine"); }).reason() == "MODEL_UNKNOWN");
  CHECK(errorOf([&] { client.unloadModel("mine"); }).reason() == "MODEL_UNKNOWN");
  CHECK(errorOf([&] { client.unloadModel("four_bar"); }).reason() == "REQUEST_INVALID");
  CHECK_FALSE(client.loadModel(model).replaced());
}

TEST_CASE("a repeated request takes effect once", "[clients]") {
  const TestServer server;
  const Client client(server.address());
  tactus::v1::CreateSessionRequest request;
  request.set_request_id("once");
  request.set_model_name("motor_four_bar");
  request.set_clock(tactus::v1::CLOCK_MODE_LOCKSTEP);
  const Session first = client.createSession(request);
  Session second = client.createSession(request);
  CHECK(second.name() == first.name());
  CHECK(client.sessions().size() == 1);

  first.step(7, "seven");
  first.step(7, "seven");
  CHECK(first.status().tick() == 7);
}

TEST_CASE("a socket at all addresses of a server is reached at the host of the server", "[clients]") {
  using tactus::client::reachableAddress;
  CHECK(reachableAddress("127.0.0.1:50052", "bench:50051") == "127.0.0.1:50052");
  CHECK(reachableAddress("192.168.1.5:50052", "bench:50051") == "192.168.1.5:50052");
  CHECK(reachableAddress("0.0.0.0:50052", "bench:50051") == "bench:50052");
  CHECK(reachableAddress("0.0.0.0:50052", "192.168.1.5:50051") == "192.168.1.5:50052");
  CHECK(reachableAddress("[::]:50052", "[fe80::1]:50051") == "[fe80::1]:50052");
  CHECK(reachableAddress("0.0.0.0:50052", "unix:/run/tactus/server.sock") == "127.0.0.1:50052");
  CHECK(reachableAddress("[::]:50052", "unix:/run/tactus/server.sock") == "[::1]:50052");
}
