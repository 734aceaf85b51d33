// ModelSwap: parameters of a running session. The new model is compiled here, and the loop exchanges a pointer.
#pragma once

#include "rt/loop/compiled_model.h"
#include "rt/loop/tick_loop.h"
#include "rt/signals/model_versions.h"
#include "server/model_io/tuned_model.h"
#include "server/session/session_feed.h"
#include "server/session/session_setup.h"

#include "tactus/v1/model.pb.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

namespace tactus::server {

/// tuning() may be called by any thread, all other members by one thread at a time.
class ModelSwap {
 public:
  /// @param versions  gets each model that the loop runs
  /// @param threads   that share a step
  ModelSwap(const SessionSpec& spec, rt::TickLoop& loop, SessionFeed& feed, rt::ModelVersions& versions, int threads);

  /// The parameters in force.
  struct Tuning {
    std::shared_ptr<const rt::Model> model;
    v1::Model message;            ///< with the values; empty if the session was made without a message
    std::int64_t first_tick = 0;  ///< that used them; 0: since the beginning
  };
  Tuning tuning() const;

  /// A model ready to run, and its message.
  struct Candidate {
    std::unique_ptr<rt::CompiledModel> compiled;
    v1::Model message;
  };

  /// Applies values to the parameters in force and compiles the result. Readers find the new model from here on.
  /// @param field  of the request, for the error
  /// @throws RequestError naming the element of `field` that the model does not take
  Candidate prepare(const ParameterValues& values, const std::string& field);

  /// Offers the candidate to the thread that ticks and waits for the tick that takes it.
  /// @param ticking  whether a thread ticks
  /// @param period   wall-clock time between two ticks
  /// @returns false if no thread ticks; the loop has not taken the candidate then
  /// @throws RequestError kSessionState if no tick comes in time; nothing has changed then
  bool handOver(const Candidate& candidate, const std::function<bool()>& ticking, std::chrono::nanoseconds period);

  /// Gives the candidate to a loop that does not tick: the next tick uses it.
  void install(const Candidate& candidate) { loop_.setModel(candidate.compiled.get()); }

  /// Keeps the candidate and frees what ran before. Installs it, unless the loop runs it already. An empty candidate
  /// stands for the model that the session was made with.
  /// @param first_tick  that uses the candidate
  void use(Candidate candidate, std::int64_t first_tick);

 private:
  const SessionSpec& spec_;
  rt::TickLoop& loop_;
  SessionFeed& feed_;
  const int threads_;
  rt::ModelVersions& versions_;
  std::unique_ptr<rt::CompiledModel> current_;  ///< what the loop runs; null for the model of the beginning
  std::uint64_t next_version_ = 1;
  mutable std::mutex mutex_;
  Tuning tuning_;
};

}  // namespace tactus::server
