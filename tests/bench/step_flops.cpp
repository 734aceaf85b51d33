// Counts the floating-point operations of a step of a chain, measures the peak rate of the machine, and prints the
// share of the peak that a step reaches.
#include "rt/ali3p/compile_plan.h"
#include "rt/ali3p/settings.h"
#include "rt/ali3p/step.h"
#include "rt/ali3p/workspace.h"
#include "rt/mechanics/initial_state.h"
#include "rt/model/model.h"
#include "tests/bench/command_line.h"
#include "tests/bench/counted_lanes.h"
#include "tests/bench/latency_report.h"
#include "tests/support/mechanisms.h"

// Included after the counting lanes, because the kernels are compiled for them here.
#include "rt/ali3p/chain/lanes_of.h"

#include <immintrin.h>

#include <chrono>
#include <cstdio>
#include <iostream>

namespace tactus::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Peak rate, Gflop/s: multiply-adds of ten independent sums, enough to keep every unit busy; the best of many short
// runs. A macro, because the two widths are compiled for two instruction sets.
#define TACTUS_MEASURE_PEAK(Vector, fma, set)                                                                      \
  constexpr int kTurns = 20'000, kBursts = 200;                                                                    \
  constexpr double kFlops = 2.0 * sizeof(Vector) / sizeof(double) * 10 * kTurns;                                   \
  const Vector x = set(0.999), y = set(1e-3);                                                                      \
  Vector a = y, b = y, c = y, d = y, e = y, f = y, g = y, h = y, i = y, j = y;                                     \
  double best = 0;                                                                                                 \
  for (int burst = 0; burst < kBursts; ++burst) {                                                                  \
    const Clock::time_point start = Clock::now();                                                                  \
    for (int turn = 0; turn < kTurns; ++turn) {                                                                    \
      a = fma(a, x, y), b = fma(b, x, y), c = fma(c, x, y), d = fma(d, x, y), e = fma(e, x, y);                    \
      f = fma(f, x, y), g = fma(g, x, y), h = fma(h, x, y), i = fma(i, x, y), j = fma(j, x, y);                    \
      asm volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f), "+v"(g), "+v"(h), "+v"(i), "+v"(j)); \
    }                                                                                                              \
    best = std::max(best, kFlops / static_cast<double>((Clock::now() - start).count()));                           \
  }                                                                                                                \
  return best

[[gnu::noinline]] double peakOfFour() {
  TACTUS_MEASURE_PEAK(__m256d, _mm256_fmadd_pd, _mm256_set1_pd);
}
[[gnu::noinline, gnu::target("avx512f")]] double peakOfEight() {
  TACTUS_MEASURE_PEAK(__m512d, _mm512_fmadd_pd, _mm512_set1_pd);
}

struct Measured {
  int bodies, iterations;
  OperationCount count;
  Percentiles duration;
};

OperationCount countStep(const rt::Model& model, const rt::Plan& plan, const rt::Settings& settings) {
  rt::Workspace ws(model, plan);
  ws.solver.chain = rt::ChainWorkspace(model, *plan.chain, 4, 1);
  ws.solver.chain.lanes = std::make_unique<rt::LanesOf<1>>(*plan.chain);
  rt::State state = rt::initialState(model).state;
  operations() = {};
  rt::step(model, plan, settings, {}, state, ws);
  return operations();
}

Measured measure(int links, int iterations, double period_ms, int rounds) {
  const rt::Model model = rt::buildModel(tests::chain(links));
  const rt::Plan plan = rt::compilePlan(model);
  const rt::Settings settings = rt::chooseSettings(model, static_cast<std::int64_t>(1e6 * period_ms), iterations);
  rt::Workspace ws(model, plan);
  std::vector<std::int64_t> samples;
  for (int round = 0; round < rounds; ++round) {
    rt::State state = rt::initialState(model).state;
    for (int i = 0; i < 50; ++i) {
      const Clock::time_point start = Clock::now();
      rt::step(model, plan, settings, {}, state, ws);
      samples.push_back((Clock::now() - start).count());
    }
  }
  return {links, iterations, countStep(model, plan, settings), percentilesOf(samples)};
}

void run(const std::vector<int>& links, int iterations, double period_ms, int rounds) {
  printEnvironment(std::cout);
  std::vector<Measured> all;
  for (const int n : links) all.push_back(measure(n, iterations, period_ms, rounds));
  const bool wide = __builtin_cpu_supports("avx512f") != 0;
  const double four = peakOfFour(), eight = wide ? peakOfEight() : 0;
  std::printf("multiply-adds at best: %.1f Gflop/s four wide%s", four, wide ? "" : "\n");
  if (wide) std::printf(", %.1f eight wide\n", eight);
  const double peak = std::max(four, eight);
  std::printf("\n%6s %10s %9s %9s %6s %6s %10s %9s %9s %9s %7s\n", "links", "iterations", "add", "mul", "div", "root",
              "flop/body", "min us", "p50 us", "Gflop/s", "share");
  for (const Measured& m : all) {
    const auto flops = static_cast<double>(m.count.total());
    const double rate = flops / static_cast<double>(m.duration.p50);
    std::printf("%6d %10d %9lld %9lld %6lld %6lld %10.0f %9.2f %9.2f %9.1f %6.0f%%\n", m.bodies, m.iterations,
                static_cast<long long>(m.count.additions), static_cast<long long>(m.count.multiplications),
                static_cast<long long>(m.count.divisions), static_cast<long long>(m.count.roots), flops / m.bodies,
                1e-3 * static_cast<double>(m.duration.minimum), 1e-3 * static_cast<double>(m.duration.p50), rate,
                100 * rate / peak);
  }
}

}  // namespace
}  // namespace tactus::bench

int main(int argc, char** argv) {
  std::vector<int> links = {8, 32, 128, 1024};
  int iterations = 3, rounds = 40;
  double period_ms = 10;
  tactus::bench::CommandLine line(
      "Count the floating-point operations of a step of a chain and measure its share of the peak rate");
  line.add("LINKS", links, "links of each chain", {2, 4096})
      .add("--iterations", iterations, "Newton iterations", {1, 100})
      .add("--rounds", rounds, "rounds of 50 steps", {1, 100000})
      .add("--period", period_ms, "time step, ms", {0.01, 1000.0});
  return line.main(argc, argv, [&] { tactus::bench::run(links, iterations, period_ms, rounds); });
}
