// A handle to one session: a model that runs on the server.
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

/// Inputs and outputs of a block of ticks.
struct BlockOptions {
  std::vector<std::string> inputs;   ///< names of actuators; the others keep their values
  std::vector<double> rows;          ///< one row for each tick, one after the other; a row has a value for each input
  std::vector<std::string> outputs;  ///< names or globs
  std::uint32_t every = 1;           ///< a row of outputs at every n-th tick
  std::string controller;            ///< name, shown to observers
};

/// Outputs of a block of ticks.
struct Block {
  std::vector<std::string> names;   ///< of the values of a row
  std::vector<std::int64_t> ticks;  ///< number of the tick of each row
  std::vector<double> values;       ///< one row after the other, in SI units
};

/// Made by Client::createSession, whose handle deletes the session in its destructor, or by Client::session, whose
/// handle does not. Safe to use from several threads. Every call throws ClientError if the server refuses it.
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

  /// State, tick and clock; for a session that is not running also the state hash.
  v1::Session status() const;

  // A call that is repeated with the same request id takes effect once. An empty id is replaced by a new one.

  /// Prints a warning to stderr if the session asked for a real-time class and did not get it.
  v1::Session start(std::string request_id = {}) const;
  v1::Session pause(std::string request_id = {}) const;

  /// Back to tick 0 and the initial state; clears a fault.
  v1::Session reset(std::string request_id = {}) const;

  /// Takes every actuator to its safe value; inputs are ignored from the next tick on.
  v1::Session enterSafeState(std::string request_id = {}) const;
  /// Leaves the safe state: actuators keep their values until the next input.
  v1::Session clearSafeState(std::string request_id = {}) const;

  /// Runs `ticks` ticks of a paused or lockstep session with held inputs; returns after the last one.
  v1::Session step(std::int64_t ticks, std::string request_id = {},
                   std::chrono::milliseconds deadline = std::chrono::minutes(10)) const;

  /// Runs a block of ticks of a session in lockstep, each with a row of inputs: the bits of TickStream::step() for each
  /// row, without a round trip for each tick. At most 100 000 ticks and 4 MiB of rows.
  /// @param[out] block  the rows of all ticks; after an error, of the ticks before it
  /// @throws ClientError
  void run(std::int64_t ticks, const BlockOptions& options, Block& block,
           std::chrono::milliseconds deadline = std::chrono::minutes(10)) const;

  /// Deletes the session now instead of in the destructor.
  void remove();

  /// The session stays when this handle is destroyed.
  void leave() noexcept { ownership_ = Ownership::kLeave; }

  /// The signal directory: name, unit, frame, causality, description.
  /// @param[in] patterns  names or globs; empty: every signal
  std::vector<v1::Signal> signals(const std::vector<std::string>& patterns = {}) const;

  /// The newest values of signals.
  Frame read(const std::vector<std::string>& patterns = {"*"}) const;

  /// The surface of a road under points: at most 10 000 in one call.
  /// @param[in] points  x, y and z of each, world frame, m
  /// @param[in] road    name; empty: the only road of the model
  /// @throws ClientError with reason REQUEST_INVALID and the field
  v1::QueryRoadResponse road(const std::vector<double>& points, const std::string& road = {}) const;

  /// The linear system about the newest tick, which the session does not notice; on request with modes and frequency
  /// response. Or the equilibrium or the trim from there, with a snapshot for restoreSnapshot().
  /// @param[in] request  the session is filled in
  /// @throws ClientError with reason ANALYSIS_FAILED at a singular pose and without an equilibrium, LIMIT_EXCEEDED for
  /// a model that is too large
  v1::AnalyseResponse analyse(v1::AnalyseRequest request = {},
                              std::chrono::milliseconds deadline = std::chrono::minutes(1)) const;

  /// @param[in] reset  reset the counters after this report
  v1::TimingReport timing(bool reset = false) const;

  // ---- parameters ----

  /// Parameters that can be changed while the session runs, with their current values.
  /// @param[in] names  empty: every parameter
  v1::ParameterReport parameters(const std::vector<std::string>& names = {}) const;

  /// Changes parameters between two ticks: all of them, or none after an error.
  /// @returns every parameter, and the first tick that uses the values
  /// @throws ClientError with reason PARAMETER_UNKNOWN, NOT_FINITE or VALUE_OUT_OF_RANGE and the field
  v1::ParameterReport setParameters(const std::map<std::string, double>& values, std::string request_id = {}) const;

  // ---- recordings and snapshots ----

  /// Starts a recording in a file of the server: the inputs of each tick, and signals every n ticks.
  /// @param[in] name  name of the recording; empty: the server chooses one
  /// @param[in] scene  records the frames and shapes of all bodies, too, as messages of Foxglove
  /// @returns name and file; Client::stopRecording ends the recording
  v1::Recording record(const std::vector<std::string>& signals = {}, const std::string& name = {},
                       std::uint32_t every = 1, bool scene = false) const;

  /// Everything that decides the next tick, after the newest tick. The session may run meanwhile.
  v1::SessionSnapshot saveSnapshot() const;

  /// Sets the session to a snapshot and leaves it paused. Its next ticks have the same bits as the ticks after the
  /// snapshot.
  /// @param[in] force  accept a snapshot of another binary
  /// @throws ClientError with reason SNAPSHOT_INCOMPATIBLE and the field that does not fit
  v1::Session restoreSnapshot(const v1::SessionSnapshot& snapshot, bool force = false,
                              std::string request_id = {}) const;

  // ---- streams ----

  /// Opens the control stream: inputs to the server and states back, at every tick.
  TickStream tick(const TickOptions& options = {}) const;

  /// Opens a datagram link for a device, which uses clients/udp. Client::closeLink closes it.
  /// @param[in] request  the session is filled in
  /// @returns address, token, key and layouts. Where the server takes datagrams at all of its addresses (0.0.0.0 or
  ///          [::]), the address has the host by which this client reaches the server
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
