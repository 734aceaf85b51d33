#include "clients/fmi/session/unit_process.h"

#include "clients/fmi/importer/call_record.h"
#include "clients/fmi/importer/loaded_unit.h"
#include "clients/fmi/session/unit_messages.h"
#include "clients/fmi/session/unit_server.h"
#include "rt/error.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

extern "C" char** environ;

namespace tactus::fmi {
namespace {

[[noreturn]] void refuse(const char* what) {
  throw Error(std::string(what) + " for the process of the unit: " + std::strerror(errno) +
              "; serve without --fmu-process, or give this user more");
}

/// A file that is closed at the end.
class File {
 public:
  explicit File(int number = -1) noexcept : number_(number) {}
  ~File() { close(); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int number() const noexcept { return number_; }
  bool open() const noexcept { return number_ >= 0; }
  void close() noexcept {
    if (open()) ::close(std::exchange(number_, -1));
  }
  void become(int number) noexcept {
    close();
    number_ = number;
  }

 private:
  int number_;
};

/// The same file with a number above those that the process of the unit is given.
int above(int file) {
  const int copy = ::fcntl(file, F_DUPFD_CLOEXEC, 16);
  if (copy < 0) refuse("no file");
  return copy;
}

/// Memory for a CallRecord in a file that the other process cannot cut off.
class SharedRecord {
 public:
  SharedRecord() : file_(::memfd_create("tactus-unit", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    if (!file_.open() || ::ftruncate(file_.number(), sizeof(CallRecord)) != 0 ||
        ::fcntl(file_.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
      refuse("no shared memory");
    memory_ = ::mmap(nullptr, sizeof(CallRecord), PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (memory_ == MAP_FAILED) refuse("no shared memory");
    new (memory_) CallRecord;
  }
  ~SharedRecord() { ::munmap(memory_, sizeof(CallRecord)); }
  SharedRecord(const SharedRecord&) = delete;
  SharedRecord& operator=(const SharedRecord&) = delete;

  int file() const noexcept { return file_.number(); }
  CallRecord& operator*() const noexcept { return *static_cast<CallRecord*>(memory_); }
  CallRecord* operator->() const noexcept { return static_cast<CallRecord*>(memory_); }

 private:
  File file_;
  void* memory_ = nullptr;
};

/// What posix_spawn is told: files, signals, process group.
class SpawnOrders {
 public:
  SpawnOrders(int socket, int record) {
    ::posix_spawn_file_actions_init(&files_);
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ::posix_spawn_file_actions_addopen(&files_, standard, "/dev/null", O_RDWR, 0);
    ::posix_spawn_file_actions_adddup2(&files_, socket, kUnitSocket);
    ::posix_spawn_file_actions_adddup2(&files_, record, kUnitRecord);
    ::posix_spawn_file_actions_addclosefrom_np(&files_, kUnitRecord + 1);
    // A signal that a terminal sends to this program is none to the unit.
    sigset_t none, all;
    ::sigemptyset(&none);
    ::sigfillset(&all);
    ::posix_spawnattr_init(&attributes_);
    ::posix_spawnattr_setsigmask(&attributes_, &none);
    ::posix_spawnattr_setsigdefault(&attributes_, &all);
    ::posix_spawnattr_setpgroup(&attributes_, 0);
    ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
  }
  ~SpawnOrders() {
    ::posix_spawnattr_destroy(&attributes_);
    ::posix_spawn_file_actions_destroy(&files_);
  }
  SpawnOrders(const SpawnOrders&) = delete;
  SpawnOrders& operator=(const SpawnOrders&) = delete;

  /// This program again. @throws Error
  pid_t spawn(const std::string& folder, const std::string& name) const {
    std::array<std::string, 5> words = {"tactus", "fmu", kUnitProcessCommand, folder, name};
    std::array<char*, 6> arguments{};
    for (std::size_t i = 0; i < words.size(); ++i) arguments[i] = words[i].data();
    pid_t child = -1;
    errno = ::posix_spawn(&child, "/proc/self/exe", &files_, &attributes_, arguments.data(), environ);
    if (errno != 0) refuse("no process");
    return child;
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

/// The parent.
class UnitApart : public UnitDriver {
 public:
  UnitApart(const std::string& folder, const std::string& name, const UnitVariables& variables,
            std::span<const double> inputs, std::int64_t call_limit_ns)
      : limit_ns_(call_limit_ns), message_(kMostUnitBytes) {
    const std::size_t set_once = variables.parameters.size() + variables.starts.size();
    if (std::max({variables.inputs.size(), variables.outputs.size(), set_once}) > kMostUnitValues)
      throw Error("a unit in a process of its own has at most " + std::to_string(kMostUnitValues) +
                  " inputs, as many outputs and as many parameters; map fewer, or serve without --fmu-process");
    start(folder, name);
    try {
      const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
      const AskHead head{Ask::kBegin, count(variables.inputs), count(variables.outputs), count(variables.parameters),
                         count(variables.starts)};
      char* end = put(message_.data(), &head, 1);
      for (const auto* list : {&variables.inputs, &variables.outputs, &variables.parameters, &variables.starts})
        end = put(end, list->data(), list->size());
      end = put(end, inputs.data(), inputs.size());
      for (const auto* list : {&variables.parameter_values, &variables.start_values})
        end = put(end, list->data(), list->size());
      exchange(end, {});
    } catch (...) {
      leave();
      throw;
    }
  }
  ~UnitApart() override { leave(); }

  void restart(std::span<const double> inputs) override {
    const AskHead head{.ask = Ask::kRestart, .inputs = static_cast<std::uint32_t>(inputs.size())};
    exchange(put(put(message_.data(), &head, 1), inputs.data(), inputs.size()), {});
  }

  void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) override {
    const AskHead head{.inputs = static_cast<std::uint32_t>(inputs.size()),
                       .outputs = static_cast<std::uint32_t>(outputs.size()),
                       .time = time,
                       .size = size};
    exchange(put(put(message_.data(), &head, 1), inputs.data(), inputs.size()), outputs);
  }

  void terminate() override {
    const AskHead head{.ask = Ask::kTerminate};
    if (socket_.open()) exchange(put(message_.data(), &head, 1), {});
  }

  bool end() noexcept override {
    kill();
    return true;
  }

 private:
  void kill() noexcept {
    const std::lock_guard lock(child_mutex_);
    if (child_ > 0) ::kill(child_, SIGKILL);
  }

  void start(const std::string& folder, const std::string& name) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) refuse("no socket");
    socket_.become(ends[0]);
    const File other(ends[1]), socket_above(above(ends[1])), record_above(above(record_.file()));
    child_ = SpawnOrders(socket_above.number(), record_above.number()).spawn(folder, name);
  }

  /// Sends the message that ends there, and waits for the answer.
  void exchange(const char* end, std::span<double> outputs) {
    if (!socket_.open()) throw Error("its process has ended");
    const std::int64_t begin = steadyNs();
    const auto size = static_cast<std::size_t>(end - message_.data());
    if (::send(socket_.number(), message_.data(), size, MSG_NOSIGNAL) != static_cast<ssize_t>(size)) throwEnd();
    for (;;) {
      const std::int64_t left = limit_ns_ - (steadyNs() - begin);
      if (left <= 0) {
        const std::string why = record_->hangs(limit_ns_);
        kill();
        leave();
        throw Error(why + "; its process is ended");
      }
      pollfd ready{socket_.number(), POLLIN, 0};
      const timespec wait{static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
      if (::ppoll(&ready, 1, &wait, nullptr) > 0) break;
    }
    const ssize_t count = ::recv(socket_.number(), message_.data(), message_.size(), MSG_DONTWAIT);
    if (count <= 0) throwEnd();
    readAnswer(static_cast<std::size_t>(count), outputs);
  }

  void readAnswer(std::size_t count, std::span<double> outputs) {
    AnswerHead head;
    const char* rest = message_.data();
    if (count >= sizeof head) rest = take(rest, &head, 1);
    const std::size_t left = count - static_cast<std::size_t>(rest - message_.data());
    if (count >= sizeof head && head.answer == Answer::kDone && head.count == outputs.size() &&
        left == outputs.size() * sizeof(double)) {
      take(rest, outputs.data(), outputs.size());
      return;
    }
    const bool is_text = count >= sizeof head && head.count == left && left <= kMostUnitText;
    if (is_text && head.answer == Answer::kEnds) throw UnitEnds(textAt(rest, left));
    const std::string why =
        is_text && head.answer == Answer::kFails ? textAt(rest, left) : "its process answers what no unit answers";
    leave();
    throw Error(why);
  }

  static std::string textAt(const char* from, std::size_t count) {
    std::string text(from, count);
    for (char& c : text)
      if (static_cast<unsigned char>(c) < ' ') c = ' ';
    return text;
  }

  /// The process has closed its socket: it ends, or has ended.
  [[noreturn]] void throwEnd() {
    const int status = leave();
    throw Error(record_->endedBy(status));
  }

  /// Ends the process. @returns how it ended
  int leave() noexcept {
    socket_.close();
    int status = 0;
    const std::lock_guard lock(child_mutex_);
    if (child_ <= 0) return status;
    // One that has crashed or called exit ends by itself, at once.
    constexpr int kLooks = 250;
    pid_t ended = 0;
    for (int look = 0; look < kLooks && ended == 0; ++look) {
      ended = ::waitpid(child_, &status, WNOHANG);
      const timespec wait{0, 2'000'000};
      if (ended == 0) ::nanosleep(&wait, nullptr);
    }
    if (ended == 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, &status, 0);
    }
    child_ = -1;
    return status;
  }

  const std::int64_t limit_ns_;
  std::vector<char> message_;
  SharedRecord record_;
  File socket_;
  std::mutex child_mutex_;
  pid_t child_ = -1;
};

}  // namespace

std::unique_ptr<UnitDriver> unitApart(const std::string& folder, const std::string& name,
                                      const UnitVariables& variables, std::span<const double> inputs,
                                      std::int64_t call_limit_ns) {
  return std::make_unique<UnitApart>(folder, name, variables, inputs, call_limit_ns);
}

void addUnitProcessCommand(CLI::App& fmu, int& exit_code) {
  CLI::App* command = fmu.add_subcommand(kUnitProcessCommand, "The process of a unit of `tactus serve --fmu-process`");
  command->group("");  // not listed
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("WORDS", *words, "Folder of the unit, and its name")->required()->expected(2);
  command->callback([words, &exit_code] { exit_code = runUnitProcess(words->front(), words->back()); });
}

}  // namespace tactus::fmi
