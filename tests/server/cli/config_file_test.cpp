// Covers: server/cli/serve.cpp, server/cli/config_lines.cpp
#include "server/cli/config_file.h"

#include "server/cli/option_rules.h"
#include "server/cli/serve.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace tactus::server;

namespace {

struct Choices {
  std::string model = "sedan", cpus;
  std::vector<std::string> sets;
  int iterations = 0;
  bool paused = false;
};

/// A command with options of each kind, and a file beside it.
class Configured {
 public:
  explicit Configured(const std::string& text) : app("test") {
    char name[] = "/tmp/tactus_config_XXXXXX";
    const int descriptor = ::mkstemp(name);
    REQUIRE(descriptor >= 0);
    path = name;
    std::ofstream(path) << text;
    command = app.add_subcommand("serve");
    command->add_option("MODEL", choices.model);
    command->add_option("--cpu", choices.cpus);
    command->add_option("--set", choices.sets);
    command->add_option("--iterations", choices.iterations)->check(CLI::Range(1, 9));
    command->add_flag("--paused", choices.paused);
    command->add_option("--config", config)->configurable(false);
    addRulesOfAllOptions(app);
  }
  ~Configured() { std::filesystem::remove(path); }
  Configured(const Configured&) = delete;
  Configured& operator=(const Configured&) = delete;

  /// The findings, without the path of the file.
  std::string read(std::vector<std::string> words = {}) {
    words.insert(words.begin(), {"--config", path});
    std::string findings = readConfigFile(*command, words);
    for (std::size_t at = 0; (at = findings.find(path)) != std::string::npos;)
      findings.replace(at, path.size(), "FILE");
    if (!findings.empty()) return findings;
    words.insert(words.begin(), "serve");
    std::vector<std::string> reversed(words.rbegin(), words.rend());
    app.parse(reversed);
    return {};
  }

  CLI::App app;
  CLI::App* command;
  Choices choices;
  std::string path, config;
};

}  // namespace

TEST_CASE("a configuration file sets options, and the command line replaces them", "[server][cli]") {
  const std::string text =
      "# a comment\n"
      "model = \"four_bar\"\n"
      "cpu = \"0,2-3\"\n"
      "set = [\"a=1\", \"b=2\"]\n"
      "iterations = 5  # of a step\n"
      "paused = true\n";
  Configured alone(text);
  REQUIRE(alone.read() == "");
  CHECK(alone.choices.model == "four_bar");
  CHECK(alone.choices.cpus == "0,2-3");
  CHECK(alone.choices.sets == std::vector<std::string>{"a=1", "b=2"});
  CHECK(alone.choices.iterations == 5);
  CHECK(alone.choices.paused);

  Configured both(text);
  REQUIRE(both.read({"motor_four_bar", "--set", "c=3", "--iterations", "7", "--paused=false"}) == "");
  CHECK(both.choices.model == "motor_four_bar");
  CHECK(both.choices.cpus == "0,2-3");
  CHECK(both.choices.sets == std::vector<std::string>{"c=3"});
  CHECK(both.choices.iterations == 7);
  CHECK_FALSE(both.choices.paused);
}

TEST_CASE("every wrong line of a configuration file is a finding with its number", "[server][cli]") {
  Configured wrong(
      "model = \"four_bar\"\n"
      "iteration = 5\n"
      "iterations = 12\n"
      "paused = 3\n"
      "cpu = \"1\"\n"
      "\n"
      "cpu = \"2\"\n"
      "config = \"other.toml\"\n"
      "[serve]\n");
  const std::string findings = wrong.read();
  CHECK_THAT(findings, Catch::Contains("FILE:2: iteration: unknown; did you mean iterations?") &&
                           Catch::Contains("FILE:3: iterations: ") &&
                           Catch::Contains("FILE:4: paused: must be true or false") &&
                           Catch::Contains("FILE:7: cpu: was given in line 5 already") &&
                           Catch::Contains("FILE:8: config: unknown") &&
                           Catch::Contains("FILE:9: [serve]: there are no sections"));
  CHECK(readConfigFile(*wrong.command, {"--config=/nowhere/tactus.toml"}) ==
        "/nowhere/tactus.toml: cannot be read: No such file or directory");
  CHECK(readConfigFile(*wrong.command, {"--config=/proc"}) ==
        "/proc: cannot be read: it is a folder; give the path of a file in it");
  CHECK(readConfigFile(*wrong.command, {"four_bar"}) == "");
  CHECK_THAT(Configured("tls.client-ca = \"ca.crt\"\n").read(),
             Catch::Contains("FILE:1: tls.client-ca: unknown") && Catch::Contains("no dots"));
  CHECK(Configured("[[x]]\na = 1\n").read() == "FILE:1: [[x]]: there are no sections in this file");
  CHECK(Configured("model = \"sedan\"\nmodel = \"hmmwv\"\n").read() == "FILE:2: model: was given in line 1 already");
  Configured quoted("cpu = \"a # b\" # c\nset = ['x=\"1\"', \"y#2\"]\n");
  CHECK(quoted.read() == "");
  CHECK(quoted.choices.cpus == "a # b");
  CHECK(quoted.choices.sets == std::vector<std::string>{"x=\"1\"", "y#2"});
  CHECK(Configured("\xEF\xBB\xBF"
                   "iterations = 5\n")
            .read() == "");
}

TEST_CASE("a value of a wrong type is a finding that names the type", "[server][cli]") {
  const auto finding = [](const std::string& line) { return Configured(line + "\n").read(); };
  for (const char* text : {"5", "four_bar", "true", "1ms", "\"a\" \"b\""})
    CHECK_THAT(finding(std::string("model = ") + text), Catch::StartsWith("FILE:1: model: must be a text in quotes"));
  for (const char* text : {"\"four_bar", "'four_bar", "\"four_bar'", "\"four_bar # a comment", "\""})
    CHECK(finding(std::string("model = ") + text) == "FILE:1: model: the text has no closing quote");
  CHECK(finding("set = [\"a=1\", \"b=2]") == "FILE:1: set: the text has no closing quote");
  CHECK(finding("cpu = 2") == "FILE:1: cpu: must be a text in quotes, such as \"2\"");
  CHECK(finding("model = [\"four_bar\", \"sedan\"]") == "FILE:1: model: must be one value, not a list");
  CHECK(finding("iterations = [5]") == "FILE:1: iterations: must be one value, not a list");
  for (const char* number : {"\"5\"", "5.5", "five", "true", "-"})
    CHECK(finding(std::string("iterations = ") + number) ==
          "FILE:1: iterations: must be a whole number, without quotes");
  for (const char* flag : {"1", "\"true\"", "yes", "[true]"})
    CHECK(finding(std::string("paused = ") + flag) == "FILE:1: paused: must be true or false, without quotes");
  CHECK(finding("set = [\"a=1\", 2]") == "FILE:1: set: each value of the list must be a text in quotes, such as \"2\"");
  CHECK(finding("set = [\"a=1\"") == "FILE:1: set: is a list without an end; add ]");
  for (const char* line : {"paused", "model =", "model = # sedan"})
    CHECK_THAT(finding(line), Catch::Contains("has no value; a line is KEY = VALUE"));

  Configured several("set = [  # of the car\n  \"a=1\",\n  'b=#2',\n]\niterations = 5\npaused = 2\n");
  CHECK(several.read() == "FILE:6: paused: must be true or false, without quotes");
  Configured right("set = [\"a=1\",\n  'b=2']\niterations = 5\n\"cpu\" = '1'  # one\n");
  CHECK(right.read() == "");
  CHECK(right.choices.sets == std::vector<std::string>{"a=1", "b=2"});
}

TEST_CASE("a text between brackets in a configuration file is one value", "[server][cli]") {
  Configured list("set = [\"[ac].r.[xy]\", '[!b]*', \"[d,e]\"]\nmodel = \"[x]\"\n");
  REQUIRE(list.read() == "");
  CHECK(list.choices.sets == std::vector<std::string>{"[ac].r.[xy]", "[!b]*", "[d,e]"});
  CHECK(list.choices.model == "[x]");
  Configured alone("set = \"[ac].r.[xy]\"\n");
  REQUIRE(alone.read() == "");
  CHECK(alone.choices.sets == std::vector<std::string>{"[ac].r.[xy]"});
}

TEST_CASE("a whole number in a configuration file has no leading zero, as in TOML", "[server][cli]") {
  CHECK(Configured("iterations = 07\n").read() ==
        "FILE:1: iterations: has a leading zero; write the number without it");
  CHECK(Configured("iterations = 0x7\n").read() == "FILE:1: iterations: must be a whole number, without quotes");
  CHECK(Configured("iterations = 99999999999999999999\n").read() ==
        "FILE:1: iterations: is beyond the whole numbers of 64 bits");
  Configured plus("iterations = +7\n");
  REQUIRE(plus.read() == "");
  CHECK(plus.choices.iterations == 7);
}

TEST_CASE("the configuration of the package has every option of tactus serve, with a valid value", "[server][cli]") {
  std::ifstream file(TACTUS_SOURCE_DIR "/docker/package/tactus.toml");
  REQUIRE(file);
  // What is commented out is a valid line, too.
  std::string line, text;
  std::set<std::string> keys;
  while (std::getline(file, line)) {
    const bool out = line.starts_with("#") && !line.starts_with("# ");
    text += (out ? line.substr(1) : line) + '\n';
    if (!line.starts_with("# ") && line.find(" = ") != std::string::npos)
      keys.insert(line.substr(out ? 1 : 0, line.find(" = ") - (out ? 1 : 0)));
  }
  Configured whole(text);
  int exit_code = 0;
  CLI::App app("test");
  addServeCommand(app, exit_code, [](const auto&, const auto&) { return nullptr; });
  CLI::App& serve = *app.get_subcommand("serve");
  CHECK(readConfigFile(serve, {"--config", whole.path}) == "");
  for (const CLI::Option* option : serve.get_options()) {
    const std::string key = option->get_lnames().empty() ? "model" : option->get_lnames().front();
    if (key == "help" || key == "config") continue;
    INFO(key);
    CHECK(keys.erase(key) == 1);
  }
  CHECK(keys.empty());
}
