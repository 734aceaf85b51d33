#include "server/cli/written_words.h"

#include "server/cli/option_rules.h"

#include <CLI/CLI.hpp>
#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace tactus::server;
using Words = std::vector<std::string>;

namespace {

/// A program with options of each kind that a word between brackets may reach.
struct Program {
  Program() {
    CLI::App* command = app.add_subcommand("run");
    command->add_option("--signals", split)->delimiter(',');
    command->add_option("--set", list);
    command->add_option("--out", single);
    command->add_flag("--json", json);
    CLI::App* below = command->add_subcommand("below");
    below->add_option_group("group")->add_option("SIGNAL", positional);
    CLI::App* other = app.add_subcommand("hand-on");
    other->prefix_command();
    addRulesOfAllOptions(app);
  }

  void parse(Words words) {
    words.insert(words.begin(), "tactus");
    words = markedWords(app, words);
    app.parse(Words(words.rbegin(), words.rend() - 1));
  }

  CLI::App app{"test"};
  Words split, list, positional;
  std::string single;
  bool json = false;
};

}  // namespace

TEST_CASE("a value between brackets reaches every option as it was written", "[server][cli]") {
  Program program;
  program.parse({"run", "--signals", "[ce]*.[xy],[!a]", "--set", "[a]", "--set", "b", "--set", "[c,d]", "--out=[x]",
                 "below", "[ab]*.[xy]", "z"});
  CHECK(program.split == Words{"[ce]*.[xy]", "[!a]"});
  CHECK(program.list == Words{"[a]", "b", "[c,d]"});
  CHECK(program.single == "[x]");
  CHECK(program.positional == Words{"[ab]*.[xy]", "z"});

  Program joined;
  joined.parse({"run", "--signals=[ce]*.[xy]", "--set=[a]"});
  CHECK(joined.split == Words{"[ce]*.[xy]"});
  CHECK(joined.list == Words{"[a]"});
}

TEST_CASE("no message and no other program sees the mark of a value between brackets", "[server][cli]") {
  Program program;
  CHECK_THROWS_WITH(program.parse({"run", "--json=[a]"}), Catch::Contains("[a]") && !Catch::Contains("\x01"));
  Program extra;
  CHECK_THROWS_AS(extra.parse({"run", "--sgnals=[a]", "[b]"}), CLI::ExtrasError);
  Words extras = extra.app.remaining(true);
  for (std::string& word : extras) word = unmarked(word);
  CHECK(extras == Words{"--sgnals=[a]", "[b]"});
  Program handed;
  handed.parse({"hand-on", "[a]", "--x=[b]"});
  CHECK(handed.app.get_subcommand("hand-on")->remaining() == Words{"[a]", "--x=[b]"});
}
