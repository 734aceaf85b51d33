// Client::downloadRecording.
#include "clients/cpp/client.h"

#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace tactus::client {

namespace {

std::uint32_t checksum(const std::string& bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

ClientError damaged(const std::string& message) {
  v1::ErrorDetail detail;
  detail.set_reason("DATA_LOSS");
  return ClientError(grpc::StatusCode::DATA_LOSS, message, detail);
}

}  // namespace

std::uint64_t Client::downloadRecording(const std::string& name, const std::string& path) const {
  std::error_code missing;
  const std::uintmax_t there = std::filesystem::file_size(path, missing);
  v1::DownloadRecordingRequest request;
  request.set_name(name);
  request.set_offset(missing ? 0 : there);

  const auto stub = connection_->streamStub();
  grpc::ClientContext context;
  connection_->identify(context);
  const auto stream = stub->DownloadRecording(&context, request);
  std::ofstream file;
  std::uint64_t next = request.offset(), total = 0;
  v1::RecordingChunk chunk;
  while (stream->Read(&chunk)) {
    if (!file.is_open()) {
      // Only its owner may read a recording; a file that exists keeps its mode.
      if (const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); made >= 0)
        ::close(made);
      file.open(path, std::ios::binary | std::ios::app);
    }
    if (chunk.offset() != next || checksum(chunk.data()) != chunk.crc()) {
      context.TryCancel();
      throw damaged("the bytes from " + std::to_string(next) + " on do not match their checksum; repeat the download");
    }
    if (!file.write(chunk.data().data(), static_cast<std::streamsize>(chunk.data().size())).flush()) {
      context.TryCancel();
      throw std::runtime_error(path + ": cannot be written");
    }
    next += chunk.data().size();
    total = chunk.file_bytes();
  }
  if (const grpc::Status status = stream->Finish(); !status.ok()) throw errorOf(status, context);
  if (next != total)
    throw damaged("the download ended at byte " + std::to_string(next) + " of " + std::to_string(total));
  return total;
}

}  // namespace tactus::client
