// Client::downloadRecording.
#include "clients/cpp/client.h"

#include <zlib.h>

#include <algorithm>
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

ClientError otherThan(const std::string& name, const std::string& path) {
  v1::ErrorDetail detail;
  detail.set_reason("REQUEST_INVALID");
  detail.set_field("path");
  return ClientError(grpc::StatusCode::INVALID_ARGUMENT,
                     path + " is not the beginning of recording " + name + "; remove it or choose another path",
                     detail);
}

/// Compares the first bytes of `data` with those at a place of a file.
bool isAt(std::uint64_t place, const std::string& data, std::size_t count, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place));
  std::string found(count, '\0');
  return file.read(found.data(), static_cast<std::streamsize>(count)) && data.compare(0, count, found) == 0;
}

/// Appends the bytes of `data` from `start` on to a file.
void append(const std::string& path, const std::string& data, std::size_t start) {
  // Only its owner may read a recording; a file that exists keeps its mode.
  if (const int made = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); made >= 0) ::close(made);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  if (!file.write(data.data() + start, static_cast<std::streamsize>(data.size() - start)).flush())
    throw std::runtime_error(path + ": cannot be written");
}

}  // namespace

std::uint64_t Client::downloadRecording(const std::string& name, const std::string& path) const {
  std::error_code missing;
  const std::uintmax_t size = std::filesystem::file_size(path, missing);
  const std::uint64_t there = missing ? 0 : size;
  // The recording is sent from its beginning: only so is it known that the file has the same bytes.
  v1::DownloadRecordingRequest request;
  request.set_name(name);

  const auto stub = connection_->streamStub();
  grpc::ClientContext context;
  connection_->identify(context);
  const auto stream = stub->DownloadRecording(&context, request);
  std::uint64_t next = 0, total = 0;
  v1::RecordingChunk chunk;
  try {
    while (stream->Read(&chunk)) {
      const std::string& data = chunk.data();
      if (chunk.offset() != next || checksum(data) != chunk.crc())
        throw damaged("the bytes from " + std::to_string(next) +
                      " on do not match their checksum; repeat the download");
      const std::size_t old = there > next ? std::min<std::uint64_t>(there - next, data.size()) : 0;
      if (old > 0 && !isAt(next, data, old, path)) throw otherThan(name, path);
      if (old < data.size()) append(path, data, old);
      next += data.size();
      total = chunk.file_bytes();
    }
  } catch (...) {
    context.TryCancel();
    throw;
  }
  if (const grpc::Status status = stream->Finish(); !status.ok()) throw errorOf(status, context);
  if (next != total)
    throw damaged("the download ended at byte " + std::to_string(next) + " of " + std::to_string(total));
  if (there > total) throw otherThan(name, path);
  return total;
}

}  // namespace tactus::client
