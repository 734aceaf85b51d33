#include "server/cli/doctor.h"

#include "proto/text/duration_option.h"
#include "proto/text/json_text.h"
#include "proto/text/table.h"
#include "proto/text/timing_text.h"
#include "server/build_info.h"
#include "server/cli/cpu_list.h"
#include "server/cli/subcommand.h"
#include "server/doctor/self_test.h"

#include <fmt/format.h>

#include <algorithm>
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

std::string textOf(const HostFinding& finding) {
  std::string text = fmt::format("{:<19} {:<5} found {}; wanted {}\n", finding.what, toString(finding.grade),
                                 finding.found, finding.wanted);
  if (!finding.effect.empty()) text += fmt::format("{:26}effect: {}\n", "", finding.effect);
  if (!finding.fix.empty()) text += fmt::format("{:26}fix:    {}\n", "", finding.fix);
  return text;
}

std::string textOf(const SelfTestResult& result) {
  std::string text;
  for (const rt::Grant& grant : result.grants) text += fmt::format("  {}\n", rt::describe(grant));
  text::Table table({"latency (us)", "count", "p50", "p99", "p99.9", "max"}, "lrrrrr");
  const auto addRow = [&table](const char* name, const rt::LatencySummary& s) {
    table.add({name, std::to_string(s.count), text::microseconds(s.p50), text::microseconds(s.p99),
               text::microseconds(s.p999), text::microseconds(s.maximum)});
  };
  addRow("start of a tick", result.wake);
  addRow("sleep without spin", result.sleep);
  text += table.text() + "late ticks:";
  for (std::size_t i = 0; i < rt::kLateCauses; ++i)
    text += fmt::format("{} {} {}", i > 0 ? "," : "", rt::toString(static_cast<rt::LateCause>(i)), result.late[i]);
  return text + fmt::format("\nself-test: {}: {}\n", toString(result.grade), result.verdict);
}

int examine(const DoctorArguments& arguments) {
  SelfTestRequest request;
  request.period_ns = arguments.period_ns;
  request.duration_ns = arguments.duration_ns;
  request.thread.priority = arguments.priority;
  if (!arguments.cpus.empty()) request.thread.cpus = parseCpuList(arguments.cpus);

  const std::vector<HostFinding> findings = checkHost("", readRights());
  Json document = {{"build", madeBy()}};
  for (const HostFinding& finding : findings) {
    if (!arguments.json) std::cout << textOf(finding);
    document["host"].push_back({{"what", finding.what},
                                {"grade", toString(finding.grade)},
                                {"found", finding.found},
                                {"wanted", finding.wanted},
                                {"effect", finding.effect},
                                {"fix", finding.fix}});
  }
  Grade grade = worstGrade(findings);
  bool granted = true;
  if (!arguments.no_test) {
    if (!arguments.json)
      std::cout << fmt::format("self-test of {} with a period of {}\n", text::formatDuration(request.duration_ns),
                               text::formatDuration(request.period_ns))
                << std::flush;
    const SelfTestResult result = testHost(request);
    if (!arguments.json) std::cout << textOf(result);
    document["self_test"] = toJson(result);
    grade = std::max(grade, result.grade);
    granted = rt::allGranted(result.grants);
  }
  document["grade"] = toString(grade);
  std::cout << (arguments.json ? text::jsonText(document) : fmt::format("grade: {}\n", toString(grade)));
  if (arguments.require_rt && !granted) return text::kExitNoRealtime;
  return grade == Grade::kPoor ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addDoctorCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand(
      "doctor", "Check this host for real-time use: findings, their effect, how to fix them, and a self-test");
  const auto a = std::make_shared<DoctorArguments>();
  CLI::Option* const no_test = command->add_flag("--no-test", a->no_test, "Skip the self-test");
  text::addPeriod(*command, "--period", a->period_ns, "Period of the self-test, e.g. 1ms or 4kHz")->excludes(no_test);
  text::addDuration(*command, "--duration", a->duration_ns, "Length of the self-test")->excludes(no_test);
  command->add_option("--priority", a->priority, "Real-time priority of the self-test, 1 to 99; 0 for none")
      ->capture_default_str()
      ->check(CLI::Range(0, 99))
      ->excludes(no_test);
  command->add_option("--cpu", a->cpus, "Cores for the self-test, e.g. 2 or 0,2-3")->excludes(no_test);
  command
      ->add_flag("--require-rt", a->require_rt, "Exit with 5 unless everything that the self-test requests is granted")
      ->excludes(no_test);
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, examine);
}

}  // namespace tactus::server
