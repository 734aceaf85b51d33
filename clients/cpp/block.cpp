// Session::run.
#include "clients/cpp/session.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace tactus::client {

// Rows are little-endian doubles; on this machine they are copied.
static_assert(std::endian::native == std::endian::little);

namespace {

/// A block up to this size has one answer, which costs less than a stream and its connection. The server allows 1000
/// ticks and less than 256 KiB. How many signals a glob stands for is not known here.
constexpr std::int64_t kShortTicks = 1000;
constexpr std::size_t kShortBytes = 128 << 10;

bool isShort(std::int64_t ticks, const BlockOptions& options) {
  for (const std::string& name : options.outputs)
    if (name.find_first_of("*?[") != std::string::npos) return false;
  const auto rows = static_cast<std::size_t>(ticks / std::max<std::int64_t>(options.every, 1));
  return ticks <= kShortTicks && rows * options.outputs.size() * sizeof(double) <= kShortBytes;
}

void take(const v1::RunSessionResponse& response, Block& block) {
  for (const std::string& name : response.outputs().signals()) block.names.push_back(name);
  block.ticks.insert(block.ticks.end(), response.ticks().begin(), response.ticks().end());
  const std::size_t before = block.values.size();
  block.values.resize(before + response.rows().size() / sizeof(double));
  if (!response.rows().empty())
    std::memcpy(block.values.data() + before, response.rows().data(), response.rows().size());
}

}  // namespace

void Session::run(std::int64_t ticks, const BlockOptions& options, Block& block,
                  std::chrono::milliseconds deadline) const {
  block = {};
  v1::RunSessionRequest request;
  request.set_session(name_);
  request.mutable_inputs()->Assign(options.inputs.begin(), options.inputs.end());
  request.set_ticks(ticks);
  request.set_rows(options.rows.data(), options.rows.size() * sizeof(double));
  request.mutable_outputs()->Assign(options.outputs.begin(), options.outputs.end());
  request.set_every(options.every);
  request.set_controller(options.controller);

  if (isShort(ticks, options)) {
    const auto response = connection_->call(&v1::Simulation::Stub::RunBlock, request, deadline);
    take(response, block);
    if (!response.has_failure()) return;
    const v1::BlockFailure& failure = response.failure();
    throw ClientError(static_cast<grpc::StatusCode>(failure.code()), failure.message(), failure.detail());
  }
  const auto stub = connection_->streamStub();
  grpc::ClientContext context;
  connection_->identify(context);
  context.set_deadline(std::chrono::system_clock::now() + deadline);
  const auto stream = stub->RunSession(&context, request);
  v1::RunSessionResponse response;
  while (stream->Read(&response)) take(response, block);
  if (const grpc::Status status = stream->Finish(); !status.ok()) throw errorOf(status, context);
}

}  // namespace tactus::client
