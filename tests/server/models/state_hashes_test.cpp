// The bits of every built-in model, pinned: a change that reorders one sum shows here.
//
// state_hashes.csv holds one line for each model and variant. A commit that changes a hash on purpose says which sum
// changed its order and why, and writes the list anew:
//   TACTUS_WRITE_HASHES=FILE build/release/tests/server/models/test_server_models "[hashes]"
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/state/actuator_input.h"
#include "server/models/built_in_models.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace tactus;

namespace {

struct Variant {
  const char* name;
  int order;
  bool full_newton, gyroscopic;
};
constexpr Variant kVariants[] = {{"plain", 2, false, false},
                                 {"third_order", 3, false, false},
                                 {"fourth_order", 4, false, false},
                                 {"full_newton", 2, true, false},
                                 {"gyroscopic", 2, false, true}};

std::vector<std::string> modelNames() {
  std::vector<std::string> names;
  for (const server::BuiltInModel& model : server::builtInModels())
    if (model.name != "chain") names.push_back(model.name);
  for (const char* chain : {"chain:n=2", "chain:n=8", "chain:n=37", "chain:n=128", "chain:n=500"})
    names.emplace_back(chain);
  return names;
}

/// Inputs within the range of each actuator, moving all the time; any function of the tick alone, without libm.
void setInput(const rt::Model& model, std::int64_t tick, std::vector<double>& input) {
  for (std::size_t i = 0; i < input.size(); ++i) {
    const auto phase = static_cast<double>((tick * static_cast<std::int64_t>(i + 3)) % 200) / 100;  // 0 to 2
    const double swing = phase < 1 ? phase : 2 - phase;                                             // 0 to 1
    const rt::Actuator& actuator = model.actuators[i];
    const double low = std::max(actuator.minimum, -5.0), high = std::min(actuator.maximum, 5.0);
    input[i] = low + (high - low) * swing;
  }
}

std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// One line of the list: "model,variant,model hash,ticks,state hash".
std::string line(const std::string& name, const Variant& variant, int threads) {
  const rt::Model model = rt::buildModel(server::openModel(name).spec);
  rt::Settings settings = rt::chooseSettings(model);
  settings.setOrder(variant.order);
  settings.full_newton = variant.full_newton;
  settings.gyroscopic_tangent = settings.gyroscopic_tangent || variant.gyroscopic;
  const rt::Plan plan = rt::compilePlan(model);
  rt::State state = rt::initialState(model).state;
  rt::Workspace workspace(model, plan, threads);
  std::vector<double> input = rt::ActuatorInput(model).values;
  const int ticks = model.bodyCount() > 200 ? 20 : model.bodyCount() > 30 ? 60 : 200;
  int steps = 0;
  for (; steps < ticks; ++steps) {
    setInput(model, state.tick, input);
    if (rt::step(model, plan, settings, input, state, workspace).status != rt::TickStatus::kOk) break;
  }
  return name + ',' + variant.name + ',' + hex(model.hash) + ',' + std::to_string(steps) + ',' +
         hex(rt::hashState(state));
}

std::vector<std::string> lines(int threads) {
  std::vector<std::string> all;
  for (const std::string& name : modelNames())
    for (const Variant& variant : kVariants) all.push_back(line(name, variant, threads));
  return all;
}

}  // namespace

TEST_CASE("every built-in model has its pinned model hash and state hash", "[server][determinism][hashes]") {
  if (const char* file = std::getenv("TACTUS_WRITE_HASHES")) {
    std::ofstream out(file);
    out << "model,variant,model_hash,ticks,state_hash\n";
    for (const std::string& text : lines(1)) out << text << '\n';
  }
  std::ifstream in(std::string(TACTUS_SOURCE_DIR) + "/tests/server/models/state_hashes.csv");
  REQUIRE(in);
  std::string text;
  std::getline(in, text);
  std::vector<std::string> pinned;
  while (std::getline(in, text)) pinned.push_back(text);
  const std::vector<std::string> found = lines(1);
#ifdef NDEBUG
  CHECK(found == pinned);
#else
  // How a build without NDEBUG, as for a sanitizer, rounds and fuses products is its own: so are its bits.
  CHECK(found.size() == pinned.size());
#endif
}

TEST_CASE("two and three threads give every built-in model the hashes of one thread", "[server][determinism][hashes]") {
  const std::vector<std::string> one = lines(1);
  for (const int threads : {2, 3}) {
    CAPTURE(threads);
    CHECK(lines(threads) == one);
  }
}
