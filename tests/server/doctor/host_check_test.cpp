// The findings on an invented host, and the self-test of this host.
// Covers: server/doctor/host_name.cpp, server/doctor/host_files.h, server/doctor/self_test.cpp
#include "server/doctor/host_check.h"

#include "server/doctor/host_name.h"
#include "server/doctor/self_test.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

using namespace tactus::server;
namespace fs = std::filesystem;

namespace {

/// A root folder with the files of a well configured host; each test then changes one file.
class Host {
 public:
  Host() {
    std::string name = (fs::temp_directory_path() / "tactus_host_XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root_ = name;
    write("/proc/version", "Linux version 6.1.0-rt7 (builder) #1 SMP PREEMPT_RT Debian\n");
    write("/sys/devices/system/cpu/online", "0-3\n");
    write("/sys/devices/system/cpu/isolated", "2-3\n");
    for (const char* cpu : {"0", "1", "2", "3"})
      write(std::string("/sys/devices/system/cpu/cpu") + cpu + "/cpufreq/scaling_governor", "performance\n");
    write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc\n");
    write("/proc/sys/kernel/sched_rt_runtime_us", "-1\n");
    write("/sys/fs/cgroup/cpu.max", "max 100000\n");
    write("/proc/cpuinfo", "flags : fpu tsc\n");
    write("/proc/swaps", "Filename Type Size Used Priority\n");
  }
  ~Host() { fs::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    fs::create_directories(fs::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }
  void remove(const std::string& path) { fs::remove(root_ + path); }

  HostFinding find(const std::string& what, const HostRights& rights = {true, 0, true, 0}) const {
    const auto findings = checkHost(root_, rights);
    const auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& f) { return f.what == what; });
    REQUIRE(found != findings.end());
    return *found;
  }
  std::string name() const { return nameHost(root_); }
  Grade grade() const { return worstGrade(checkHost(root_, {true, 0, true, 0})); }

 private:
  std::string root_;
};

void checkProblem(const HostFinding& finding, Grade grade, const std::string& found, const std::string& fix) {
  CHECK(finding.grade == grade);
  CHECK_THAT(finding.found, Catch::Contains(found));
  CHECK_THAT(finding.fix, Catch::Contains(fix));
  CHECK_FALSE(finding.wanted.empty());
  CHECK_FALSE(finding.effect.empty());
}

}  // namespace

TEST_CASE("a well configured host is good in every point", "[server][doctor]") {
  CHECK(Host().grade() == Grade::kGood);
}

TEST_CASE("a host is named by its processor, cores and kernel", "[server][doctor]") {
  Host host;
  host.write("/proc/cpuinfo",
             "processor\t: 0\nmodel name\t: Swift 9\nflags\t: fpu hypervisor\nprocessor\t: 1\nmodel name\t: Swift 9\n");
  host.write("/proc/sys/kernel/osrelease", "6.1.0-18\n");
  CHECK(host.name() == "Swift 9, 2 cores, virtual, Linux 6.1.0-18");
  host.write("/proc/cpuinfo", "");
  CHECK(host.name() == "Linux 6.1.0-18");
  host.remove("/proc/sys/kernel/osrelease");
  CHECK(host.name() == "unknown");
}

TEST_CASE("each problem of a host is found, with the command that fixes it", "[server][doctor]") {
  Host host;
  SECTION("kernel") {
    host.write("/proc/version", "Linux version 6.1.0-18 (builder) #1 SMP PREEMPT_DYNAMIC Debian\n");
    checkProblem(host.find("kernel"), Grade::kFair, "6.1.0-18, no PREEMPT_RT", "linux-image-rt");
  }
  SECTION("one core") {
    host.write("/sys/devices/system/cpu/online", "0\n");
    checkProblem(host.find("cores"), Grade::kPoor, "1 online", "second core");
  }
  SECTION("no isolated core") {
    host.write("/sys/devices/system/cpu/isolated", "\n");
    checkProblem(host.find("cores"), Grade::kFair, "isolated: none", "isolcpus=3");
  }
  SECTION("cores whose numbers have a gap") {
    host.write("/sys/devices/system/cpu/online", "0-3,8-11\n");
    host.write("/sys/devices/system/cpu/isolated", "\n");
    CHECK(host.find("governor").grade == Grade::kGood);
    checkProblem(host.find("cores"), Grade::kFair, "8 online", "isolcpus=11 and serve with --cpu 11");
    for (const char* cpu : {"4", "11"})  // 4 does not run
      host.write(std::string("/sys/devices/system/cpu/cpu") + cpu + "/cpufreq/scaling_governor",
                 *cpu == '4' ? "ondemand\n" : "powersave\n");
    checkProblem(host.find("governor"), Grade::kFair, "performance, powersave", "echo performance");
    CHECK_THAT(host.find("governor").found, !Catch::Contains("ondemand"));
  }
  SECTION("one core with another governor") {
    host.write("/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor", "powersave\n");
    checkProblem(host.find("governor"), Grade::kFair, "performance, powersave", "echo performance");
  }
  SECTION("clock source") {
    host.write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "hpet\n");
    checkProblem(host.find("clock source"), Grade::kPoor, "hpet", "clocksource=tsc");
  }
  SECTION("quota") {
    host.write("/sys/fs/cgroup/cpu.max", "50000 100000\n");
    checkProblem(host.find("CPU quota"), Grade::kPoor, "50000 100000", "cpuset");
  }
  SECTION("quota of the unit") {
    host.write("/proc/self/cgroup", "1:name=systemd:/x\n0::/system.slice/tactus.service\n");
    host.write("/sys/fs/cgroup/system.slice/tactus.service/cpu.max", "max 100000\n");
    CHECK(host.find("CPU quota").grade == Grade::kGood);
    host.write("/sys/fs/cgroup/system.slice/cpu.max", "30000 100000\n");
    checkProblem(host.find("CPU quota"), Grade::kPoor, "30000 100000", "CPUQuota");
    host.write("/sys/fs/cgroup/system.slice/tactus.service/cpu.max", "20000 100000\n");
    checkProblem(host.find("CPU quota"), Grade::kPoor, "20000 100000", "CPUQuota");
  }
  SECTION("quota of version 1") {
    host.remove("/sys/fs/cgroup/cpu.max");
    CHECK(host.find("CPU quota").grade == Grade::kGood);
    host.write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "20000\n");
    checkProblem(host.find("CPU quota"), Grade::kPoor, "20000", "cpuset");
  }
  SECTION("virtual machine") {
    host.write("/proc/cpuinfo", "flags : fpu hypervisor tsc\n");
    host.write("/proc/stat", "cpu 1 2 3 4 5 6 7 89 0 0\ncpu0 1\n");
    checkProblem(host.find("machine"), Grade::kFair, "89 ticks stolen", "pin");
  }
  SECTION("rights") {
    checkProblem(host.find("real-time class", {false, 10, true, 0}), Grade::kPoor, "RTPRIO 10", "limits.d");
    checkProblem(host.find("memory lock", {true, 0, false, 65536}), Grade::kFair, "64 KiB", "limits.d");
    CHECK(host.find("real-time class", {false, 95, true, 0}).grade == Grade::kGood);
  }
  SECTION("rights in a container") {
    host.write("/.dockerenv", "");
    checkProblem(host.find("real-time class", {false, 0, true, 0}), Grade::kPoor, "RTPRIO 0",
                 "docker run --ulimit rtprio");
    checkProblem(host.find("memory lock", {true, 0, false, 0}), Grade::kFair, "0 KiB", "--ulimit memlock");
  }
  SECTION("files that are not there") {
    host.remove("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    checkProblem(host.find("clock source"), Grade::kPoor, "unknown", "tsc");
  }
}

TEST_CASE("the self-test counts every deadline of its duration", "[server][doctor]") {
  SelfTestRequest request;
  request.duration_ns = 200'000'000;
  const SelfTestResult result = testHost(request);
  CHECK(result.ticks + result.missed >= 200);
  CHECK(result.wake.count == static_cast<std::uint64_t>(result.ticks));
  CHECK_FALSE(result.grants.empty());
  CHECK_THAT(result.verdict, Catch::Contains(std::to_string(result.missed) + " of "));
}

TEST_CASE("a self-test shorter than a period is refused", "[server][doctor]") {
  SelfTestRequest request;
  request.duration_ns = request.period_ns - 1;
  CHECK_THROWS_WITH(testHost(request), Catch::Contains("must not be shorter than a period"));
}

TEST_CASE("the grade of a self-test follows from its missed deadlines and its grants", "[server][doctor]") {
  SelfTestResult result;
  const auto gradeOf = [&](std::int64_t ticks, std::int64_t missed, bool granted) {
    result.ticks = ticks;
    result.missed = missed;
    result.grants = {{"class", granted, ""}};
    grade(result);
    return result.grade;
  };
  CHECK(gradeOf(10'000, 0, true) == Grade::kGood);
  CHECK(gradeOf(10'000, 0, false) == Grade::kFair);
  CHECK(gradeOf(9'990, 10, true) == Grade::kFair);
  CHECK(gradeOf(9'989, 11, true) == Grade::kPoor);
}
