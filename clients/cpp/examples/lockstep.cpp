// Drives a mechanism in lockstep: one input is one tick, so the result does not depend on the speed of the client.
#include "clients/cpp/client.h"
#include "clients/cpp/examples/run_example.h"
#include "clients/cpp/examples/signal_watch.h"
#include "clients/cpp/server_options.h"
#include "proto/text/duration_option.h"

#include <fmt/core.h>

#include <cmath>
#include <cstdint>
#include <numbers>

namespace {

constexpr std::int64_t kMostTicks = 1'000'000'000;  // half a day of round trips

struct Choices {
  tactus::client::Credentials credentials = tactus::client::Credentials::fromEnvironment();
  std::string server = "127.0.0.1:50051", model = "motor_four_bar";
  std::int64_t ticks = 1000;
  double amplitude = 1.0, frequency = 0.5;  // unit of the input, Hz
};

void drive(const Choices& choices) {
  const tactus::client::Client client(choices.server, {.credentials = choices.credentials});
  const auto session = client.createSession(choices.model, tactus::v1::CLOCK_MODE_LOCKSTEP);
  auto tick = session.tick({.inputs = {tactus::example::firstInput(session)}, .outputs = {"energy.total"}});
  const tactus::example::SignalWatch watch(tick);

  // The input of tick n is the sine at the end of that tick: n periods, multiplied and not summed.
  const double period = 1e-9 * static_cast<double>(tick.opened().period_ns());
  double energy = 0.0;
  for (std::int64_t n = 1; n <= choices.ticks; ++n) {
    const double time = static_cast<double>(n) * period;
    const double value = choices.amplitude * std::sin(2.0 * std::numbers::pi * choices.frequency * time);
    energy = tick.step({&value, 1})["energy.total"];
  }
  tick.close();

  const auto status = session.status();
  fmt::print("ticks: {}\nsimulated time: {:.9g} s\ntotal energy: {:.17g} J\nstate hash: {}\n", status.tick(),
             1e-9 * static_cast<double>(status.sim_time_ns()), energy, status.state_hash());
}

}  // namespace

int main(int argc, char** argv) {
  Choices choices;
  CLI::App app("Drives a mechanism in lockstep with a sine on its first input");
  tactus::client::addServerOption(app, choices.server, choices.credentials);
  app.add_option("--model", choices.model, "Model to run")->capture_default_str();
  app.add_option("--ticks", choices.ticks, "Ticks to run")
      ->check(CLI::Range(std::int64_t{1}, kMostTicks))
      ->capture_default_str();
  app.add_option("--amplitude", choices.amplitude, "Amplitude of the sine, in the unit of the input")
      ->capture_default_str();
  tactus::text::addFrequency(app, "--frequency", choices.frequency, "Frequency of the sine, e.g. 0.5Hz");
  return tactus::example::runExample(app, argc, argv, [&] {
    tactus::example::SignalWatch::block();
    drive(choices);
  });
}
