#include "server/cli/standard_streams.h"

#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <streambuf>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tactus::server {

namespace {

using Clock = std::chrono::steady_clock;

/// Of a stream to a terminal that is open without blocking.
class TerminalBuffer final : public std::streambuf {
 public:
  explicit TerminalBuffer(int descriptor) : descriptor_(descriptor) {}

 protected:
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::lock_guard lock(mutex_);
    kept_.append(text, static_cast<std::size_t>(count));
    if (kept_.size() >= kMostKept) send();
    return count;
  }

  int_type overflow(int_type letter) override {
    const char text = traits_type::to_char_type(letter);
    if (!traits_type::eq_int_type(letter, traits_type::eof())) xsputn(&text, 1);
    return traits_type::not_eof(letter);
  }

  int sync() override {
    const std::lock_guard lock(mutex_);
    send();
    return 0;
  }

 private:
  static constexpr std::size_t kMostKept = 4096;
  static constexpr std::chrono::milliseconds kPatience{500}, kNap{1};

  void send() {
    if (kept_.empty()) return;
    if (is_cut_) kept_.insert(0, 1, '\n');
    const auto end = is_cut_ ? Clock::time_point() : Clock::now() + kPatience;
    std::string_view left = kept_;
    while (!left.empty()) {
      const ssize_t count = ::write(descriptor_, left.data(), left.size());
      if (count >= 0)
        left.remove_prefix(static_cast<std::size_t>(count));
      else if (errno == EAGAIN && Clock::now() < end)
        std::this_thread::sleep_for(kNap);  // poll() may say that there is room where a line end does not fit
      else if (errno != EINTR)
        break;
    }
    is_cut_ = !left.empty();
    kept_.clear();
  }

  const int descriptor_;
  std::mutex mutex_;  ///< for all below
  std::string kept_;
  bool is_cut_ = false;  ///< the last text was not taken as a whole
};

}  // namespace

bool holdStandardStreams() noexcept {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF) continue;
    // The lowest number that is free is this one. For reading, so that each write fails.
    if (::open("/dev/null", O_RDONLY) != descriptor) return false;
  }
  return true;
}

bool flushStandardOutput() {
  std::cout.flush();
  return std::fflush(stdout) == 0 && std::cout.good() && std::ferror(stdout) == 0;
}

void keepTerminalsFromBlocking() {
  for (const auto& [descriptor, stream] :
       {std::pair{STDOUT_FILENO, &std::cout}, std::pair{STDERR_FILENO, &std::cerr}}) {
    if (::isatty(descriptor) != 1) continue;
    const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
    const int own = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (own < 0) continue;  // a terminal of somebody else: it stays as it is
    // Never freed: the stream is flushed once more at the end of the process.
    if (::dup2(own, descriptor) == descriptor) stream->rdbuf(new TerminalBuffer(descriptor));
    ::close(own);
  }
}

}  // namespace tactus::server
