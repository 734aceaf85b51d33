// What holds for every built-in model: its entry in the gallery, its energies; and the example of a road from a grid
// file.
#include "rt/math/worst.h"
#include "rt/mechanics/degrees_of_freedom.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "server/models/built_in_models.h"
#include "tests/validation/acceptance.h"

#include <fstream>
#include <map>
#include <sstream>

using namespace tactus;
using namespace tactus::tests;

namespace {

const std::string kModels = std::string(TACTUS_SOURCE_DIR) + "/server/models/";
const std::string kGallery = kModels + "gallery/";

std::string textOf(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// From the heading "## NAME" to the next heading of that level.
std::string sectionOf(const std::string& page, const std::string& name) {
  const std::size_t begin = page.find("\n## " + name + "\n");
  if (begin == std::string::npos) return {};
  const std::size_t end = page.find("\n## ", begin + 1);
  return page.substr(begin, end == std::string::npos ? end : end - begin);
}

std::string counted(int n, const std::string& noun) {
  return std::to_string(n) + ' ' + noun + (n == 1 ? "" : "s");
}

/// As the gallery prints them: "3 bodies, 20 rows, rank 17, 1 freedom".
std::string countsOf(const rt::ModelSpec& spec) {
  const rt::Model model = rt::buildModel(spec);
  const rt::DegreesOfFreedom count = rt::countDegreesOfFreedom(model, rt::initialState(model).state);
  return (model.bodyCount() == 1 ? "1 body" : std::to_string(model.bodyCount()) + " bodies") + ", " +
         counted(count.rows, "row") + ", rank " + std::to_string(count.rank) + ", " + counted(count.count, "freedom");
}

/// At the step that the model recommends.
rt::Settings recommended(const rt::ModelSpec& spec) {
  rt::Settings settings = settingsFor(spec.solver.period);
  settings.third_order = spec.solver.third_order;
  return settings;
}

}  // namespace

TEST_CASE("the gallery shows every built-in model with its picture and its counts", "[server][models]") {
  const std::string gallery = textOf(kGallery + "README.md"), sedan = textOf(kGallery + "sedan.md"),
                    hmmwv = textOf(kGallery + "hmmwv.md");
  CHECK(server::builtInModels().size() >= 24);
  for (const server::BuiltInModel& model : server::builtInModels()) {
    INFO(model.name);
    CHECK(textOf(kGallery + model.name + ".png").starts_with("\x89PNG"));
    CHECK(gallery.find("| [" + model.name + "](") != std::string::npos);
    CHECK(gallery.find("\"" + model.name + ".png\"") != std::string::npos);
    // Vehicles have pages of their own; the others are sections of the gallery.
    const bool is_vehicle = model.name == "sedan" || model.name.starts_with("hmmwv");
    const std::string page = model.name == "sedan" ? sedan : is_vehicle ? hmmwv : sectionOf(gallery, model.name);
    CHECK(page.find(countsOf(server::openBuiltInModel(model.name).spec)) != std::string::npos);
  }
}

TEST_CASE("energies of every built-in model add up within 2 % of what the motion exchanges, and within its bound",
          "[server][models]") {
  // Demanded of every model, whatever it does: of the largest change of an energy.
  constexpr double kDemanded = 0.02;
  // Until when, from when (the stiff pendulum's damper takes 9.6 kJ within the first 10 us, which no step resolves),
  // and how far kinetic + potential + dissipated - input may drift, J: three times what it does at the recommended
  // step.
  struct Bound {
    double until, from, drift;
  };
  const std::map<std::string, Bound> bounds = {{"andrews_squeezer", {0.01, 0, 1e-7}},
                                               {"beam_chain", {1, 0, 5e-5}},
                                               {"cantilever", {2, 0, 4e-4}},
                                               {"flexible_arm", {1, 0, 7e-5}},
                                               {"flexible_four_bar", {2, 0, 6e-5}},
                                               {"lateral_buckling", {0.4, 0, 6}},
                                               {"rotating_beam", {16, 0, 30}},
                                               {"rotating_shaft", {1.5, 0, 80}},
                                               {"bricard", {2, 0, 4e-4}},
                                               {"chain", {2, 0, 2e-3}},
                                               {"double_pendulum", {2, 0, 2e-4}},
                                               {"four_bar", {2, 0, 1e-5}},
                                               {"four_bar_up", {2, 0, 2e-7}},
                                               {"gear_train", {2, 0, 1e-3}},
                                               {"hmmwv", {2, 0, 30}},
                                               {"hmmwv_h10", {2, 0, 70}},
                                               {"motor_four_bar", {2, 0, 1e-3}},
                                               {"rack_steering", {2, 0, 1e-3}},
                                               {"sedan", {2, 0, 0.5}},
                                               {"sedan_flexible", {2, 0, 0.5}},
                                               {"slider_crank", {2, 0, 1e-5}},
                                               {"spatial_pendulum", {1, 0, 1e-6}},
                                               {"spin_top", {2, 0, 5e-6}},
                                               {"stiff_double_pendulum", {1, 0.1, 300}}};
  for (const server::BuiltInModel& model : server::builtInModels()) {
    INFO(model.name);
    REQUIRE(bounds.contains(model.name));
    const Bound& bound = bounds.at(model.name);
    const rt::ModelSpec spec = server::openBuiltInModel(model.name).spec;
    const std::vector<std::string> parts = {"energy.kinetic", "energy.potential", "energy.dissipated", "energy.input"};
    std::vector<std::string> signals = parts;
    signals.emplace_back("energy.total");
    const Recording run = record(spec, recommended(spec), bound.until, signals);
    REQUIRE(run.ok);
    const std::vector<double>& energy = run["energy.total"];
    double exchanged = 0;
    for (const std::string& part : parts)
      exchanged = rt::worst(exchanged, std::max(run.highestChange(part), -run.lowestChange(part)));
    const auto first = static_cast<std::size_t>(std::lround(bound.from / spec.solver.period));
    double drift = 0;
    for (std::size_t k = first; k < energy.size(); ++k) drift = rt::worst(drift, std::abs(energy[k] - energy[first]));
    CHECK(drift < bound.drift);
    CHECK(drift < kDemanded * exchanged);
  }
}

TEST_CASE("a wheel rolls over waves from a grid file, lifted by what the disc touches", "[server][models][grid]") {
  const server::ModelDocument document = server::openModel(kModels + "examples/wavy_road.json");
  for (const auto& finding : document.findings) UNSCOPED_INFO(server::toString(finding, "wavy_road.json"));
  REQUIRE(document.findings.empty());
  const Recording run = record(document.spec, settingsFor(1e-3), 4, {"wheel.r.*", "load", "energy.*", "ride"});
  REQUIRE(run.ok);
  const std::vector<double>& load = run["load"];
  const double weight = 330 * kGravity;
  CHECK(load.front() == Approx(weight).epsilon(1e-6));  // the declared state is the equilibrium to seven digits
  CHECK(load[300] == Approx(weight).epsilon(1e-3));     // still on the plane before the waves
  CHECK(*std::max_element(load.begin(), load.end()) > 1.15 * weight);
  CHECK(*std::min_element(load.begin(), load.end()) < 0.8 * weight);
  CHECK(*std::min_element(load.begin(), load.end()) >= 0);

  // Waves of 30 mm, of which the right side has four fifths: on y = 0.25 m the crests are 31.5 mm high.
  double highest = 0;
  for (std::size_t k = 0; k < run.t.size(); ++k) highest = std::max(highest, run["wheel.r.z"][k] - run["wheel.r.z"][0]);
  CHECK(highest > 0.028);
  CHECK(highest < 0.05);
  // The road does work on the wheel, the damper takes it, and what began at rest comes to rest.
  CHECK(run["energy.input"].back() > 50);
  CHECK(std::abs(run["energy.total"].back() - run["energy.total"].front()) < 0.02 * run["energy.dissipated"].back());
}
