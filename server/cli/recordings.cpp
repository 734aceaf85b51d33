#include "server/cli/recordings.h"

#include "proto/text/duration.h"
#include "proto/text/json_text.h"
#include "proto/text/report_line.h"
#include "server/cli/subcommand.h"
#include "server/record/recording_csv.h"
#include "server/record/recording_diff.h"
#include "server/record/recording_message.h"
#include "server/record/replay.h"
#include "server/record/snapshot_message.h"

#include <fmt/format.h>

#include <iostream>
#include <memory>

namespace tactus::server {
namespace {

using Json = nlohmann::ordered_json;

std::string textOf(const Difference& difference, const char* a, const char* b) {
  const bool words = !difference.text_a.empty() || !difference.text_b.empty();
  const auto shown = [words](const std::string& word, double value) {
    return words ? word : fmt::format("{:.17g}", value);
  };
  std::string text = text::reportLine("first difference", "tick {}: {}", difference.tick, difference.signal);
  text += fmt::format("  {:<17} {}\n", a, shown(difference.text_a, difference.a));
  text += fmt::format("  {:<17} {}\n", b, shown(difference.text_b, difference.b));
  if (!words) text += fmt::format("  {:<17} {} ulp\n", "distance", difference.ulps);
  return text;
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

/// Whether this binary may replay a recording: without force only its own.
bool mayReplay(const std::string& file, const v1::RecordingSetup& setup, bool force) {
  const std::string unlike = unlikeBuild(setup, buildStamp());
  if (unlike.empty()) return true;
  std::cerr << file << " was recorded by another binary, and the same bits are promised for one binary only:\n"
            << unlike;
  if (!force) std::cerr << "use --force to replay it anyway\n";
  return force;
}

// ---- replay ----

struct ReplayArguments {
  std::string file;
  bool force = false, json = false;
};

std::string textOf(const std::string& file, const RecordingReader& recording, const ReplayReport& report) {
  const v1::RecordingSetup& setup = recording.setup();
  std::string text = text::reportLine("recording", "{}: {}, period {}", file, setup.session().model_name(),
                                      text::formatDuration(setup.settings().period_ns()));
  text += text::reportLine("replayed", "{}, {} to {}, in {}", text::counted(report.ticks, "tick", "ticks"),
                           report.first_tick, report.last_tick, text::counted(report.begins, "part", "parts"));
  if (report.bridged > 0)
    text += text::reportLine("not recorded", "{} ticks with known inputs: replayed, not compared", report.bridged);
  for (const v1::RecordedGap& gap : recording.gaps())
    if (!gap.inputs_complete())
      text += text::reportLine("incomplete", "from tick {}: {} ticks are not recorded", gap.first_tick(), gap.ticks());
  if (!report.complete && report.difference) text += text::reportLine("file", "{}", report.problem);
  if (!report.complete && !report.difference)
    text += text::reportLine("file", "{}; complete up to tick {}", report.problem, report.last_tick);
  text += report.difference ? textOf(*report.difference, "recorded", "replayed")
                            : text::reportLine("identical", "bit for bit");
  return text + fmt::format("state hash: {}\n", rt::formatHash(report.state_hash));
}

int replayFile(const ReplayArguments& arguments) {
  RecordingReader recording(arguments.file);
  if (!mayReplay(arguments.file, recording.setup(), arguments.force)) return text::kExitUsage;
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
    std::cout << text::jsonText(json);
  } else {
    std::cout << textOf(arguments.file, recording, report);
  }
  return report.difference || report.ticks == 0 ? text::kExitFinding : text::kExitOk;
}

// ---- diff ----

struct DiffArguments {
  std::string a, b;
  bool force = false, json = false;
};

std::string textOf(const DiffReport& report, const DiffArguments& arguments) {
  std::string text;
  for (const auto& [same, what] :
       {std::pair{report.same_model, "models"}, {report.same_settings, "settings"}, {report.same_build, "binaries"}})
    if (!same) text += text::reportLine("note", "the {} differ", what);
  for (const auto& [file, problem] : {std::pair{&arguments.a, &report.problem_a}, {&arguments.b, &report.problem_b}})
    if (!problem->empty()) text += text::reportLine("note", "{} {}", *file, *problem);
  text += text::reportLine("compared", "{} ticks that both recordings hold, up to tick {}", report.compared,
                           report.last_tick);
  if (report.only_a > 0 || report.only_b > 0)
    text += text::reportLine("not compared", "{} ticks only in {}, {} only in {}", report.only_a, arguments.a,
                             report.only_b, arguments.b);
  if (report.difference) text += textOf(*report.difference, "A", "B");
  if (report.computed) text += "  (the values were not recorded: both recordings were replayed up to that tick)\n";
  if (!report.difference && report.compared > 0) text += text::reportLine("identical", "bit for bit");
  return text;
}

int diff(const DiffArguments& arguments) {
  const DiffReport report = diffRecordings(arguments.a, arguments.b, buildStamp());
  if (!report.same_model && !arguments.force) {
    std::cerr << fmt::format(
        "{} and {} hold different models: their states have no difference to show; use --force to "
        "compare them anyway\n",
        arguments.a, arguments.b);
    return text::kExitUsage;
  }
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
                       {"problem_a", report.problem_a},
                       {"problem_b", report.problem_b},
                       {"computed", report.computed},
                       {"difference", toJson(report.difference, "a", "b")}};
    std::cout << text::jsonText(json);
  } else {
    std::cout << textOf(report, arguments);
  }
  return report.difference || report.compared == 0 ? text::kExitFinding : text::kExitOk;
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
    return text::kExitUsage;
  const CsvReport report = writeCsv(recording, arguments.choice, arguments.out);
  std::cout << text::reportLine("written", "{}, {} rows{}", arguments.out, report.rows,
                                report.computed ? "; the inputs were replayed: not every signal was recorded" : "");
  if (!recording.complete()) std::cout << text::reportLine("file", "{} {}", arguments.file, recording.problem());
  return text::kExitOk;
}

}  // namespace

void addReplayCommand(CLI::App& app, int& exit_code) {
  CLI::App* command =
      app.add_subcommand("replay", "Run the inputs of a recording again and compare the states bit for bit");
  const auto a = std::make_shared<ReplayArguments>();
  command->add_option("FILE", a->file, "A recording, .mcap")->required();
  command->add_flag("--force", a->force, "Replay a recording of another binary, too");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, replayFile);
}

void addDiffCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("diff", "Show the first difference between two recordings");
  const auto a = std::make_shared<DiffArguments>();
  command->add_option("A", a->a, "A recording, .mcap")->required();
  command->add_option("B", a->b, "A second recording, .mcap")->required();
  command->add_flag("--force", a->force, "Compare recordings of different models, too");
  command->add_flag("--json", a->json, "Print JSON");
  onCall(*command, exit_code, a, diff);
}

void addExportCommand(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("export", "Write a recording as CSV");
  const auto a = std::make_shared<ExportArguments>();
  command->add_option("FILE", a->file, "A recording, .mcap")->required();
  command->add_option("--out", a->out, "File to write, .csv")->required();
  CLI::Option* const signals =
      command
          ->add_option("--signals", a->choice.signals,
                       "Names and globs; signals that are not recorded are computed. Default: the recorded ones")
          ->delimiter(',');
  command->add_option("--every", a->choice.every, "Write a row every N ticks")->capture_default_str();
  command->add_flag("--inputs", a->choice.inputs, "Write inputs only, one row for each change, for tactus run --inputs")
      ->excludes(signals);
  command->add_flag("--force", a->force, "Compute signals of a recording of another binary, too");
  onCall(*command, exit_code, a, exportFile);
}

std::string damageOfSnapshot(const v1::SessionSnapshot& snapshot) {
  return damageOf(snapshot);
}

}  // namespace tactus::server
