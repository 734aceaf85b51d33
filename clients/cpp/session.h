// A handle to one session: one model being run.
#pragma once

#include "clients/cpp/connection.h"
#include "clients/cpp/observation.h"
#include "clients/cpp/tick_stream.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace tactus::client {

/// Made by Client::createSession (deletes the session when it goes) or Client::session (leaves it alone).
/// Safe to use from several threads. Every call throws ClientError where the server refuses.
class Session {
 public:
  enum class Ownership { kDelete, kLeave };

  Session(std::shared_ptr<const Connection> connection, const v1::Session& created, Ownership ownership);
  ~Session();
  Session(Session&& other) noexcept;
  Session& operator=(Session&& other) noexcept;

  const std::string& name() const noexcept { return name_; }

  /// Names of the actuators, in the order of the model.
  const std::vector<std::string>& inputs() const noexcept { return inputs_; }

  /// State, tick, clock, and the state hash where the session is not running.
  v1::Session status() const;

  // A call that is repeated with the same request id takes effect once; without one a fresh id is made.

  v1::Session start(std::string request_id = {}) const;
  v1::Session pause(std::string request_id = {}) const;

  /// Back to tick 0 and the initial state; clears a fault.
  v1::Session reset(std::string request_id = {}) const;

  /// Takes every actuator to its safe value; inputs are left aside from the next tick on.
  v1::Session enterSafeState(std::string request_id = {}) const;
  /// Leaves the safe state: actuators keep their values until the next input.
  v1::Session clearSafeState(std::string request_id = {}) const;

  /// Runs `ticks` of a paused or lockstep session with the inputs held; returns when they are done.
  v1::Session step(std::int64_t ticks, std::string request_id = {},
                   std::chrono::milliseconds deadline = std::chrono::minutes(10)) const;

  /// Ends the session now; nothing remains to do when the handle goes.
  void remove();

  /// The directory: name, unit, frame, causality, description.
  /// @param[in] patterns  names or globs; none for all
  std::vector<v1::Signal> signals(const std::vector<std::string>& patterns = {}) const;

  /// The newest values of some signals.
  Frame read(const std::vector<std::string>& patterns = {"*"}) const;

  /// @param[in] reset  start counting anew after this report
  v1::TimingReport timing(bool reset = false) const;

  // ---- parameters ----

  /// What may be changed while the session runs, with the values of now.
  /// @param[in] names  empty for all
  v1::ParameterReport parameters(const std::vector<std::string>& names = {}) const;

  /// Changes parameters together between two ticks, or none of them.
  /// @returns all of them, and the first tick that uses the values
  /// @throws ClientError with reason PARAMETER_UNKNOWN, NOT_FINITE or VALUE_OUT_OF_RANGE and the field
  v1::ParameterReport setParameters(const std::map<std::string, double>& values, std::string request_id = {}) const;

  // ---- recordings and snapshots ----

  /// Begins to record into a file of the server: the inputs always, and these signals of every n-th tick.
  /// @param[in] name  of the recording; chosen by the server if empty
  /// @returns name and file; Client::stopRecording ends it
  v1::Recording record(const std::vector<std::string>& signals = {}, const std::string& name = {},
                       std::uint32_t every = 1) const;

  /// All that decides the next tick, as of the last one; the session may run meanwhile.
  v1::SessionSnapshot saveSnapshot() const;

  /// Sets the session to a snapshot and leaves it paused: the ticks that follow are bit for bit those that would have
  /// followed.
  /// @param[in] force  although another binary made it
  /// @throws ClientError with reason SNAPSHOT_INCOMPATIBLE and the field that does not fit
  v1::Session restoreSnapshot(const v1::SessionSnapshot& snapshot, bool force = false,
                              std::string request_id = {}) const;

  // ---- streams ----

  /// Opens the control stream: inputs in, states out, at every tick.
  TickStream tick(const TickOptions& options = {}) const;

  /// Agrees on a link by datagrams for a device; clients/udp has what speaks over it. Client::closeLink ends it.
  /// @param[in] request  its session is filled in
  /// @returns address, token, key and layouts
  v1::DeviceLink openLink(v1::OpenDeviceLinkRequest request) const;

  /// Opens a stream of states.
  Observation observe(const ObserveOptions& options = {}) const;

 private:
  std::shared_ptr<const Connection> connection_;
  std::string name_;
  std::vector<std::string> inputs_;
  Ownership ownership_;
};

}  // namespace tactus::client
