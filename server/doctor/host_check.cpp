#include "server/doctor/host_check.h"

#include "server/doctor/host_files.h"

#include <linux/capability.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <sstream>

namespace tactus::server {

namespace {

/// The numbers of the cores in a list such as "0-3,8", in rising order.
std::vector<int> coresIn(const std::string& list) {
  std::vector<int> cores;
  std::istringstream ranges(list);
  for (std::string range; std::getline(ranges, range, ',');) {
    int first = 0, last = 0;
    const char* end = range.data() + range.size();
    const auto [rest, error] = std::from_chars(range.data(), end, first);
    if (error != std::errc{}) continue;
    last = first;
    if (rest != end && *rest == '-') std::from_chars(rest + 1, end, last);
    for (int core = first; core <= last; ++core) cores.push_back(core);
  }
  return cores;
}

/// The cores that run; their numbers may have gaps.
std::vector<int> onlineCores(const HostFiles& files) {
  return coresIn(files.read("/sys/devices/system/cpu/online").value_or("0"));
}

HostFinding good(std::string what, std::string found, std::string wanted) {
  return {std::move(what), Grade::kGood, std::move(found), std::move(wanted), "", ""};
}

HostFinding checkKernel(const HostFiles& files) {
  const std::string version = files.read("/proc/version").value_or("unknown");
  const bool rt =
      files.read("/sys/kernel/realtime").value_or("0") == "1" || version.find("PREEMPT_RT") != std::string::npos;
  const std::string release = version.substr(0, version.find(" ("));
  if (rt) return good("kernel", release + ", PREEMPT_RT", "PREEMPT_RT");
  return {"kernel",
          Grade::kFair,
          release + ", no PREEMPT_RT",
          "PREEMPT_RT",
          "wake-up latency is usually low but not bounded",
          "apt-get install linux-image-rt-amd64, then reboot"};
}

HostFinding checkCores(const HostFiles& files) {
  const std::vector<int> online = onlineCores(files);
  const std::string isolated = files.read("/sys/devices/system/cpu/isolated").value_or("");
  const std::string found =
      std::to_string(online.size()) + " online, isolated: " + (isolated.empty() ? "none" : isolated);
  const std::string wanted = "2 or more, one of them isolated";
  if (online.size() >= 2 && !coresIn(isolated).empty()) return good("cores", found, wanted);
  if (online.size() < 2)
    return {"cores",
            Grade::kPoor,
            found,
            wanted,
            "streams, recording and the tick share one core, so frames wait for ticks",
            "give the machine or the container a second core"};
  return {
      "cores",
      Grade::kFair,
      found,
      wanted,
      "other work evicts the caches of the tick and may delay it",
      "boot with isolcpus=" + std::to_string(online.back()) + " and serve with --cpu " + std::to_string(online.back())};
}

HostFinding checkGovernor(const HostFiles& files) {
  std::set<std::string> governors;
  for (const int cpu : onlineCores(files)) {
    const std::string path = "/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/cpufreq/scaling_governor";
    if (const auto governor = files.read(path)) governors.insert(*governor);
  }
  if (governors.empty()) return good("governor", "none: this kernel does not control the frequency", "performance");
  std::string found;
  for (const std::string& governor : governors) found += (found.empty() ? "" : ", ") + governor;
  if (governors == std::set<std::string>{"performance"}) return good("governor", found, "performance");
  return {"governor",
          Grade::kFair,
          found,
          "performance",
          "a tick after an idle phase runs slower than usual",
          "echo performance | tee /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor"};
}

HostFinding checkClockSource(const HostFiles& files) {
  const std::string folder = "/sys/devices/system/clocksource/clocksource0/";
  const std::string found = files.read(folder + "current_clocksource").value_or("unknown");
  static const std::set<std::string> kFast = {"tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page"};
  if (kFast.count(found) > 0) return good("clock source", found, "tsc");
  return {"clock source",
          Grade::kPoor,
          found,
          "tsc",
          "each reading of the clock enters the kernel and takes a microsecond or more",
          "echo tsc > " + folder + "current_clocksource, or boot with clocksource=tsc tsc=reliable"};
}

HostFinding checkThrottle(const HostFiles& files) {
  const std::string text = files.read("/proc/sys/kernel/sched_rt_runtime_us").value_or("unknown");
  const std::string wanted = "-1, or ticks that leave time for other threads";
  if (text == "-1") return good("real-time throttle", "off", wanted);
  return {"real-time throttle",
          Grade::kGood,
          text + " us of each second",
          wanted,
          "a tick thread that is busy for longer stops for the rest of the second; one that sleeps in each period "
          "never does",
          ""};
}

// Version 2 of the control groups: the quota of the group of this process or of one around it. Empty without version 2.
std::string groupQuota(const HostFiles& files) {
  std::istringstream groups(files.read("/proc/self/cgroup").value_or("0::/"));
  std::string group;
  while (std::getline(groups, group) && !group.starts_with("0::")) {}
  group = group.starts_with("0::/") && group != "0::/" ? group.substr(3) : "";
  std::string quota;
  while (true) {
    const std::string found = files.read("/sys/fs/cgroup" + group + "/cpu.max").value_or("");
    if (!found.empty()) quota = found;
    if (group.empty() || (!found.empty() && !found.starts_with("max"))) return quota;
    group.resize(group.rfind('/'));
  }
}

HostFinding checkQuota(const HostFiles& files) {
  std::string quota = groupQuota(files);
  if (quota.empty()) {  // version 1
    const std::string old = files.read("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").value_or("-1");
    quota = old == "-1" ? "max" : old;
  }
  if (quota.rfind("max", 0) == 0) return good("CPU quota", "none", "none");
  return {"CPU quota",
          Grade::kPoor,
          quota + " (us of us)",
          "none",
          "when the quota is used up, all threads stop until the next quota period, up to 100 ms, whatever their class",
          "leave --cpus and cpu_quota of the container, or CPUQuota= of the unit, unset; use --cpuset-cpus or "
          "CPUAffinity="};
}

HostFinding checkHypervisor(const HostFiles& files) {
  const std::string cpuinfo = files.read("/proc/cpuinfo").value_or("");
  if (cpuinfo.find(" hypervisor") == std::string::npos) return good("machine", "bare metal", "bare metal");
  // user nice system idle iowait irq softirq steal
  std::istringstream stat(files.read("/proc/stat").value_or(""));
  std::string word;
  long long steal = 0;
  stat >> word;
  for (int i = 0; i < 8; ++i) stat >> steal;
  return {"machine",
          Grade::kFair,
          "virtual, " + std::to_string(stat ? steal : 0) + " ticks stolen since boot",
          "bare metal",
          "the host may take a core for milliseconds; nothing inside the virtual machine can prevent it",
          "pin each virtual processor to its own core of the host"};
}

HostFinding checkSwap(const HostFiles& files) {
  const std::string swaps = files.read("/proc/swaps").value_or("");
  const auto lines = std::count(swaps.begin(), swaps.end(), '\n');
  if (lines == 0) return good("swap", "none", "none, or locked memory");
  return {"swap",
          Grade::kGood,
          std::to_string(lines) + " areas",
          "none, or locked memory",
          "harmless as long as memory is locked",
          "swapoff -a"};
}

std::string inContainer(const HostFiles& files) {
  if (files.exists("/.dockerenv")) return "docker";
  if (files.exists("/run/.containerenv")) return "podman";
  return "";
}

HostFinding checkPriority(const HostRights& rights, const std::string& container) {
  const std::string wanted = "CAP_SYS_NICE, or RLIMIT_RTPRIO 80 or more";
  const std::string found = rights.unlimited_priority
                                ? "CAP_SYS_NICE, or RLIMIT_RTPRIO without an end"
                                : "no CAP_SYS_NICE, RLIMIT_RTPRIO " + std::to_string(rights.priority_limit);
  if (rights.unlimited_priority || rights.priority_limit >= 80) return good("real-time class", found, wanted);
  return {"real-time class",
          Grade::kPoor,
          found,
          wanted,
          "ticks start milliseconds late whenever another process is busy",
          container.empty() ? "echo \"$USER - rtprio 99\" >> /etc/security/limits.d/tactus.conf, then log in again"
                            : container + " run --ulimit rtprio=99 (or --cap-add SYS_NICE for root)"};
}

HostFinding checkMemory(const HostRights& rights, const std::string& container) {
  const std::string wanted = "CAP_IPC_LOCK, or no RLIMIT_MEMLOCK";
  const std::string found = rights.unlimited_memory
                                ? "may lock all memory"
                                : "RLIMIT_MEMLOCK " + std::to_string(rights.memory_limit / 1024) + " KiB";
  if (rights.unlimited_memory) return good("memory lock", found, wanted);
  return {"memory lock",
          Grade::kFair,
          found,
          wanted,
          "the kernel may reclaim a page, and the tick that next uses the page waits for it",
          container.empty()
              ? "echo \"$USER - memlock unlimited\" >> /etc/security/limits.d/tactus.conf, then log in again"
              : container + " run --ulimit memlock=-1 (or --cap-add IPC_LOCK for root)"};
}

bool hasCapability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capget, &header, data) != 0) return false;
  return ((data[capability / 32].effective >> (capability % 32)) & 1u) != 0;
}

rlim_t limitOf(__rlimit_resource resource) {
  rlimit limit{};
  return getrlimit(resource, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace

const char* toString(Grade grade) noexcept {
  switch (grade) {
    case Grade::kGood: return "good";
    case Grade::kFair: return "fair";
    case Grade::kPoor: return "poor";
  }
  return "unknown";
}

Grade worstGrade(const std::vector<HostFinding>& findings) noexcept {
  Grade worst = Grade::kGood;
  for (const HostFinding& finding : findings) worst = std::max(worst, finding.grade);
  return worst;
}

HostRights readRights() {
  HostRights rights;
  const rlim_t priority = limitOf(RLIMIT_RTPRIO);
  rights.unlimited_priority = priority == RLIM_INFINITY || hasCapability(CAP_SYS_NICE);
  rights.priority_limit = priority == RLIM_INFINITY ? 0 : static_cast<long>(priority);
  const rlim_t memory = limitOf(RLIMIT_MEMLOCK);
  rights.unlimited_memory = memory == RLIM_INFINITY || hasCapability(CAP_IPC_LOCK);
  rights.memory_limit = memory == RLIM_INFINITY ? 0 : static_cast<long long>(memory);
  return rights;
}

std::vector<HostFinding> checkHost(const std::string& root, const HostRights& rights) {
  const HostFiles files(root);
  const std::string container = inContainer(files);
  return {checkKernel(files),
          checkCores(files),
          checkGovernor(files),
          checkClockSource(files),
          checkPriority(rights, container),
          checkMemory(rights, container),
          checkThrottle(files),
          checkQuota(files),
          checkHypervisor(files),
          checkSwap(files)};
}

}  // namespace tactus::server
