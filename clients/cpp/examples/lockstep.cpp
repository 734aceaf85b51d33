// Drives a mechanism in lockstep: one input is one tick, so the result does not depend on how fast anybody is.
#include "clients/cpp/client.h"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <numbers>

int main(int argc, char** argv) {
  std::string server = "127.0.0.1:50051", model = "motor_four_bar";
  std::int64_t ticks = 1000;
  double amplitude = 1.0, frequency = 0.5;

  CLI::App app("Drives a mechanism in lockstep with a sine on its first input");
  app.add_option("--server", server, "Where the server listens")->capture_default_str();
  app.add_option("--model", model, "Model to run")->capture_default_str();
  app.add_option("--ticks", ticks, "Ticks to run")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--amplitude", amplitude, "Of the input, in its unit")->capture_default_str();
  app.add_option("--frequency", frequency, "Of the sine, Hz")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  try {
    const tactus::client::Client client(server);
    const auto session = client.createSession(model, tactus::v1::CLOCK_MODE_LOCKSTEP);
    auto tick = session.tick({.inputs = {session.inputs().at(0)}, .outputs = {"energy.total"}});

    // The input of tick n is the sine at the end of that tick: n periods, multiplied and not summed.
    const double period = 1e-9 * static_cast<double>(tick.opened().period_ns());
    double energy = 0.0;
    for (std::int64_t n = 1; n <= ticks; ++n) {
      const double time = static_cast<double>(n) * period;
      const double value = amplitude * std::sin(2.0 * std::numbers::pi * frequency * time);
      energy = tick.step({&value, 1})["energy.total"];
    }
    tick.close();

    const auto status = session.status();
    std::printf("ticks: %lld\nsimulated time: %.9g s\ntotal energy: %.17g J\nstate hash: %s\n",
                static_cast<long long>(status.tick()), 1e-9 * static_cast<double>(status.sim_time_ns()), energy,
                status.state_hash().c_str());
    return 0;
  } catch (const tactus::client::ClientError& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return error.unreachable() ? 3 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
