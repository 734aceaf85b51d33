// The experiments of the papers on the solver of the tick and on the offline methods: one command for each paper, one
// table for each experiment. rt/doc/experiments.md leads to the results.
#include "rt/error.h"
#include "tests/bench/command_line.h"
#include "tests/bench/papers/runs.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>

using namespace tactus;
using namespace tactus::bench;

namespace {

const std::map<std::string, std::vector<Experiment> (*)()> kPapers = {{"dca3", ali3pExperiments},
                                                                      {"mcs", minimalExperiments},
                                                                      {"mse", implicitExperiments},
                                                                      {"rn", rosenbrockExperiments},
                                                                      {"tan", tangentExperiments}};

void run(const Request& request, const std::vector<std::string>& wanted) {
  const std::vector<Experiment> all = kPapers.at(request.paper)();
  for (const std::string& name : wanted)
    if (std::none_of(all.begin(), all.end(), [&](const Experiment& e) { return name == e.name; })) {
      std::string known;
      for (const Experiment& e : all) known += std::string(" ") + e.name;
      throw Error("paper " + request.paper + " has no table \"" + name + "\"; its tables are" + known);
    }
  for (const Experiment& e : all)
    if (wanted.empty() || std::find(wanted.begin(), wanted.end(), e.name) != wanted.end()) e.run(request);
}

}  // namespace

int main(int argc, char** argv) {
  CommandLine line("Compute the figures and tables of a paper");
  Request request;
  std::vector<std::string> papers, tables;
  for (const auto& [name, experiments] : kPapers) papers.push_back(name);
  line.choice("PAPER", request.paper, papers, "the paper, as in rt/doc/experiments.md")
      .required()
      .add("TABLE", tables, "its tables; all of them without this")
      .folder("--out", request.folder, "write each table as PAPER_TABLE.csv into this folder")
      .flag("--brief", request.brief, "only some rows of each table, quickly computed");
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // print each result as soon as it is known
  return line.main(argc, argv, [&] { run(request, tables); });
}
