// ModelExchange: hands a compiled model with other parameters to the tick, which takes the pointer between two ticks.
#pragma once

#include "rt/loop/compiled_model.h"

#include <atomic>
#include <cstdint>

namespace tactus::rt {

/// What a step runs with.
struct ModelParts {
  const Model* model;
  const Plan* plan;
  Workspace* workspace;
  std::uint64_t version = 0;  ///< 0: of the model that the loop was made with
};

/// Neither side ever waits for the other.
class ModelExchange {
 public:
  /// @param initial  version 0
  explicit ModelExchange(const ModelParts& initial) noexcept : initial_(initial), parts_(initial) {}

  ModelExchange(const ModelExchange&) = delete;
  ModelExchange& operator=(const ModelExchange&) = delete;

  // ---- one thread at a time: the one that changes parameters; @rt wait-free ----

  /// The next tick begins with `next`, which must have the structure of the initial Model and must outlive its use. The
  /// model before is no longer used once version() returns the version of `next`.
  void offer(CompiledModel& next) noexcept { next_.store(&next, std::memory_order_release); }

  /// Withdraws an offer. @returns false if a tick has taken it already
  bool withdraw() noexcept { return next_.exchange(nullptr, std::memory_order_acq_rel) != nullptr; }

  // ---- any thread ----

  /// Version of the model in use.
  std::uint64_t version() const noexcept { return version_.load(std::memory_order_acquire); }

  /// The first tick that the model in use has made or will make; 0 for the initial model.
  std::int64_t firstTick() const noexcept { return first_tick_.load(std::memory_order_relaxed); }

  /// Index of the newest publication before firstTick().
  std::uint64_t publicationBefore() const noexcept { return publication_before_.load(std::memory_order_relaxed); }

  // ---- the tick thread; any thread while no tick runs ----

  const ModelParts& parts() const noexcept { return parts_; }

  /// Begins to use an offered model, if there is one. @rt wait-free, no allocation
  /// @param tick         that is about to run
  /// @param publication  the newest one
  void take(std::int64_t tick, std::uint64_t publication) noexcept {
    if (!next_.load(std::memory_order_relaxed)) return;
    // Null if the offer was withdrawn in between.
    if (CompiledModel* const next = next_.exchange(nullptr, std::memory_order_acq_rel)) use(next, tick, publication);
  }

  /// Uses `next`, or the initial model for null, and drops an offer.
  void set(CompiledModel* next, std::int64_t tick, std::uint64_t publication) noexcept {
    next_.store(nullptr, std::memory_order_relaxed);
    use(next, tick, publication);
  }

 private:
  void use(CompiledModel* next, std::int64_t tick, std::uint64_t publication) noexcept {
    parts_ = next ? ModelParts{next->model.get(), next->plan.get(), next->workspace.get(), next->version} : initial_;
    first_tick_.store(next ? tick : 0, std::memory_order_relaxed);
    publication_before_.store(publication, std::memory_order_relaxed);
    version_.store(parts_.version, std::memory_order_release);
  }

  const ModelParts initial_;
  ModelParts parts_;
  std::atomic<CompiledModel*> next_{nullptr};
  std::atomic<std::uint64_t> version_{0}, publication_before_{0};
  std::atomic<std::int64_t> first_tick_{0};
};

}  // namespace tactus::rt
