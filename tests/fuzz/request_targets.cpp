// Requests of every RPC, mutated by their descriptors, to a server of this process. The first byte chooses the RPC.
#include "tests/fuzz/mutate_message.h"

#include "server/service/server.h"
#include "tactus/v1/simulation.grpc.pb.h"

#include <google/protobuf/descriptor.h>
#include <grpcpp/create_channel.h>
#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/security/credentials.h>
#include <grpcpp/support/byte_buffer.h>

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <memory>

namespace tactus::fuzz {

namespace {

using google::protobuf::Message;
using google::protobuf::MethodDescriptor;

const google::protobuf::ServiceDescriptor& service() {
  return *v1::TickRequest::descriptor()->file()->FindServiceByName("Simulation");
}

const MethodDescriptor& methodOf(char byte) {
  return *service().method(static_cast<unsigned char>(byte) % service().method_count());
}

std::unique_ptr<Message> requestOf(const MethodDescriptor& method) {
  return std::unique_ptr<Message>(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(method.input_type())->New());
}

/// A server with small limits, so that a request costs little; a new one after some requests, so that they do not add
/// up.
class Rig {
 public:
  Rig() {
    std::string name = (std::filesystem::temp_directory_path() / "tactus_fuzz_XXXXXX").string();
    require(::mkdtemp(name.data()) != nullptr, "a folder of its own");
    folder_ = name;
    server::Config config;
    config.endpoint = server::parseEndpoint("unix:" + folder_ + "/s");
    config.udp = server::parseUdpEndpoint("127.0.0.1:0", false);
    config.recordings_folder = folder_ + "/recordings";
    config.limits.sessions.total = 3;
    config.limits.session_bodies.total = 128;
    config.limits.models.total = 3;
    config.limits.bodies = 64;
    config.limits.streams.total = 8;
    config.limits.step_ticks = 100;
    config.limits.recordings.total = 2;
    config.limits.links.total = 2;
    config.limits.host.priority = 0;
    config.limits.host.period_ns = 1'000'000;
    config.limits.opening = std::chrono::milliseconds(50);
    server_ = std::make_unique<server::Server>(config);
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    const auto channel = grpc::CreateCustomChannel(server_->address(), grpc::InsecureChannelCredentials(), arguments);
    stub_ = std::make_unique<grpc::GenericStub>(channel);
    create("main");
  }
  ~Rig() {
    stub_.reset();
    server_.reset();
    std::filesystem::remove_all(folder_);
  }
  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;

  grpc::Status call(const MethodDescriptor& method, std::string_view bytes) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    grpc::CompletionQueue queue;
    const grpc::Slice slice(bytes.data(), bytes.size());
    const auto stream = stub_->PrepareCall(&context, "/" + service().full_name() + "/" + method.name(), &queue);
    const auto done = [&] {
      void* tag = nullptr;
      bool ok = false;
      return queue.Next(&tag, &ok) && ok;
    };
    stream->StartCall(nullptr);
    bool good = done();
    if (good) {
      stream->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
      good = done();
    }
    grpc::ByteBuffer answer;
    for (int i = 0; good && i < 3; ++i) {
      stream->Read(&answer, nullptr);
      good = done();
    }
    if (good) context.TryCancel();  // a stream that goes on
    grpc::Status status;
    stream->Finish(&status, nullptr);
    done();
    queue.Shutdown();
    void* tag = nullptr;
    bool ok = false;
    while (queue.Next(&tag, &ok)) {}
    return status;
  }

 private:
  void create(const std::string& name) {
    v1::CreateSessionRequest request;
    request.set_name(name);
    request.set_model_name("motor_four_bar");
    request.set_clock(v1::CLOCK_MODE_LOCKSTEP);
    require(call(*service().FindMethodByName("CreateSession"), request.SerializeAsString()).ok(),
            "a session to begin with");
  }

  std::string folder_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<grpc::GenericStub> stub_;
};

bool requests(std::string_view bytes) {
  static std::unique_ptr<Rig> rig;
  static int calls = 0;
  if (bytes.empty()) return false;
  const MethodDescriptor& method = methodOf(bytes[0]);
  bytes.remove_prefix(1);
  const std::unique_ptr<Message> request = requestOf(method);
  if (!request->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) return false;
  if (!rig || ++calls % 500 == 0) {
    rig.reset();
    rig = std::make_unique<Rig>();
  }
  const grpc::Status status = rig->call(method, bytes);
  const std::string what =
      method.name() + " answers " + std::to_string(status.error_code()) + ": " + status.error_message();
  require(status.error_code() != grpc::StatusCode::INTERNAL && status.error_code() != grpc::StatusCode::UNKNOWN,
          what.c_str());
  const v1::GetServerInfoRequest alive;
  const auto& info = *service().FindMethodByName("GetServerInfo");
  require(rig->call(info, alive.SerializeAsString()).ok(), "the server answers afterwards");
  return true;
}

/// Every request with names that exist, and a value in each field.
void fill(Message& message, int depth) {
  const auto& reflection = *message.GetReflection();
  for (int i = 0; i < message.GetDescriptor()->field_count(); ++i) {
    const auto& field = *message.GetDescriptor()->field(i);
    const bool text = field.cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_STRING;
    if (text && !field.is_repeated()) {
      const bool model = field.name().find("model") != std::string::npos;
      reflection.SetString(&message, &field, model ? "motor_four_bar" : "main");
    } else if (text) {
      reflection.AddString(&message, &field, "crank_rate");
    } else if (field.cpp_type() == google::protobuf::FieldDescriptor::CPPTYPE_MESSAGE && depth > 0 &&
               !field.is_repeated() && field.name() != "model") {
      fill(*reflection.MutableMessage(&message, &field), depth - 1);
    }
  }
}

std::vector<std::string> requestSeeds() {
  std::vector<std::string> seeds;
  for (int i = 0; i < service().method_count(); ++i) {
    const std::unique_ptr<Message> request = requestOf(*service().method(i));
    seeds.push_back(static_cast<char>(i) + request->SerializeAsString());
    fill(*request, 1);
    seeds.push_back(static_cast<char>(i) + request->SerializeAsString());
  }
  v1::TickRequest open;
  open.mutable_open()->set_session("main");
  open.mutable_open()->add_inputs("motor");
  open.mutable_open()->add_outputs("*");
  for (int i = 0; i < service().method_count(); ++i)
    if (service().method(i)->name() == "Tick") seeds.push_back(static_cast<char>(i) + open.SerializeAsString());
  return seeds;
}

std::string mutateRequest(std::string_view bytes, Random& random) {
  if (bytes.empty() || random() % 64 == 0) return std::string(1, static_cast<char>(random() % 256));
  const std::unique_ptr<Message> request = requestOf(methodOf(bytes[0]));
  if (!request->ParseFromArray(bytes.data() + 1, static_cast<int>(bytes.size() - 1))) request->Clear();
  mutateMessage(*request, random);
  return bytes[0] + request->SerializeAsString();
}

}  // namespace

std::vector<Target> requestTargets() {
  return {{"requests", 8000, requests, requestSeeds, mutateRequest}};
}

}  // namespace tactus::fuzz
