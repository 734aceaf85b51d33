#include "server/record/value_schema.h"

#include "tactus/v1/recording.pb.h"

#include <catch2/catch.hpp>

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>

#include <cmath>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace tactus::server;
namespace pb = google::protobuf;

TEST_CASE("protobuf reads a message of values by its schema", "[server][record]") {
  const ValueSchema schema("Signals", {"crank.r.x", "crank_r.x", "energy.total", "CrankR.X"});
  std::string bytes;
  schema.encode(-7, std::vector<double>{1.5, -0.0, 1e-310, 3}, bytes);

  pb::FileDescriptorSet set;
  REQUIRE(set.ParseFromString(schema.descriptorSet()));
  pb::DescriptorPool pool;
  const pb::FileDescriptor* file = pool.BuildFile(set.file(0));
  REQUIRE(file);
  const pb::Descriptor* type = pool.FindMessageTypeByName(schema.typeName());
  REQUIRE(type);
  pb::DynamicMessageFactory factory;
  const std::unique_ptr<pb::Message> message(factory.GetPrototype(type)->New());
  REQUIRE(message->ParseFromString(bytes));
  const pb::Reflection& reflection = *message->GetReflection();
  CHECK(reflection.GetInt64(*message, type->FindFieldByName("tick")) == -7);
  CHECK(reflection.GetDouble(*message, type->FindFieldByName("crank_r_x")) == 1.5);
  // The second name would be the same with dots as underscores.
  CHECK(std::signbit(reflection.GetDouble(*message, type->FindFieldByName("crank_r_x_2"))));
  CHECK(reflection.GetDouble(*message, type->FindFieldByName("energy_total")) == 1e-310);
  CHECK(type->FindFieldByName("crank_r_x_2")->json_name() == "crank_r.x");
  CHECK(reflection.GetDouble(*message, type->FindFieldByName("CrankR_X_3")) == 3);
  CHECK(reflection.GetUnknownFields(*message).empty());

  std::int64_t tick = 0;
  std::vector<double> values(4);
  REQUIRE(decodeValues(bytes, tick, values));
  CHECK(tick == -7);
  CHECK(values == std::vector<double>{1.5, 0.0, 1e-310, 3});
  CHECK(std::signbit(values[1]));
  CHECK(readValueNames(schema.descriptorSet()) == schema.names());
}

TEST_CASE("field numbers of many signals avoid the numbers that protobuf reserves", "[server][record]") {
  std::vector<std::string> names;
  for (int i = 0; i < 25'000; ++i) names.push_back("s" + std::to_string(i));
  const ValueSchema schema("Signals", names);
  pb::FileDescriptorSet set;
  REQUIRE(set.ParseFromString(schema.descriptorSet()));
  pb::DescriptorPool pool;
  REQUIRE(pool.BuildFile(set.file(0)));

  std::vector<double> values(names.size()), read(names.size());
  std::iota(values.begin(), values.end(), 0.5);
  std::string bytes;
  schema.encode(1, values, bytes);
  std::int64_t tick = 0;
  REQUIRE(decodeValues(bytes, tick, read));
  CHECK(read == values);
}

TEST_CASE("a message that is cut or does not match the schema is refused", "[server][record]") {
  const ValueSchema schema("Signals", {"a", "b"});
  std::string bytes;
  schema.encode(300, std::vector<double>{1, 2}, bytes);
  std::int64_t tick = 0;
  std::vector<double> two(2), three(3), one(1);
  for (std::size_t length = 0; length < bytes.size(); ++length)
    CHECK_FALSE(decodeValues(std::string_view(bytes).substr(0, length), tick, two));
  CHECK(decodeValues(bytes, tick, two));
  CHECK_FALSE(decodeValues(bytes, tick, three));
  CHECK_FALSE(decodeValues(bytes, tick, one));
}

TEST_CASE("the schema of a message holds every file that it needs", "[server][record]") {
  pb::FileDescriptorSet set;
  REQUIRE(set.ParseFromString(descriptorSetOf(*tactus::v1::RecordingSetup::descriptor())));
  pb::DescriptorPool pool;
  for (const pb::FileDescriptorProto& file : set.file()) REQUIRE(pool.BuildFile(file));
  CHECK(pool.FindMessageTypeByName("tactus.v1.RecordingSetup"));
}
