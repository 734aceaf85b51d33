// What gRPC has to say goes into the log of the server, a few lines a second: most of it is about strangers, who decide
// how often they give cause to it.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace tactus::server {

/// How many lines a log takes: a few in each second, the rest is counted. Thread-safe.
class LineBudget {
 public:
  using Clock = std::chrono::steady_clock;

  explicit LineBudget(int lines_per_second) noexcept : lines_(lines_per_second) {}

  /// @returns nothing if this line is to be left out; else how many were left out since the last line that was not
  std::optional<std::uint64_t> take(Clock::time_point now) noexcept;

  /// How many lines have been left out since the last one that was not; they count as told then.
  std::uint64_t leftOut() noexcept;

 private:
  const int lines_;
  std::mutex mutex_;
  Clock::time_point second_{};  ///< when the present second began
  int taken_ = 0;               ///< lines of this second
  std::uint64_t left_out_ = 0;
};

/// From now on messages of gRPC are lines of the default logger of spdlog, at most kGrpcLines a second. Errors become
/// warnings: they are about connections, and the server goes on.
void takeGrpcLog();

/// Writes how many messages were left out since the last one that was written, if there are any.
void endGrpcLog();

inline constexpr int kGrpcLines = 5;

/// The text of a line for a message: what may move a cursor or begin a line is replaced, and a long message is cut.
std::string grpcLine(const char* file, int line, const char* message);

}  // namespace tactus::server
