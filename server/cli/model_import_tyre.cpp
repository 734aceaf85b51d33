#include "server/cli/model_import_tyre.h"

#include "rt/error.h"
#include "server/cli/subcommand.h"
#include "server/model_io/file_in_folder.h"
#include "server/model_io/json_writer.h"
#include "server/model_io/tyre_file.h"

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

namespace tactus::server {
namespace {

struct ImportTyreArguments {
  std::string file;
};

int runImportTyre(const ImportTyreArguments& arguments) {
  const std::filesystem::path path(arguments.file);
  const std::filesystem::path folder = path.parent_path();
  std::string text;
  if (const auto problem = readFileIn(folder, folder, path.filename().string(), kMaxTyreFile, text))
    throw Error(arguments.file + ": " + problem->rule);
  TyreProblem problem;
  const auto properties = readTyre(text, problem);
  if (!properties) {
    const std::string line = problem.line > 0 ? ":" + std::to_string(problem.line) : "";
    std::cerr << fmt::format("{}{}: {}: {}{}\n", arguments.file, line, problem.value, problem.rule,
                             problem.hint.empty() ? "" : " (" + problem.hint + ')');
    return text::kExitUsage;
  }
  v1::Force force;
  force.set_name("tyre");
  fillTyre(*properties, *force.mutable_slip_tyre());
  for (const std::string& name : properties->left_out)
    std::cerr << fmt::format("{}: warning: {}: the tyre leaves it out\n", arguments.file, name);
  if (!properties->side.empty())
    std::cerr << fmt::format("{}: note: measured on the {} side; set mirrored for a wheel on the other\n",
                             arguments.file, properties->side);
  std::cout << writeJson(force);
  return text::kExitOk;
}

}  // namespace

void addImportTyre(CLI::App& model_command, int& exit_code) {
  CLI::App* command = model_command.add_subcommand(
      "import-tyre", "Print a tyre property file (.tir) as a slip_tyre, to be completed with road, body and axis");
  const auto a = std::make_shared<ImportTyreArguments>();
  command->add_option("FILE", a->file, "A file of MF-Tyre 5.2, PAC2002 or MF-Tyre 6")->required();
  onCall(*command, exit_code, a, runImportTyre);
}

}  // namespace tactus::server
