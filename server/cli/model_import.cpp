#include "server/cli/model_import.h"

#include "server/cli/assignment.h"
#include "server/cli/equilibrium_model.h"
#include "server/cli/output_file.h"
#include "server/cli/subcommand.h"
#include "server/import/import_file.h"
#include "server/model_io/model_file.h"

#include <memory>
#include <string>
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
  for (const std::string& word : arguments.starts)
    if (const auto [start, is_new] = options.starts.insert(parseAssignment(word)); !is_new)
      throw Error("--start " + start->first + ": is given twice; a joint has one start");
  return options;
}

/// Where the report goes: to a file, as JSON if it ends so, or in words beside the model.
void writeReport(const ImportArguments& arguments, const ImportReport& report) {
  std::ostream& out = arguments.out.empty() ? std::cerr : std::cout;
  // Without a file the option has an empty value.
  const std::string path = arguments.report.empty() ? "" : arguments.report.front();
  if (!path.empty())
    writeOutput(path, path.ends_with(".json") ? lossJson(report) : lossText(report));
  else if (arguments.report_given && !arguments.json)
    out << lossText(report);
  if (arguments.json)
    out << lossJson(report);
  else
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
  requireModelFileName(arguments.out);
  const ImportedFile imported = importFile(arguments.file, optionsOf(arguments));
  refuseIdle(arguments, imported.format);
  for (const ImportError& error : imported.report.errors()) std::cerr << toString(error) << '\n';
  if (imported.report.failed()) {
    if (arguments.json) std::cout << lossJson(imported.report);
    return text::kExitUsage;
  }
  const ModelSyntax syntax = arguments.out.ends_with(".txtpb") ? ModelSyntax::kText : ModelSyntax::kJson;
  const std::string model = writeModel(imported.message, syntax);
  if (arguments.out.empty())
    std::cout << model;
  else
    writeOutput(arguments.out, model);
  writeReport(arguments, imported.report);
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
  command->add_flag("--json", a->json, "Print every loss as JSON");
  const auto run = [report, base](ImportArguments& arguments) {
    arguments.base_given = base->count() > 0;
    arguments.report_given = report->count() > 0;
    return runImport(arguments);
  };
  onCall(*command, exit_code, a, run);
}

}  // namespace tactus::server
