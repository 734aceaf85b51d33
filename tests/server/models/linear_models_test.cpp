// The linear systems of built-in models against differences of the equations of motion.
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "rt/offline/analysis/modes.h"
#include "rt/state/actuator_input.h"
#include "server/models/built_in_models.h"
#include "tests/rt/offline/analysis/rate_oracle.h"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::tests;

namespace {

// Short lines: a long one repeats their elements.
const std::vector<std::string> kMechanisms = {"chain:n=4",      "double_pendulum",  "four_bar",     "four_bar_up",
                                              "motor_four_bar", "bricard",          "slider_crank", "spatial_pendulum",
                                              "spin_top",       "andrews_squeezer", "gear_train",   "rack_steering",
                                              "cantilever:n=2", "beam_chain:n=2",   "flexible_arm"};
const std::vector<std::string> kVehiclesAndFlexible = {"hmmwv",
                                                       "hmmwv_h10",
                                                       "sedan",
                                                       "sedan_flexible",
                                                       "stiff_double_pendulum",
                                                       "flexible_four_bar",
                                                       "lateral_buckling",
                                                       "rotating_shaft",
                                                       "rotating_beam"};

void checkInitially(const std::string& name, double step, double bound) {
  const rt::Model model = rt::buildModel(server::openBuiltInModel(name).spec);
  const rt::ActuatorInput input(model);
  CAPTURE(name);
  checkLinearSystem(model, rt::initialState(model).state, input.values, 0, step, bound);
}

}  // namespace

TEST_CASE("the linear systems of built-in models are the derivatives of their equations",
          "[server][models][analysis]") {
  for (const std::string& name : kMechanisms) checkInitially(name, 1e-4, 1e-5);  // round-off of the differences
}

TEST_CASE("the linear systems of vehicles and flexible mechanisms are the derivatives of their equations",
          "[server][models][analysis]") {
  // Steps of 1e-5 stay off the kinks of tyre and road; they leave 1e-4 of round-off.
  for (const std::string& name : kVehiclesAndFlexible) checkInitially(name, 1e-5, 1e-4);
}

TEST_CASE("each built-in model has its linear system compared", "[server][models][analysis]") {
  std::set<std::string> compared;
  for (const auto& names : {kMechanisms, kVehiclesAndFlexible})
    for (const std::string& name : names) compared.insert(name.substr(0, name.find(':')));
  for (const server::BuiltInModel& model : server::builtInModels()) {
    INFO(model.name);
    CHECK(compared.count(model.name) == 1);
  }
}
