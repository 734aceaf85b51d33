// Covers: server/door/role.h
#include "server/door/rpc_rules.h"

#include "rt/error.h"

#include "tactus/v1/simulation.pb.h"

#include <catch2/catch.hpp>

using namespace tactus;
using namespace tactus::server;

TEST_CASE("every RPC of the service has a row that says who may call it", "[server][door]") {
  const auto& service = *v1::TickRequest::descriptor()->file()->FindServiceByName("Simulation");
  for (int i = 0; i < service.method_count(); ++i) {
    INFO(service.method(i)->name());
    CHECK_NOTHROW(rpcRule(service.method(i)->name()));
  }
  CHECK_THROWS_AS(rpcRule("MakeCoffee"), Error);
}

TEST_CASE("a rule that reaches for a session belongs to a request that names one", "[server][door]") {
  const auto& service = *v1::TickRequest::descriptor()->file()->FindServiceByName("Simulation");
  for (int i = 0; i < service.method_count(); ++i) {
    const RpcRule& rule = rpcRule(service.method(i)->name());
    INFO(rule.name);
    if (rule.reach == Reach::kOwnSession || rule.reach == Reach::kDriven)
      CHECK(service.method(i)->input_type()->FindFieldByName("session") != nullptr);
  }
}

TEST_CASE("what changes something needs at least the role control and goes into the audit log", "[server][door]") {
  for (const char* name :
       {"LoadModel", "UnloadModel", "CreateSession", "DeleteSession", "StartSession", "PauseSession", "StepSession",
        "RunSession", "RunBlock", "ResetSession", "EnterSafeState", "ClearSafeState", "SetParameters", "OpenDeviceLink",
        "CloseDeviceLink", "ReportCommTest", "StartRecording", "StopRecording", "RestoreSnapshot"}) {
    INFO(name);
    CHECK(rpcRule(name).role >= Role::kControl);
    CHECK(rpcRule(name).changes);
  }
}
