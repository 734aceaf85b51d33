#include "server/door/grpc_log.h"

#include <fmt/format.h>
#include <grpc/support/log.h>
#include <spdlog/spdlog.h>

#include <cstring>
#include <string_view>
#include <utility>

namespace tactus::server {

namespace {

constexpr std::size_t kLongestMessage = 300;  // characters: what a line needs to name a peer and a reason

LineBudget& grpcBudget() noexcept {
  static LineBudget budget(kGrpcLines);
  return budget;
}

void tellLeftOut(std::uint64_t count) {
  if (count > 0)
    spdlog::warn("gRPC: {} message{} left out; at most {} a second are written", count, count == 1 ? "" : "s",
                 kGrpcLines);
}

// In the thread that gRPC logs in; never one that ticks, which calls nothing of gRPC.
void writeMessage(gpr_log_func_args* args) {
  const std::optional<std::uint64_t> left_out = grpcBudget().take(LineBudget::Clock::now());
  if (!left_out) return;
  tellLeftOut(*left_out);
  const spdlog::level::level_enum level = args->severity == GPR_LOG_SEVERITY_ERROR  ? spdlog::level::warn
                                          : args->severity == GPR_LOG_SEVERITY_INFO ? spdlog::level::info
                                                                                    : spdlog::level::debug;
  spdlog::log(level, "{}", grpcLine(args->file, args->line, args->message));
}

}  // namespace

std::optional<std::uint64_t> LineBudget::take(Clock::time_point now) noexcept {
  const std::lock_guard lock(mutex_);
  if (now - second_ >= std::chrono::seconds(1)) {
    second_ = now;
    taken_ = 0;
  }
  if (taken_ >= lines_) {
    ++left_out_;
    return std::nullopt;
  }
  ++taken_;
  return std::exchange(left_out_, 0);
}

std::uint64_t LineBudget::leftOut() noexcept {
  const std::lock_guard lock(mutex_);
  return std::exchange(left_out_, 0);
}

std::string grpcLine(const char* file, int line, const char* message) {
  std::string text(message, ::strnlen(message, kLongestMessage + 1));
  if (text.size() > kLongestMessage) text.replace(kLongestMessage, std::string::npos, "...");
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  const std::string_view path(file);
  return fmt::format("gRPC: {} ({}:{})", text, path.substr(path.rfind('/') + 1), line);
}

void takeGrpcLog() {
  ::gpr_set_log_function(writeMessage);
}

void endGrpcLog() {
  tellLeftOut(grpcBudget().leftOut());
}

}  // namespace tactus::server
