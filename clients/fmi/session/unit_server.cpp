#include "clients/fmi/session/unit_server.h"

#include "clients/fmi/importer/call_record.h"
#include "clients/fmi/session/unit_messages.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tactus::fmi {
namespace {

/// The process of the unit.
class UnitServer {
 public:
  UnitServer(const std::string& folder, const std::string& name, CallRecord& record)
      : folder_(folder), name_(name), record_(record), message_(kMostUnitBytes) {}

  /// Until the parent closes its end.
  void run() {
    for (;;) {
      const ssize_t count = ::recv(kUnitSocket, message_.data(), message_.size(), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < static_cast<ssize_t>(sizeof(AskHead))) return;
      AskHead head;
      const char* const rest = take(message_.data(), &head, 1);
      if (std::max({head.inputs, head.outputs, head.parameters, head.starts}) > kMostUnitValues) return;
      values_.clear();
      try {
        carryOut(head, rest);
        answer(Answer::kDone, values_.data(), values_.size());
      } catch (const UnitEnds& end) { answerText(Answer::kEnds, end.what()); } catch (const std::exception& error) {
        answerText(Answer::kFails, error.what());
      } catch (...) { answerText(Answer::kFails, "it throws an exception"); }
    }
  }

 private:
  void carryOut(const AskHead& head, const char* rest) {
    if (head.ask == Ask::kTerminate) return unit_->terminate();
    if (head.ask == Ask::kBegin) return begin(head, rest);
    inputs_.resize(head.inputs);
    take(rest, inputs_.data(), inputs_.size());
    if (head.ask == Ask::kRestart) return unit_->restart(inputs_);
    values_.resize(head.outputs);
    unit_->step(inputs_, head.time, head.size, values_);
  }

  void begin(const AskHead& head, const char* rest) {
    const auto list = [&rest](auto& values, std::uint32_t count) {
      values.resize(count);
      rest = take(rest, values.data(), count);
    };
    UnitVariables variables;
    list(variables.inputs, head.inputs);
    list(variables.outputs, head.outputs);
    list(variables.parameters, head.parameters);
    list(variables.starts, head.starts);
    list(inputs_, head.inputs);
    list(variables.parameter_values, head.parameters);
    list(variables.start_values, head.starts);
    std::vector<UnitFinding> known;  // the parent has read them
    unit_ = unitHere(folder_, readDescription(folder_ + "/modelDescription.xml", known), name_, std::move(variables),
                     inputs_, [this](std::string_view call) { record_.note(call); });
  }

  template <typename T>
  void answer(Answer kind, const T* values, std::size_t count) {
    const AnswerHead head{kind, static_cast<std::uint32_t>(count)};
    const char* const end = put(put(message_.data(), &head, 1), values, count);
    const auto size = static_cast<std::size_t>(end - message_.data());
    if (::send(kUnitSocket, message_.data(), size, MSG_NOSIGNAL) < 0) ::_exit(1);
  }
  void answerText(Answer kind, const std::string& text) {
    answer(kind, text.data(), std::min(text.size(), kMostUnitText));
  }

  const std::string folder_, name_;
  CallRecord& record_;
  std::vector<char> message_;
  std::vector<double> inputs_, values_;
  std::unique_ptr<UnitDriver> unit_;
};

}  // namespace

int runUnitProcess(const std::string& folder, const std::string& name) noexcept {
  try {
    // It ends with its parent, however that ends, and the unit cannot hand its files on.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int file : {kUnitSocket, kUnitRecord})
      if (::fcntl(file, F_SETFD, FD_CLOEXEC) != 0) return 1;
    void* const record = ::mmap(nullptr, sizeof(CallRecord), PROT_READ | PROT_WRITE, MAP_SHARED, kUnitRecord, 0);
    if (record == MAP_FAILED) return 1;
    UnitServer(folder, name, *static_cast<CallRecord*>(record)).run();
    return 0;
  } catch (...) { return 1; }
}

}  // namespace tactus::fmi
