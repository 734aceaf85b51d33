// Session::run.
#include "clients/cpp/session.h"

#include <bit>
#include <cstring>

namespace tactus::client {

// Rows are little-endian doubles; on this machine they are copied.
static_assert(std::endian::native == std::endian::little);

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

  const auto stub = connection_->streamStub();
  grpc::ClientContext context;
  connection_->identify(context);
  context.set_deadline(std::chrono::system_clock::now() + deadline);
  const auto stream = stub->RunSession(&context, request);
  v1::RunSessionResponse response;
  while (stream->Read(&response)) {
    for (const std::string& name : response.outputs().signals()) block.names.push_back(name);
    block.ticks.insert(block.ticks.end(), response.ticks().begin(), response.ticks().end());
    const std::size_t before = block.values.size();
    block.values.resize(before + response.rows().size() / sizeof(double));
    if (!response.rows().empty())
      std::memcpy(block.values.data() + before, response.rows().data(), response.rows().size());
  }
  if (const grpc::Status status = stream->Finish(); !status.ok()) throw errorOf(status, context);
}

}  // namespace tactus::client
