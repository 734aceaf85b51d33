#include "clients/fmi/session/unit_process.h"

#include "clients/fmi/importer/call_record.h"
#include "clients/fmi/importer/loaded_unit.h"
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
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

extern "C" char** environ;

namespace tactus::fmi {
namespace {

// The files that the process of a unit has besides its standard ones.
constexpr int kSocket = 3, kRecord = 4;

enum class Ask : std::uint32_t { kBegin = 1, kRestart = 2, kStep = 3 };
enum class Answer : std::uint32_t { kDone = 1, kFails = 2, kEnds = 3 };

/// A request: of kBegin the value references follow, of kStep the values of the inputs.
struct AskHead {
  Ask ask = Ask::kStep;
  std::uint32_t inputs = 0, outputs = 0;
  double time = 0, size = 0;
};
/// An answer: the values of the outputs follow, or the text of an error.
struct AnswerHead {
  Answer answer = Answer::kDone;
  std::uint32_t count = 0;  ///< values, or characters
};

constexpr std::size_t kMostText = 1000;
constexpr std::size_t kMostBytes = 64 + kMostUnitValues * (sizeof(double) + sizeof(std::uint32_t));
static_assert(kMostBytes >= sizeof(AskHead) + 2 * kMostUnitValues * sizeof(std::uint32_t));

template <typename T>
char* put(char* to, const T* values, std::size_t count) {
  if (count > 0) std::memcpy(to, values, count * sizeof(T));
  return to + count * sizeof(T);
}
template <typename T>
const char* take(const char* from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from, count * sizeof(T));
  return from + count * sizeof(T);
}

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
    map(file_.number());
    new (memory_) CallRecord;
  }
  /// That of the parent.
  explicit SharedRecord(int file) { map(file); }
  ~SharedRecord() { ::munmap(memory_, sizeof(CallRecord)); }
  SharedRecord(const SharedRecord&) = delete;
  SharedRecord& operator=(const SharedRecord&) = delete;

  int file() const noexcept { return file_.number(); }
  CallRecord& operator*() const noexcept { return *static_cast<CallRecord*>(memory_); }
  CallRecord* operator->() const noexcept { return static_cast<CallRecord*>(memory_); }

 private:
  void map(int file) {
    memory_ = ::mmap(nullptr, sizeof(CallRecord), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory_ == MAP_FAILED) refuse("no shared memory");
  }

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
    ::posix_spawn_file_actions_adddup2(&files_, socket, kSocket);
    ::posix_spawn_file_actions_adddup2(&files_, record, kRecord);
    ::posix_spawn_file_actions_addclosefrom_np(&files_, kRecord + 1);
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
            std::int64_t call_limit_ns)
      : limit_ns_(call_limit_ns), message_(kMostBytes) {
    if (variables.inputs.size() > kMostUnitValues || variables.outputs.size() > kMostUnitValues)
      throw Error("a unit in a process of its own has at most " + std::to_string(kMostUnitValues) +
                  " inputs and as many outputs; map fewer, or serve without --fmu-process");
    start(folder, name);
    try {
      AskHead head{Ask::kBegin, static_cast<std::uint32_t>(variables.inputs.size()),
                   static_cast<std::uint32_t>(variables.outputs.size()), 0, 0};
      char* end = put(message_.data(), &head, 1);
      end = put(end, variables.inputs.data(), variables.inputs.size());
      end = put(end, variables.outputs.data(), variables.outputs.size());
      exchange(end, {});
    } catch (...) {
      leave();
      throw;
    }
  }
  ~UnitApart() override { leave(); }

  void restart() override {
    const AskHead head{Ask::kRestart, 0, 0, 0, 0};
    exchange(put(message_.data(), &head, 1), {});
  }

  void step(std::span<const double> inputs, double time, double size, std::span<double> outputs) override {
    const AskHead head{Ask::kStep, static_cast<std::uint32_t>(inputs.size()),
                       static_cast<std::uint32_t>(outputs.size()), time, size};
    exchange(put(put(message_.data(), &head, 1), inputs.data(), inputs.size()), outputs);
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
    const bool is_text = count >= sizeof head && head.count == left && left <= kMostText;
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

/// The process of the unit.
class UnitServer {
 public:
  UnitServer(const std::string& folder, const std::string& name)
      : record_(kRecord), folder_(folder), name_(name), message_(kMostBytes) {}

  /// Until the parent closes its end.
  void run() {
    for (;;) {
      const ssize_t count = ::recv(kSocket, message_.data(), message_.size(), 0);
      if (count < 0 && errno == EINTR) continue;
      if (count < static_cast<ssize_t>(sizeof(AskHead))) return;
      AskHead head;
      const char* const rest = take(message_.data(), &head, 1);
      if (head.inputs > kMostUnitValues || head.outputs > kMostUnitValues) return;
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
    switch (head.ask) {
      case Ask::kBegin: {
        UnitVariables variables{std::vector<std::uint32_t>(head.inputs), std::vector<std::uint32_t>(head.outputs)};
        take(take(rest, variables.inputs.data(), head.inputs), variables.outputs.data(), head.outputs);
        std::vector<UnitFinding> known;  // the parent has read them
        unit_ = unitHere(folder_, readDescription(folder_ + "/modelDescription.xml", known), name_,
                         std::move(variables), [this](std::string_view call) { record_->note(call); });
        return;
      }
      case Ask::kRestart: return unit_->restart();
      case Ask::kStep: break;
    }
    inputs_.resize(head.inputs);
    take(rest, inputs_.data(), inputs_.size());
    values_.resize(head.outputs);
    unit_->step(inputs_, head.time, head.size, values_);
  }

  template <typename T>
  void answer(Answer kind, const T* values, std::size_t count) {
    const AnswerHead head{kind, static_cast<std::uint32_t>(count)};
    const char* const end = put(put(message_.data(), &head, 1), values, count);
    const auto size = static_cast<std::size_t>(end - message_.data());
    if (::send(kSocket, message_.data(), size, MSG_NOSIGNAL) < 0) ::_exit(1);
  }
  void answerText(Answer kind, const std::string& text) { answer(kind, text.data(), std::min(text.size(), kMostText)); }

  SharedRecord record_;
  const std::string folder_, name_;
  std::vector<char> message_;
  std::vector<double> inputs_, values_;
  std::unique_ptr<UnitDriver> unit_;
};

int runUnitProcess(const std::string& folder, const std::string& name) noexcept {
  try {
    // It ends with its parent, however that ends, and the unit cannot hand its files on.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    for (const int file : {kSocket, kRecord})
      if (::fcntl(file, F_SETFD, FD_CLOEXEC) != 0) return 1;
    UnitServer(folder, name).run();
    return 0;
  } catch (...) { return 1; }
}

}  // namespace

std::unique_ptr<UnitDriver> unitApart(const std::string& folder, const std::string& name, UnitVariables variables,
                                      std::int64_t call_limit_ns) {
  return std::make_unique<UnitApart>(folder, name, variables, call_limit_ns);
}

void addUnitProcessCommand(CLI::App& fmu, int& exit_code) {
  CLI::App* command = fmu.add_subcommand(kUnitProcessCommand, "The process of a unit of `tactus serve --fmu-process`");
  command->group("");  // not listed
  const auto words = std::make_shared<std::vector<std::string>>();
  command->add_option("WORDS", *words, "Folder of the unit, and its name")->required()->expected(2);
  command->callback([words, &exit_code] { exit_code = runUnitProcess(words->front(), words->back()); });
}

}  // namespace tactus::fmi
