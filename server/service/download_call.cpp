// The download of a recording: the bytes of its file in chunks, each with its checksum.
#include "server/record/crc32.h"
#include "server/service/answer.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

constexpr std::uint32_t kUsualChunk = 256 << 10, kMaxChunk = 1 << 20;  // bytes

/// A file for reading. Links are not followed: write access to the folder does not expose other files. A FIFO in its
/// place is refused and does not block.
class OpenFile {
 public:
  explicit OpenFile(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)) {
    struct stat what {};
    if (descriptor_ < 0 || ::fstat(descriptor_, &what) != 0 || !S_ISREG(what.st_mode)) {
      const std::string why = descriptor_ < 0 ? std::strerror(errno) : "it is not a regular file";
      if (descriptor_ >= 0) ::close(descriptor_);
      throw RequestError(Reason::kRecordingUnknown, "name", "the file of the recording cannot be read: " + why);
    }
    bytes_ = static_cast<std::uint64_t>(what.st_size);
  }
  ~OpenFile() { ::close(descriptor_); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  std::uint64_t bytes() const noexcept { return bytes_; }

  /// Up to `maximum` bytes from an offset on; none at the end.
  void read(std::uint64_t offset, std::size_t most, std::string& data) const {
    data.resize(most);
    ssize_t count = 0;
    do {
      count = ::pread(descriptor_, data.data(), most, static_cast<off_t>(offset));
    } while (count < 0 && errno == EINTR);
    if (count < 0)
      throw RequestError(Reason::kInternal, "name", std::string("cannot be read: ") + std::strerror(errno));
    data.resize(static_cast<std::size_t>(count));
  }

 private:
  const int descriptor_;
  std::uint64_t bytes_ = 0;
};

}  // namespace

grpc::Status SimulationService::DownloadRecording(grpc::ServerContext* context,
                                                  const v1::DownloadRecordingRequest* request,
                                                  grpc::ServerWriter<v1::RecordingChunk>* stream) {
  return answer(*context, "DownloadRecording", *request, [&](const Visit& visit) {
    if (request->chunk_bytes() > kMaxChunk)
      throw RequestError(Reason::kLimitExceeded, "chunk_bytes",
                         "at most " + std::to_string(kMaxChunk) + " bytes per chunk");
    const StreamSlots::Slot slot(downloads_, visit.peer());
    const OpenFile file(recordings_.fileOf(request->name()));
    if (request->offset() > file.bytes())
      throw RequestError(Reason::kValueOutOfRange, "offset", "the file has " + std::to_string(file.bytes()) + " bytes");
    const std::uint32_t size = request->chunk_bytes() == 0 ? kUsualChunk : request->chunk_bytes();

    // A request from the end of the file on gets one empty chunk, which reports the length of the file.
    v1::RecordingChunk chunk;
    chunk.set_file_bytes(file.bytes());
    chunk.set_offset(request->offset());
    do {
      file.read(chunk.offset(), size, *chunk.mutable_data());
      chunk.set_crc(crc32(chunk.data()));
      if (draining_ || !stream->Write(chunk)) break;
      chunk.set_offset(chunk.offset() + chunk.data().size());
    } while (!chunk.data().empty() && chunk.offset() < file.bytes());
    requireOpen();
  });
}

}  // namespace tactus::server
