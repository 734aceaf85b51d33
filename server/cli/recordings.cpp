#include "server/cli/recordings.h"

#include "rt/error.h"
#include "server/cli/exit_code.h"
#include "server/record/recording_csv.h"
#include "server/record/recording_diff.h"
#include "server/record/replay.h"
#include "server/record/recording_message.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

void print(const Difference& difference, const char* a, const char* b) {
  std::printf("first difference    tick %lld: %s\n", static_cast<long long>(difference.tick),
              difference.signal.c_str());
  const bool words = !difference.text_a.empty() || !difference.text_b.empty();
  std::printf("  %-17s %s\n", a, (words ? difference.text_a : textOf(difference.a)).c_str());
  std::printf("  %-17s %s\n", b, (words ? difference.text_b : textOf(difference.b)).c_str());
  if (!words) std::printf("  distance          %llu ulp\n", static_cast<unsigned long long>(difference.ulps));
}

Json toJson(const std::optional<Difference>& difference, const char* a, const char* b) {
  if (!difference) return nullptr;
  Json json = {{"tick", difference->tick}, {"signal", difference->signal}};
  if (difference->text_a.empty() && difference->text_b.empty()) {
    json[a] = difference->a;
    json[b] = difference->b;
    json["ulps"] = difference->ulps;
  } else {
    json[a] = difference->text_a;
    json[b] = difference->text_b;
  }
  return json;
}

/// Whether this binary may run what another one recorded.
bool mayReplay(const std::string& file, const v1::RecordingSetup& setup, bool force) {
  const std::string unlike = unlikeBuild(setup, buildStamp());
  if (unlike.empty()) return true;
  std::cerr << file << " was recorded by another binary, and bits are promised per binary:\n" << unlike;
  if (!force) std::cerr << "--force replays it all the same\n";
  return force;
}

// ---- replay ----

struct ReplayArguments {
  std::string file;
  bool force = false, json = false;
};

void print(const std::string& file, const RecordingReader& recording, const ReplayReport& report) {
  const v1::RecordingSetup& setup = recording.setup();
  std::printf("recording           %s: %s, period %g ms\n", file.c_str(), setup.session().model_name().c_str(),
              1e-6 * static_cast<double>(setup.settings().period_ns()));
  std::printf("replayed            %llu ticks, %lld to %lld, begun %llu times\n",
              static_cast<unsigned long long>(report.ticks), static_cast<long long>(report.first_tick),
              static_cast<long long>(report.last_tick), static_cast<unsigned long long>(report.begins));
  if (report.bridged > 0)
    std::printf("not recorded        %llu ticks with their inputs known: run, not compared\n",
                static_cast<unsigned long long>(report.bridged));
  for (const v1::RecordedGap& gap : recording.gaps())
    if (!gap.inputs_complete())
      std::printf("incomplete          from tick %lld: %llu ticks are not recorded\n",
                  static_cast<long long>(gap.first_tick()), static_cast<unsigned long long>(gap.ticks()));
  if (!report.complete && !report.difference)
    std::printf("file                %s; whole up to tick %lld\n", report.problem.c_str(),
                static_cast<long long>(report.last_tick));
  if (report.difference) {
    print(*report.difference, "recorded", "replayed");
  } else {
    std::printf("identical           bit for bit\n");
  }
  std::printf("state hash: %s\n", rt::formatHash(report.state_hash).c_str());
}

int replayFile(const ReplayArguments& arguments) {
  RecordingReader recording(arguments.file);
  if (!mayReplay(arguments.file, recording.setup(), arguments.force)) return kExitUsage;
  const ReplayReport report = replay(recording);
  if (arguments.json) {
    const Json json = {{"file", arguments.file},
                       {"model", recording.setup().session().model_name()},
                       {"ticks", report.ticks},
                       {"first_tick", report.first_tick},
                       {"last_tick", report.last_tick},
                       {"begins", report.begins},
                       {"bridged", report.bridged},
                       {"missing", report.missing},
                       {"complete", report.complete},
                       {"problem", report.problem},
                       {"identical", !report.difference},
                       {"difference", toJson(report.difference, "recorded", "replayed")},
                       {"state_hash", rt::formatHash(report.state_hash)}};
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    print(arguments.file, recording, report);
  }
  return report.difference || report.ticks == 0 ? kExitFinding : kExitOk;
}

// ---- diff ----

struct DiffArguments {
  std::string a, b;
  bool json = false;
};

int diff(const DiffArguments& arguments) {
  const DiffReport report = diffRecordings(arguments.a, arguments.b, buildStamp());
  if (arguments.json) {
    const Json json = {{"a", arguments.a},
                       {"b", arguments.b},
                       {"compared", report.compared},
                       {"last_tick", report.last_tick},
                       {"only_a", report.only_a},
                       {"only_b", report.only_b},
                       {"same_model", report.same_model},
                       {"same_settings", report.same_settings},
                       {"same_build", report.same_build},
                       {"computed", report.computed},
                       {"difference", toJson(report.difference, "a", "b")}};
    std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
  } else {
    for (const auto& [same, what] :
         {std::pair{report.same_model, "models"}, {report.same_settings, "settings"}, {report.same_build, "binaries"}})
      if (!same) std::printf("note                the %s differ\n", what);
    std::printf("compared            %llu ticks that are in both, up to tick %lld\n",
                static_cast<unsigned long long>(report.compared), static_cast<long long>(report.last_tick));
    if (report.only_a > 0 || report.only_b > 0)
      std::printf("not compared        %llu ticks only in %s, %llu only in %s\n",
                  static_cast<unsigned long long>(report.only_a), arguments.a.c_str(),
                  static_cast<unsigned long long>(report.only_b), arguments.b.c_str());
    if (report.difference) print(*report.difference, "A", "B");
    if (report.computed) std::printf("  (the values were not recorded: both were replayed up to that tick)\n");
    if (!report.difference && report.compared > 0) std::printf("identical           bit for bit\n");
  }
  return report.difference || report.compared == 0 ? kExitFinding : kExitOk;
}

// ---- export ----

struct ExportArguments {
  std::string file, out;
  CsvChoice choice;
  bool force = false;
};

int exportFile(const ExportArguments& arguments) {
  if (!arguments.out.ends_with(".csv")) throw Error(arguments.out + ": recordings are exported as .csv");
  if (arguments.choice.every < 1) throw Error("--every must be at least 1");
  RecordingReader recording(arguments.file);
  if (needsReplay(recording, arguments.choice) && !mayReplay(arguments.file, recording.setup(), arguments.force))
    return kExitUsage;
  const CsvReport report = writeCsv(recording, arguments.choice, arguments.out);
  std::printf("written             %s, %llu rows%s\n", arguments.out.c_str(),
              static_cast<unsigned long long>(report.rows),
              report.computed ? "; not all signals were recorded: the inputs were run again" : "");
  if (!recording.complete())
    std::printf("file                %s %s\n", arguments.file.c_str(), recording.problem().c_str());
  return kExitOk;
}

template <class Arguments, class Run>
void onCallback(CLI::App* command, std::shared_ptr<Arguments> arguments, int& exit_code, Run run) {
  command->callback([name = command->get_name(), arguments, run, &exit_code] {
    try {
      exit_code = run(*arguments);
    } catch (const Error& error) {
      std::cerr << "tactus " << name << ": " << error.what() << '\n';
      exit_code = kExitUsage;
    }
  });
}

}  // namespace

void addReplayCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("replay", "Run the inputs of a recording again and compare bit for bit");
  const auto a = std::make_shared<ReplayArguments>();
  command->add_option("FILE", a->file, "A recording, .mcap")->required();
  command->add_flag("--force", a->force, "Also if another binary recorded it");
  command->add_flag("--json", a->json, "Print JSON");
  onCallback(command, a, exit_code, replayFile);
}

void addDiffCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("diff", "The first difference between two recordings");
  const auto a = std::make_shared<DiffArguments>();
  command->add_option("A", a->a, "A recording, .mcap")->required();
  command->add_option("B", a->b, "Another one")->required();
  command->add_flag("--json", a->json, "Print JSON");
  onCallback(command, a, exit_code, diff);
}

void addExportCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write a recording as CSV");
  const auto a = std::make_shared<ExportArguments>();
  command->add_option("FILE", a->file, "A recording, .mcap")->required();
  command->add_option("--out", a->out, "File to write, .csv")->required();
  command
      ->add_option("--signals", a->choice.signals,
                   "Names and globs; those that are not recorded are computed. Default: what is recorded")
      ->delimiter(',');
  command->add_option("--every", a->choice.every, "Rows of every so many ticks")->capture_default_str();
  command->add_flag("--inputs", a->choice.inputs, "Only inputs, a row where they change, for tactus run --inputs");
  command->add_flag("--force", a->force, "Compute signals also if another binary recorded it");
  onCallback(command, a, exit_code, exportFile);
}

}  // namespace tactus::server
