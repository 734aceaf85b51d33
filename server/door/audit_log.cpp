#include "server/door/audit_log.h"

#include "rt/error.h"
#include "rt/utf8.h"

#include <google/protobuf/text_format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace tactus::server {

namespace {

using google::protobuf::FieldDescriptor;

// Fields of requests that tell what is asked for, by name. Everything else stays out.
constexpr std::array<std::string_view, 17> kTold = {
    "session", "name",      "model_name", "id",     "ticks",      "controller", "takeover", "takeover_reason", "force",
    "clock",   "period_ns", "priority",   "values", "parameters", "inputs",     "reset",    "leave_safe_state"};
constexpr std::size_t kMaxText = 512;  // bytes of what a line tells of a request, or of an outcome
constexpr int kMaxElements = 16;       // of a repeated field
constexpr std::chrono::seconds kBudgetTime{1};

// A line stays one line, whatever a client has sent.
std::string oneLine(std::string text) {
  text = rt::validText(text);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char letter) { return letter < ' ' || letter == 127; }, '?');
  return text.size() > kMaxText ? rt::cutText(text, kMaxText) + " ..." : text;
}

}  // namespace

std::string describeRequest(const google::protobuf::Message& request) {
  const auto& reflection = *request.GetReflection();
  google::protobuf::TextFormat::Printer printer;
  printer.SetSingleLineMode(true);
  std::string text;
  for (const std::string_view name : kTold) {
    const FieldDescriptor* const field = request.GetDescriptor()->FindFieldByName(std::string(name));
    // Numbers in fields of these names are inputs of a tick; they would fill the log.
    if (field == nullptr || (field->is_repeated() && field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE)) continue;
    const int count = field->is_repeated()                  ? reflection.FieldSize(request, field)
                      : reflection.HasField(request, field) ? 1
                                                            : 0;
    for (int i = 0; i < std::min(count, kMaxElements) && text.size() <= kMaxText; ++i) {
      std::string value;
      printer.PrintFieldValueToString(request, field, field->is_repeated() ? i : -1, &value);
      while (!value.empty() && value.back() == ' ') value.pop_back();
      const bool braces = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
      text += (text.empty() ? "" : " ") + std::string(name) + ": " + (braces ? '{' + value + '}' : value);
    }
    if (count > kMaxElements) text += " ... " + std::to_string(count - kMaxElements) + " more";
  }
  return oneLine(std::move(text));
}

AuditLog::AuditLog(const std::string& path) : path_(path) {
  if (path.empty()) return;
  struct stat status {};
  // A FIFO would block, and a device cannot be rotated.
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Error("--audit-log " + path + ": is not a regular file; name a file, which may be new");
  try {
    open();
  } catch (const spdlog::spdlog_ex& error) { throw Error("--audit-log " + path + ": " + error.what()); }
  thread_ = std::jthread([this](const std::stop_token& stop) { tellInTime(stop); });
}

AuditLog::~AuditLog() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
  if (on()) tellLeftOut();
  if (lost_ > 0) reportLost();
}

// @throws spdlog_ex if the file cannot be opened
void AuditLog::open() {
  struct stat present {};
  const bool is_new = ::stat(path_.c_str(), &present) != 0;
  spdlog::file_event_handlers events;
  events.after_open = [this, is_new](const std::string&, std::FILE* file) {
    if (is_new) (void)::fchmod(::fileno(file), mode_);
    struct stat status {};
    if (::fstat(::fileno(file), &status) == 0) {
      file_ = {status.st_dev, status.st_ino};
      mode_ = status.st_mode & 0777;
    }
    // Without a buffer a line that does not fit is an error at once, and is not written again by a later flush.
    (void)std::setvbuf(file, nullptr, _IONBF, 0);
  };
  auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path_, false, events);
  logger_ = std::make_shared<spdlog::logger>("audit", std::move(sink));
  logger_->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %v");
  logger_->set_error_handler([this](const std::string& why) { countLost(why); });
}

// Of the file that is open; none if another one, or none, has its path.
std::optional<off_t> AuditLog::size() const {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0 || FileId{status.st_dev, status.st_ino} != file_) return std::nullopt;
  return status.st_size;
}

// Renames the files, the oldest one first. The sink of spdlog would empty a file that it cannot rename; here it grows.
// @returns whether a new file can begin
bool AuditLog::rotate() {
  using Names = spdlog::sinks::rotating_file_sink_st;
  for (std::size_t i = kFiles - 1; i > 0; --i) {
    const std::string from = Names::calc_filename(path_, i - 1), to = Names::calc_filename(path_, i);
    if (::rename(from.c_str(), to.c_str()) == 0 || (errno == ENOENT && i > 1)) continue;
    if (!std::exchange(grows_, true))
      spdlog::error(
          "--audit-log {}: cannot be renamed to {}: {}; the file grows beyond {} MiB; give the server "
          "the right to make files in its folder",
          from, to, std::strerror(errno), kFileBytes >> 20);
    return false;
  }
  grows_ = false;
  return true;
}

void AuditLog::addLine(const std::string& line) {
  try {
    std::optional<off_t> before = size();
    if (!before || (*before + static_cast<off_t>(line.size()) > static_cast<off_t>(kFileBytes) && rotate())) {
      open();
      before = size();
    }
    failed_ = false;
    logger_->info("{}", line);
    // The begin of a line must not stand before the next one.
    if (failed_ && before) (void)!::truncate(path_.c_str(), *before);
  } catch (const std::exception& error) { countLost(error.what()); }
}

void AuditLog::countLost(const std::string& why) {
  failed_ = true;
  ++lost_;
  why_ = why;
  const auto now = std::chrono::steady_clock::now();
  if (now - lost_reported_ < std::chrono::seconds(1)) return;
  lost_reported_ = now;
  reportLost();
}

void AuditLog::reportLost() {
  spdlog::error("--audit-log {}: {} line{} could not be written: {}", path_, lost_, lost_ == 1 ? "" : "s", why_);
  lost_ = 0;
}

// At most `most` lines a second of one kind, so that a flood does not push the lines of others out of the files. What
// is left out is counted in a line of its own when its second is over.
bool AuditLog::mayTell(const std::string& kind, int most) {
  const auto now = std::chrono::steady_clock::now();
  if (now - second_ >= kBudgetTime) {
    second_ = now;
    tellLeftOut();
  }
  Budget& budget = budgets_[kind];
  if (budget.told >= most) {
    ++budget.left_out;
    if (left_out_++ == 0) changed_.notify_one();
    return false;
  }
  ++budget.told;
  return true;
}

void AuditLog::tellLeftOut() {
  for (const auto& [kind, budget] : budgets_)
    if (budget.left_out > 0) addLine(fmt::format("{} more calls {}", budget.left_out, kind));
  budgets_.clear();
  left_out_ = 0;
}

// No further call may come that would tell what its second has left out.
void AuditLog::tellInTime(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (changed_.wait(lock, stop, [this] { return left_out_ > 0; }) && !stop.stop_requested()) {
    changed_.wait_until(lock, stop, second_ + kBudgetTime, [this] { return left_out_ == 0; });
    if (std::chrono::steady_clock::now() - second_ >= kBudgetTime) tellLeftOut();
  }
}

void AuditLog::write(const Peer* peer, const std::string& address, const char* rpc,
                     const google::protobuf::Message& request, const std::string& subject, const std::string& outcome) {
  if (!on()) return;
  const std::string name = peer == nullptr ? "?" : peer->name.empty() ? "anybody" : peer->name;
  // What a caller without an identity asks for is not worth a line.
  std::string asked = peer == nullptr ? std::string() : describeRequest(request);
  if (!subject.empty()) asked += (asked.empty() ? "" : " ") + ("as \"" + oneLine(subject) + '"');

  std::lock_guard lock(mutex_);
  if (peer == nullptr && !mayTell("without an identity were refused", kStrangers)) return;
  if (peer != nullptr && outcome != "OK" && !mayTell("of " + name + " were refused", kRefusals)) return;
  // Ticks that a client asks for one by one. The session comes first.
  const std::string session = asked.substr(0, asked.find(' ', std::string_view("session: ").size()));
  const bool is_ticks = std::string_view(rpc) == "RunBlock" || std::string_view(rpc) == "RunSession" ||
                        std::string_view(rpc) == "StepSession";
  if (is_ticks && outcome == "OK" && !mayTell(rpc + (" of " + name + " " + session), 1)) return;
  addLine(fmt::format("{} {} {} {} {}{}-> {}", name, peer == nullptr ? "?" : toString(peer->role), address, rpc, asked,
                      asked.empty() ? "" : " ", oneLine(outcome)));
}

}  // namespace tactus::server
