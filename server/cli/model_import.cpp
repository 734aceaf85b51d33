#include "server/cli/model_import.h"

#include "server/cli/assignment.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/output_file.h"
#include "server/cli/subcommand.h"
#include "server/import/import_file.h"
#include "server/model_io/model_file.h"

#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace tactus::server {
namespace {

struct ImportArguments {
  std::string file, out, base = "fixed";
  std::vector<std::string> report, starts, roads;
  bool report_given = false, base_given = false, balance_inertia = false, strict = false, drop_tendons = false,
       json = false;
};

ImportOptions optionsOf(const ImportArguments& arguments) {
  ImportOptions options;
  options.balance_inertia = arguments.balance_inertia;
  options.drop_tendons = arguments.drop_tendons;
  options.free_base = arguments.base == "free";
  options.roads = arguments.roads;
  for (const std::string& word : arguments.starts) {
    const auto [start, is_new] = options.starts.insert(parseAssignment(word));
    if (!is_new) throw Error("--start " + start->first + ": is given twice; a joint has one start");
    if (!std::isfinite(start->second)) throw Error("--start " + word + ": must be a finite number");
  }
  return options;
}

/// The file of the report; without one the option has an empty value.
std::string reportFile(const ImportArguments& arguments) {
  return arguments.report.empty() ? "" : arguments.report.front();
}

/// Checks the files before the work. @throws Error if two of them are one, or if one cannot be written
void requireOutputs(const ImportArguments& arguments) {
  requireModelFileName(arguments.out);
  const std::string report = reportFile(arguments);
  const auto requireOther = [](const std::string& option, const std::string& path, const std::string& what,
                               const std::string& other) {
    std::error_code none;
    const auto place = [&](const std::string& file) {
      return std::filesystem::weakly_canonical(std::filesystem::absolute(file), none);
    };
    if (!path.empty() && !other.empty() && place(path) == place(other))
      throw Error(option + ' ' + path + ": is " + what + ", which it would replace; name another file");
  };
  requireOther("--out", arguments.out, "the file to import", arguments.file);
  requireOther("--report", report, "the file to import", arguments.file);
  requireOther("--report", report, "the file of --out", arguments.out);
  for (const std::string& path : {arguments.out, report})
    if (!path.empty()) requireWritableOutput(path);
}

/// Errors, and the report where the options want it: in a file, as JSON if it ends so, or beside the model.
void writeReport(const ImportArguments& arguments, const ImportReport& report) {
  // Standard output is for the model alone, if it goes there.
  std::ostream& out = arguments.out.empty() ? std::cerr : std::cout;
  std::string errors;
  for (const ImportError& error : report.errors()) errors += toString(error) + '\n';
  if (const std::string path = reportFile(arguments); !path.empty())
    writeOutput(path, path.ends_with(".json") ? lossJson(report) : errors + lossText(report));
  else if (arguments.report_given && !arguments.json && !report.failed())
    out << lossText(report);
  if (!arguments.json || !arguments.out.empty()) std::cerr << errors;
  if (arguments.json)
    out << lossJson(report);
  else if (!report.failed())
    out << arguments.file << ": " << lossSummary(report) << '\n';
}

/// @throws Error for an option that does nothing to a file of this format
void refuseIdle(const ImportArguments& arguments, const std::string& format) {
  struct Option {
    bool given;
    const char *name, *formats;
  };
  const Option options[] = {{arguments.base_given, "--base", "URDF"},
                            {arguments.drop_tendons, "--drop-tendons", "MJCF"},
                            {!arguments.starts.empty(), "--start", "URDF, MJCF and SDF"},
                            {arguments.balance_inertia, "--balance-inertia", "URDF, MJCF and SDF"},
                            {!arguments.roads.empty(), "--road", "OpenDRIVE"}};
  for (const Option& option : options)
    if (option.given && !format.empty() && std::string(option.formats).find(format) == std::string::npos)
      throw Error(std::string(option.name) + " is for files of " + option.formats + "; " + arguments.file + " is " +
                  format);
}

int runImport(const ImportArguments& arguments) {
  requireOutputs(arguments);
  const ImportedFile imported = importFile(arguments.file, optionsOf(arguments));
  refuseIdle(arguments, imported.format);
  if (!imported.report.failed()) {
    const ModelSyntax syntax = arguments.out.ends_with(".txtpb") ? ModelSyntax::kText : ModelSyntax::kJson;
    const std::string model = writeModel(imported.message, syntax);
    if (arguments.out.empty())
      std::cout << model;
    else
      writeOutput(arguments.out, model);
  }
  writeReport(arguments, imported.report);
  if (imported.report.failed()) return text::kExitUsage;
  return arguments.strict && imported.report.motionLosses() > 0 ? text::kExitFinding : text::kExitOk;
}

}  // namespace

void addImport(CLI::App& model_command, int& exit_code) {
  CLI::App* command = model_command.add_subcommand(
      "import", "Make a model from a URDF, MJCF, SDF or OpenDRIVE file, and report what is lost");
  const auto a = std::make_shared<ImportArguments>();
  command
      ->add_option("FILE", a->file,
                   "A file of URDF, MJCF (.xml), SDF or OpenDRIVE (.xodr); its root element tells which")
      ->required();
  command->add_option("--out", a->out, "File to write, .json or .txtpb; default: standard output as JSON");
  CLI::Option* report = command->add_option(
      "--report", a->report,
      "Print every loss with its line, or write it to a file: JSON if it ends in .json, else words");
  report->expected(0, 1)->type_name("[FILE]");
  CLI::Option* base = command->add_option("--base", a->base, "URDF: the root link is fixed to ground, or free");
  base->check(CLI::IsMember({"fixed", "free"}))->capture_default_str();
  command
      ->add_option("--start", a->starts,
                   "Angle or travel of a joint in the declared state, JOINT=VALUE in rad or m; repeatable")
      ->expected(1)
      ->take_all();
  command->add_flag("--balance-inertia", a->balance_inertia,
                    "Raise the smallest principal moment of a link where it breaks the triangle inequality");
  command->add_flag("--drop-tendons", a->drop_tendons, "MJCF: leave out tendons and what acts on them");
  command->add_option("--road", a->roads, "OpenDRIVE: id of a road to take; repeatable; default: all outside junctions")
      ->expected(1)
      ->take_all();
  command->add_flag("--strict", a->strict, "Exit with 1 if a loss can change the motion");
  command->add_flag("--json", a->json, "Print every loss and error as JSON; without --out on standard error");
  const auto run = [report, base](ImportArguments& arguments) {
    arguments.base_given = base->count() > 0;
    arguments.report_given = report->count() > 0;
    return runImport(arguments);
  };
  onCall(*command, exit_code, a, run);
}

}  // namespace tactus::server
