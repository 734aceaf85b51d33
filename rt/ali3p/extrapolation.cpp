#include "rt/ali3p/extrapolation.h"

#include "rt/math/lanes.h"

namespace tactus::rt {

namespace {

/// Bounds of one thread's share of `count` things.
struct Share {
  std::size_t first, end;
  Share(std::size_t count, const Team& team) noexcept
      : first(count * static_cast<std::size_t>(team.thread) / static_cast<std::size_t>(team.threads)),
        end(count * static_cast<std::size_t>(team.thread + 1) / static_cast<std::size_t>(team.threads)) {}
};

}  // namespace

void addReport(const StepReport& part, StepReport& all) noexcept {
  if (all.status == TickStatus::kOk) all.status = part.status;
  all.iterations += part.iterations;
  all.factorizations += part.factorizations;
  all.limited += part.limited;
  all.increment = worst(all.increment, part.increment);
  all.contraction = worst(all.contraction, part.contraction);
  all.residual = worst(all.residual, part.residual);
  all.velocity_projection = worst(all.velocity_projection, part.velocity_projection);
}

void extrapolate(int order, const State* coarser, State& finest, const Team& team) noexcept {
  double* f = finest.values().data();
  const double* whole = coarser[0].values().data();
  const Share values(finest.values().size(), team);
  if (order == 3) {
    for (std::size_t k = values.first; k < values.end; ++k) f[k] += (f[k] - whole[k]) / 3;  // ali3p (25)
  } else {
    const double* halves = coarser[1].values().data();
    for (std::size_t k = values.first; k < values.end; ++k)
      f[k] += (16 * (f[k] - halves[k]) - (f[k] - whole[k])) / 12;  // ali3p (25)
  }
  team.wait();
  const Share bodies(static_cast<std::size_t>(finest.layout().bodies), team);
  for (auto i = static_cast<int>(bodies.first); i < static_cast<int>(bodies.end); ++i)
    finest.p(i) = normalized(finest.p(i));
  team.wait();
}

}  // namespace tactus::rt
