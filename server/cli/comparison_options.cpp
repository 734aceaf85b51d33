#include "server/cli/comparison_options.h"

#include "proto/text/duration_option.h"
#include "server/cli/model_argument.h"
#include "server/model_io/tuned_model.h"

#include <fmt/format.h>

namespace tactus::server {

void addComparisonOptions(CLI::App& command, ComparisonArguments& arguments) {
  command.add_option("--inputs", arguments.inputs,
                     "CSV of inputs: t and actuator names; a row holds until the next one");
  command.add_option("--set", arguments.sets, "Parameter of the model, NAME=VALUE; repeatable");
  command.add_option("--tolerance", arguments.tolerances,
                     "Largest trusted error, KIND=VALUE, relative to the scale of each quantity; repeatable. Kinds: "
                     "position, rotation, "
                     "velocity, joint, reaction, load, sensor, energy, all. Default: " +
                         Tolerances().text());
  command
      .add_option_function<double>(
          "--tol",
          [&arguments](const double& value) {
            arguments.tolerances.insert(arguments.tolerances.begin(), fmt::format("all={}", value));
          },
          "Short for --tolerance all=VALUE: coordinates VALUE, energy twice, reactions, loads and sensors four times, "
          "velocities five times VALUE")
      ->check(CLI::Range(1e-9, 1.0));
  command
      .add_option_function<std::string>(
          "--budget",
          [&arguments](const std::string& word) {
            try {
              arguments.budget_s = 1e-9 * static_cast<double>(text::parseDuration(word));
            } catch (const std::invalid_argument& error) { throw CLI::ValidationError("--budget", error.what()); }
          },
          "Longest time to spend on the comparison; the report says what the references do not cover")
      ->type_name("DURATION")
      ->default_str("60s");
}

std::optional<ModelDocument> openWithParameters(const std::string& model, const ComparisonArguments& arguments) {
  std::optional<ModelDocument> document = openValidModel(model);
  if (!document || arguments.sets.empty()) return document;
  ModelDocument tuned = withParameters(*document, arguments.sets);
  if (tuned.valid()) return tuned;
  printFindings(tuned, model);
  return std::nullopt;
}

void requireLonger(std::int64_t wanted_ns, const std::string& option, std::int64_t compared_ns) {
  if (wanted_ns > 0 && wanted_ns < compared_ns)
    throw Error("--for " + text::formatDuration(wanted_ns) + ": must be at least " + option + ' ' +
                text::formatDuration(compared_ns) + "; leave it out to judge the time that is compared");
}

Tolerances tolerancesOf(const ComparisonArguments& arguments) {
  Tolerances tolerances;
  for (const std::string& text : arguments.tolerances) tolerances.set(text);
  return tolerances;
}

std::string commandOf(const ComparisonArguments& arguments) {
  std::string command;
  if (!arguments.inputs.empty()) command += " --inputs " + arguments.inputs;
  for (const std::string& set : arguments.sets) command += " --set " + set;
  for (const std::string& tolerance : arguments.tolerances) command += " --tolerance " + tolerance;
  if (arguments.budget_s != ComparisonArguments().budget_s)
    command += fmt::format(" --budget {:g}s", arguments.budget_s);
  return command;
}

}  // namespace tactus::server
