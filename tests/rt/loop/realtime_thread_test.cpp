#include "rt/loop/realtime_thread.h"

#include "rt/ali3p/team.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include <sched.h>
#include <sys/prctl.h>

namespace {

using namespace tactus::rt;

/// Runs `body` in a thread of its own, so that the test's own keeps its class and cores.
void inThread(const std::function<void()>& body) {
  std::thread thread(body);
  thread.join();
}

const Grant* find(const std::vector<Grant>& grants, const std::string& start) {
  const auto found = std::find_if(grants.begin(), grants.end(),
                                  [&start](const Grant& grant) { return grant.asked.rfind(start, 0) == 0; });
  return found == grants.end() ? nullptr : &*found;
}

int someCpu() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  int cpu = 0;
  while (!CPU_ISSET(cpu, &set)) ++cpu;
  return cpu;
}

}  // namespace

TEST_CASE("the reported grants agree with the kernel", "[rt][loop]") {
  inThread([] {
    const int cpu = someCpu();
    const std::vector<Grant> grants = enterRealtime({7, {cpu}, 64 * 1024});

    // Class and priority, granted or not.
    const Grant* fifo = find(grants, "SCHED_FIFO 7");
    REQUIRE(fifo != nullptr);
    sched_param parameters{};
    sched_getparam(0, &parameters);
    const bool is_fifo = (sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
    CHECK(fifo->granted == (is_fifo && parameters.sched_priority == 7));
    if (!fifo->granted) CHECK_FALSE(fifo->outcome.empty());

    // One core that the thread had before is always granted.
    const Grant* cores = find(grants, "cores " + std::to_string(cpu));
    REQUIRE(cores != nullptr);
    CHECK(cores->granted);
    cpu_set_t set;
    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof set, &set);
    CHECK(CPU_COUNT(&set) == 1);
    CHECK(CPU_ISSET(cpu, &set));

    REQUIRE(find(grants, "timer slack") != nullptr);
    CHECK(find(grants, "timer slack")->granted);
    REQUIRE(find(grants, "touched stack") != nullptr);
    CHECK(find(grants, "touched stack")->granted);
  });
}

TEST_CASE("a thread in the normal class gets a timer slack of 1 ns", "[rt][loop]") {
  inThread([] {
    enterRealtime({});
    CHECK(prctl(PR_GET_TIMERSLACK) == 1);
  });
}

TEST_CASE("a refused request reports the reason and does not change the thread", "[rt][loop]") {
  inThread([] {
    const std::vector<Grant> grants = enterRealtime({1000, {100'000}, 1024});
    CHECK_FALSE(allGranted(grants));

    const Grant* fifo = find(grants, "SCHED_FIFO 1000");
    REQUIRE(fifo != nullptr);
    CHECK_FALSE(fifo->granted);
    CHECK_FALSE(fifo->outcome.empty());
    CHECK(sched_getscheduler(0) == SCHED_OTHER);
    CHECK_THAT(describe(*fifo), Catch::StartsWith("SCHED_FIFO 1000: not granted: "));

    const Grant* cores = find(grants, "cores");
    REQUIRE(cores != nullptr);
    CHECK_FALSE(cores->granted);
  });
}

TEST_CASE("threads of a raised thread start in the normal class", "[rt][loop]") {
  inThread([] {
    const std::vector<Grant> grants = enterRealtime({3, {}, 0});
    if (!find(grants, "SCHED_FIFO")->granted) {
      WARN("no right to SCHED_FIFO here: nothing to check");
      return;
    }
    inThread([] { CHECK(sched_getscheduler(0) == SCHED_OTHER); });
  });
}

TEST_CASE("the threads that share a step get the class and the priority of the thread that ticks", "[rt][loop]") {
  constexpr int kThreads = 3;
  const auto classesOfTeam = [] {
    std::vector<ThreadClass> classes(kThreads);
    runInTeam(kThreads, [&](int thread) { classes[static_cast<std::size_t>(thread)] = threadClass(); });
    return classes;
  };
  // The team exists before the class of its first thread changes, so that nothing is inherited. SCHED_BATCH needs no
  // right; SCHED_FIFO does.
  for (const ThreadClass wanted : {ThreadClass{SCHED_BATCH, 0}, ThreadClass{SCHED_FIFO, 7}}) {
    inThread([&] {
      REQUIRE(classesOfTeam() == std::vector<ThreadClass>(kThreads, ThreadClass{SCHED_OTHER, 0}));
      sched_param parameters{};
      parameters.sched_priority = wanted.priority;
      if (sched_setscheduler(0, wanted.policy | SCHED_RESET_ON_FORK, &parameters) != 0) {
        WARN("no right to SCHED_FIFO on this host: only SCHED_BATCH was tried");
        return;
      }
      CHECK(classesOfTeam()[1] == ThreadClass{SCHED_OTHER, 0});
      const Grant grant = shareClassWithTeam(kThreads);
      CHECK(grant.granted);
      CHECK_THAT(grant.asked,
                 Catch::Contains(wanted.policy == SCHED_BATCH ? "SCHED_BATCH for the 3" : "SCHED_FIFO 7 for the 3"));
      CHECK(classesOfTeam() == std::vector<ThreadClass>(kThreads, wanted));
    });
  }
}

TEST_CASE("without requests nothing is requested from the system", "[rt][loop]") {
  CHECK(prepareProcess({false, false}).empty());
  inThread([] {
    const std::vector<Grant> grants = enterRealtime({0, {}, 0});
    CHECK(grants.size() == 1);
    CHECK(find(grants, "timer slack") != nullptr);
  });
}
