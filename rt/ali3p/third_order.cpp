#include "rt/ali3p/third_order.h"

namespace tactus::rt {

namespace {

/// Adds the report of one step to the sum.
void addReport(const StepReport& part, StepReport& all) noexcept {
  if (all.status == TickStatus::kOk) all.status = part.status;
  all.iterations += part.iterations;
  all.factorizations += part.factorizations;
  all.limited += part.limited;
  // std::max keeps its first argument where the second is not a number; here a NaN must not be lost.
  const auto worst = [](double a, double b) noexcept { return b <= a ? a : b; };
  all.increment = worst(all.increment, part.increment);
  all.contraction = worst(all.contraction, part.contraction);
  all.residual = worst(all.residual, part.residual);
  all.velocity_projection = worst(all.velocity_projection, part.velocity_projection);
}

/// Bounds of one thread's share of `count` things.
struct Share {
  std::size_t first, end;
  Share(std::size_t count, const Team& team) noexcept
      : first(count * static_cast<std::size_t>(team.thread) / static_cast<std::size_t>(team.threads)),
        end(count * static_cast<std::size_t>(team.thread + 1) / static_cast<std::size_t>(team.threads)) {}
};

}  // namespace

StepReport combineReports(const StepReport& whole, const StepReport& first, const StepReport& second) noexcept {
  StepReport report;
  for (const StepReport* part : {&whole, &first, &second}) addReport(*part, report);
  return report;
}

void extrapolate(const State& coarse, State& fine, const Team& team) noexcept {
  double* f = fine.values().data();
  const double* c = coarse.values().data();
  const Share values(fine.values().size(), team);
  for (std::size_t k = values.first; k < values.end; ++k) f[k] += (f[k] - c[k]) / 3;  // ali3p (25)
  team.wait();
  const Share bodies(static_cast<std::size_t>(fine.layout().bodies), team);
  for (auto i = static_cast<int>(bodies.first); i < static_cast<int>(bodies.end); ++i)
    fine.p(i) = normalized(fine.p(i));
  team.wait();
}

}  // namespace tactus::rt
