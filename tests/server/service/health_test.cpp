#include "tests/server/service/harness.h"

#include <catch2/catch.hpp>

#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>

#include <string>
#include <vector>

using namespace tactus::server::tests;

namespace {

grpc::ByteBuffer pack(const std::string& bytes) {
  grpc::Slice slice(bytes);
  return {&slice, 1};
}

std::string unpack(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  buffer.Dump(&slices);
  std::string bytes;
  for (const grpc::Slice& slice : slices) bytes.append(reinterpret_cast<const char*>(slice.begin()), slice.size());
  return bytes;
}

/// One message to a method, one message back, both as they are on the wire; the package ships no .proto of either
/// service.
std::string ask(Harness& harness, const std::string& method, const std::string& request) {
  grpc::GenericStub stub(grpc::CreateChannel(harness.server().address(), grpc::InsecureChannelCredentials()));
  grpc::CompletionQueue queue;
  grpc::ClientContext context;
  const auto await = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  auto call = stub.PrepareCall(&context, method, &queue);
  call->StartCall(nullptr);
  REQUIRE(await());
  call->Write(pack(request), nullptr);
  REQUIRE(await());
  call->WritesDone(nullptr);
  REQUIRE(await());
  grpc::ByteBuffer response;
  call->Read(&response, nullptr);
  REQUIRE(await());
  grpc::Status status;
  call->Finish(&status, nullptr);
  REQUIRE(await());
  CHECK(status.ok());
  return unpack(response);
}

}  // namespace

TEST_CASE("the standard health service says that the service serves", "[server][service]") {
  Harness harness;
  const std::string method = "/grpc.health.v1.Health/Check", service = "tactus.v1.Simulation";
  const std::string serving = "\x08\x01";  // HealthCheckResponse.status = SERVING
  CHECK(ask(harness, method, "") == serving);
  CHECK(ask(harness, method, "\x0a" + std::string(1, static_cast<char>(service.size())) + service) == serving);
}

TEST_CASE("reflection lists the service", "[server][service]") {
  Harness harness;
  const std::string list_services("\x3a\x00", 2);
  const std::string answer =
      ask(harness, "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", list_services);
  CHECK_THAT(answer, Catch::Contains("tactus.v1.Simulation"));
}
