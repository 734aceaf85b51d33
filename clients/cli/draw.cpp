#include "clients/cli/draw.h"

#include "clients/cli/node_program.h"
#include "clients/cli/remote.h"

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {
namespace {

struct DrawChoices {
  std::vector<std::string> models;
  std::string out, at = "0s", initial, size = "1280x720";
  bool dark = false;
};

int draw(const DrawChoices& choices) {
  std::vector<std::string> words{"--program", std::filesystem::read_symlink("/proc/self/exe").string(),
                                 "--out",     choices.out,
                                 "--at",      choices.at,
                                 "--initial", choices.initial,
                                 "--size",    choices.size};
  for (const std::string& model : choices.models) words.insert(words.end(), {"--model", model});
  if (choices.dark) words.push_back("--dark");
  return becomeNodeProgram("draw.cjs", words);
}

}  // namespace

void addDrawCommand(CLI::App& model, int& exit_code) {
  auto choices = std::make_shared<DrawChoices>();
  CLI::App* command = model.add_subcommand("draw", "Draw a model as the live view shows it; needs Node and Chromium");
  command
      ->add_option("MODEL", choices->models,
                   "Built-in model, or a .json or .txtpb file; MODEL@TIME has its own time, e.g. chain@0.6s")
      ->required();
  command
      ->add_option("--out", choices->out, "Picture to write, .png or .svg; or a folder, FOLDER/, for NAME.png of each")
      ->required();
  command->add_option("--at", choices->at, "Simulated time of the picture, e.g. 0.5s")->capture_default_str();
  command->add_option("--initial", choices->initial, "Named initial condition of the model");
  command->add_option("--size", choices->size, "Width and height in pixels")->capture_default_str();
  command->add_flag("--dark", choices->dark, "Dark background");
  onCall(*command, exit_code, [choices] { return draw(*choices); });
}

}  // namespace tactus::client
