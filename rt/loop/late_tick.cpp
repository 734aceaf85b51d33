#include "rt/loop/late_tick.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace tactus::rt {

namespace {

// Cost of a minor fault in a thread that seldom runs, at most, ns.
constexpr std::int64_t kMinorFault = 10'000;

}  // namespace

ThreadUsage ThreadUsage::operator-(const ThreadUsage& since) const noexcept {
  return {minor_faults - since.minor_faults, major_faults - since.major_faults,
          involuntary_switches - since.involuntary_switches, cpu_ns - since.cpu_ns, run_queue_ns - since.run_queue_ns};
}

const char* toString(LateCause cause) noexcept {
  switch (cause) {
    case LateCause::kHostStall: return "host stall";
    case LateCause::kPageFault: return "page fault";
    case LateCause::kPreemption: return "preemption";
    case LateCause::kOwnWork: return "own work";
    case LateCause::kSlowRun: return "slow run";
  }
  return "unknown";
}

LateCause causeOf(std::int64_t lost_ns, const ThreadUsage& spent, const ThreadUsage& usual, bool ordinary) noexcept {
  const std::int64_t half = lost_ns / 2;
  const ThreadUsage more = spent - usual;
  if (more.run_queue_ns >= half) return LateCause::kPreemption;
  // A major fault waits for a disk: it counts neither as work nor as waiting for a core.
  if (more.major_faults > 0 || more.minor_faults * kMinorFault >= half) return LateCause::kPageFault;
  if (more.cpu_ns >= half) return ordinary ? LateCause::kSlowRun : LateCause::kOwnWork;
  return LateCause::kHostStall;
}

UsageReader::UsageReader() noexcept : schedstat_(open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)) {}

UsageReader::~UsageReader() {
  if (schedstat_ >= 0) close(schedstat_);
}

ThreadUsage UsageReader::read() const noexcept {
  ThreadUsage usage;
  rusage faults{};
  getrusage(RUSAGE_THREAD, &faults);
  usage.minor_faults = faults.ru_minflt;
  usage.major_faults = faults.ru_majflt;
  usage.involuntary_switches = faults.ru_nivcsw;
  timespec cpu{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &cpu);
  usage.cpu_ns = cpu.tv_sec * 1'000'000'000 + cpu.tv_nsec;

  // "time on a core, time in the run queue, time slices". The first lags behind the clock above by up to a scheduler
  // tick and is not used.
  char text[96];
  const ssize_t length = schedstat_ >= 0 ? pread(schedstat_, text, sizeof text - 1, 0) : 0;
  if (length <= 0) return usage;
  text[length] = '\0';
  char* second = nullptr;
  std::strtoll(text, &second, 10);
  usage.run_queue_ns = std::strtoll(second, nullptr, 10);
  return usage;
}

ThreadUsage LateTickAnalyzer::advance(std::int64_t tick) noexcept {
  const ThreadUsage now = reader_.read();
  const ThreadUsage spent = now - last_;
  ticks_ = std::max<std::int64_t>(tick - last_tick_, 1);
  last_ = now;
  last_tick_ = tick;
  return spent;
}

// Of as many ticks as lie between the last two readings. Multiplied before it is divided: a tick has less than one
// fault.
ThreadUsage LateTickAnalyzer::usual() const noexcept {
  const auto share = [this](std::int64_t all) { return all * ticks_ / baseline_ticks_; };
  return {share(baseline_.minor_faults), share(baseline_.major_faults), share(baseline_.involuntary_switches),
          share(baseline_.cpu_ns), share(baseline_.run_queue_ns)};
}

bool LateTickAnalyzer::isBaselineDue(std::int64_t tick, std::int64_t second) const noexcept {
  return tick % second == 0 || std::has_single_bit(static_cast<std::uint64_t>(tick - before_));
}

ThreadUsage LateTickAnalyzer::sampleBaseline(std::int64_t tick) noexcept {
  const ThreadUsage spent = advance(tick);
  baseline_ = spent;
  baseline_ticks_ = ticks_;
  return spent;
}

void LateTickAnalyzer::recordOnTime(const TickWork& work) noexcept {
  max_work_.factorizations = std::max(max_work_.factorizations, work.factorizations);
  max_work_.inputs = std::max(max_work_.inputs, work.inputs);
}

LateTickAnalyzer::Finding LateTickAnalyzer::classify(std::int64_t tick, std::int64_t lost_ns,
                                                     const TickWork& work) noexcept {
  const ThreadUsage spent = advance(tick);
  return {causeOf(lost_ns, spent, usual(), work.isWithin(max_work_)), spent};
}

}  // namespace tactus::rt
