#include "server/cli/option_rules.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

using namespace tactus::server;

namespace {

/// A command with one option of whole numbers of each type, two commands below the program.
struct Program {
  Program() {
    CLI::App* command = app.add_subcommand("session")->add_subcommand("create");
    command->add_option("--signed", signed_number);
    command->add_option("--unsigned", unsigned_number);
    command->add_option("--maybe", maybe);
    command->add_option("--list", list);
    command->add_option("--every", every)->check(atLeast(1));
    command->add_option("--range", range)->check(CLI::Range(0, 99));
    command->add_option("--name", name);
    command->add_option("--scale", scale);
    addRulesOfAllOptions(app);
  }

  /// @returns the refusal of the words, empty if there is none
  std::string refusal(std::vector<std::string> words) {
    words.insert(words.begin(), {"session", "create"});
    try {
      app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    } catch (const CLI::Error& error) { return error.what(); }
    return {};
  }

  CLI::App app{"test"};
  std::int64_t signed_number = 0, every = 1;
  std::uint64_t unsigned_number = 0;
  std::optional<int> maybe;
  std::vector<int> list;
  int range = 0;
  double scale = 0;
  std::string name;
};

}  // namespace

TEST_CASE("a whole number is read in decimal, and one that is not written so is refused", "[server][cli]") {
  Program program;
  CHECK(program.refusal({"--signed", "-9223372036854775808", "--unsigned", "18446744073709551615", "--maybe", "+12",
                         "--list", "0", "--list", "-5", "--every", "10", "--range", "99", "--name", "010", "--scale",
                         "010"}) == "");
  CHECK(program.signed_number == std::numeric_limits<std::int64_t>::min());
  CHECK(program.unsigned_number == std::numeric_limits<std::uint64_t>::max());
  CHECK(program.maybe == 12);
  CHECK(program.list == std::vector<int>{0, -5});
  CHECK(program.every == 10);
  CHECK(program.name == "010");
  CHECK(program.scale == 10);

  for (const char* option : {"--signed", "--unsigned", "--maybe", "--list", "--every", "--range"}) {
    INFO(option);
    for (const char* word : {"010", "007", "+07", "00"})
      CHECK(Program().refusal({option, word}) ==
            std::string(option) + ": " + word + " has a leading zero; write the number without it");
    CHECK_THAT(Program().refusal({option, "0x10"}), Catch::Contains("0x10 must be a whole number"));
    for (const char* word : {"1 ", "1e3", "99999999999999999999"}) CHECK(Program().refusal({option, word}) != "");
  }
  for (const char* option : {"--signed", "--unsigned", "--every"})
    CHECK(Program().refusal({option, "99999999999999999999"}) ==
          std::string(option) + ": 99999999999999999999 is beyond the whole numbers of 64 bits");
  CHECK_THAT(Program().refusal({"--signed", "-9223372036854775809"}), Catch::Contains("beyond the whole numbers"));
  CHECK_THAT(Program().refusal({"--unsigned=-1"}), Catch::Contains("-1 must be a whole number"));
  CHECK(Program().refusal({"--every", "0"}) == "--every: 0 must be a whole number of at least 1");
  CHECK(Program().refusal({"--every", "one"}) == "--every: one must be a whole number of at least 1");
}

TEST_CASE("a list takes one word each time it is given, so that the next one is the argument of the command",
          "[server][cli]") {
  CLI::App app{"test"};
  std::string model;
  std::vector<std::string> sets, several;
  app.add_option("MODEL", model);
  app.add_option("--set", sets);
  app.add_option("--interface", several)->expected(1, 10);
  addRulesOfAllOptions(app);
  const auto parse = [&app](std::vector<std::string> words) {
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  };
  parse({"--set", "a=1", "--set", "b=2", "spin_top"});
  CHECK(model == "spin_top");
  CHECK(sets == std::vector<std::string>{"a=1", "b=2"});
  parse({"spin_top", "--interface", "a", "b"});
  CHECK(several == std::vector<std::string>{"a", "b"});
  CHECK_THROWS_AS(parse({"spin_top", "--set", "a=1", "b=2"}), CLI::ExtrasError);
}

TEST_CASE("an empty value is refused where a command refuses empty values", "[server][cli]") {
  CLI::App app{"test"};
  std::string name;
  app.add_option("--name", name);
  refuseEmptyValues(app);
  CHECK_THROWS_WITH(app.parse(std::vector<std::string>{"", "--name"}), Catch::Contains("--name: is empty"));
}
