#include "server/cli/doctor.h"

#include "proto/text/duration_option.h"
#include "rt/error.h"
#include "server/cli/cpu_list.h"
#include "server/cli/exit_code.h"
#include "server/doctor/self_test.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

namespace tactus::server {

namespace {

using Json = nlohmann::ordered_json;

struct DoctorArguments {
  std::int64_t period_ns = 1'000'000, duration_ns = 10'000'000'000;
  std::string cpus;
  int priority = 80;
  bool json = false, no_test = false, require_rt = false;
};

Json toJson(const rt::LatencySummary& summary) {
  return {{"count", summary.count},
          {"p50_ns", summary.p50},
          {"p99_ns", summary.p99},
          {"p999_ns", summary.p999},
          {"maximum_ns", summary.maximum}};
}

Json toJson(const SelfTestResult& result) {
  Json grants = Json::array(), late = Json::object();
  for (const rt::Grant& grant : result.grants) grants.push_back(rt::describe(grant));
  for (std::size_t i = 0; i < rt::kLateCauses; ++i) late[rt::toString(static_cast<rt::LateCause>(i))] = result.late[i];
  return {{"grade", toString(result.grade)},
          {"verdict", result.verdict},
          {"ticks", result.ticks},
          {"missed", result.missed},
          {"spin_margin_ns", result.spin_margin_ns},
          {"wake", toJson(result.wake)},
          {"sleep", toJson(result.sleep)},
          {"late_ticks", late},
          {"grants", grants}};
}

void print(const HostFinding& finding) {
  std::printf("%-19s %-5s found %s; wanted %s\n", finding.what.c_str(), toString(finding.grade), finding.found.c_str(),
              finding.wanted.c_str());
  if (!finding.effect.empty()) std::printf("%26seffect: %s\n", "", finding.effect.c_str());
  if (!finding.mend.empty()) std::printf("%26smend:   %s\n", "", finding.mend.c_str());
}

void printRow(const char* name, const rt::LatencySummary& summary) {
  const auto us = [](std::int64_t ns) { return 1e-3 * static_cast<double>(ns); };
  std::printf("  %-22s %9llu %9.1f %9.1f %9.1f %9.1f\n", name, static_cast<unsigned long long>(summary.count),
              us(summary.p50), us(summary.p99), us(summary.p999), us(summary.maximum));
}

void print(const SelfTestResult& result) {
  for (const rt::Grant& grant : result.grants) std::printf("  %s\n", rt::describe(grant).c_str());
  std::printf("  %-22s %9s %9s %9s %9s %9s\n", "us late", "count", "p50", "p99", "p99.9", "max");
  printRow("start of a tick", result.wake);
  printRow("sleep without spin", result.sleep);
  std::printf("  late ticks:");
  for (std::size_t i = 0; i < rt::kLateCauses; ++i)
    std::printf("%s %s %lld", i > 0 ? "," : "", rt::toString(static_cast<rt::LateCause>(i)),
                static_cast<long long>(result.late[i]));
  std::printf("\nself-test: %s: %s\n", toString(result.grade), result.verdict.c_str());
}

int examine(const DoctorArguments& arguments) {
  SelfTestRequest request;
  request.period_ns = arguments.period_ns;
  request.duration_ns = arguments.duration_ns;
  request.thread.priority = arguments.priority;
  if (!arguments.cpus.empty()) request.thread.cpus = parseCpuList(arguments.cpus);

  const std::vector<HostFinding> findings = checkHost("", readRights());
  Json document;
  for (const HostFinding& finding : findings) {
    if (!arguments.json) print(finding);
    document["host"].push_back({{"what", finding.what},
                                {"grade", toString(finding.grade)},
                                {"found", finding.found},
                                {"wanted", finding.wanted},
                                {"effect", finding.effect},
                                {"mend", finding.mend}});
  }
  Grade grade = worstGrade(findings);
  bool granted = true;
  if (!arguments.no_test) {
    if (!arguments.json)
      std::printf("self-test of %s with a period of %s\n", text::formatDuration(request.duration_ns).c_str(),
                  text::formatDuration(request.period_ns).c_str());
    std::fflush(stdout);
    const SelfTestResult result = testHost(request);
    if (!arguments.json) print(result);
    document["self_test"] = toJson(result);
    grade = std::max(grade, result.grade);
    granted = rt::allGranted(result.grants);
  }
  document["grade"] = toString(grade);
  std::printf("%s\n", arguments.json ? document.dump(2).c_str() : (std::string("grade: ") + toString(grade)).c_str());
  if (arguments.require_rt && !granted) return kExitNoRealtime;
  return grade == Grade::kPoor ? kExitFinding : kExitOk;
}

}  // namespace

void addDoctorCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("doctor", "Is this host fit for real time: what it offers, and a self-test");
  const auto a = std::make_shared<DoctorArguments>();
  text::addPeriod(*command, "--period", a->period_ns, "Period of the self-test, e.g. 1ms or 4kHz");
  text::addDuration(*command, "--duration", a->duration_ns, "Length of the self-test");
  command->add_option("--priority", a->priority, "Real-time class of the self-test, 1 to 99; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 99));
  command->add_option("--cpu", a->cpus, "Cores for the self-test, e.g. 2 or 0,2-3");
  command->add_flag("--no-test", a->no_test, "Only what the host offers");
  command->add_flag("--require-rt", a->require_rt, "Exit with 5 unless all that the self-test asks for is granted");
  command->add_flag("--json", a->json, "Print JSON");
  command->callback([a, &exit_code] {
    try {
      exit_code = examine(*a);
    } catch (const Error& error) {
      std::cerr << "tactus doctor: " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace tactus::server
