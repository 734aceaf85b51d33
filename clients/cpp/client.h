// The first thing a client opens: models, sessions and what the server is.
#pragma once

#include "clients/cpp/connection.h"
#include "clients/cpp/session.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tactus::client {

/// A connection to one server. Safe to use from several threads.
///
///     tactus::client::Client client("127.0.0.1:50051");
///     auto session = client.createSession("motor_four_bar", tactus::v1::CLOCK_MODE_LOCKSTEP);
///     auto tick = session.tick();
///     std::cout << tick.step({{"motor", 1.0}})["crank_angle"];
class Client {
 public:
  /// @param[in] address  "127.0.0.1:50051" or "unix:/path"
  /// @throws ClientError if no server answers there
  explicit Client(const std::string& address, ConnectOptions options = {});

  /// Version, commit, compiler and flags of the server.
  v1::ServerInfo serverInfo() const;

  // ---- models ----

  std::vector<v1::ModelInfo> models() const;

  /// @param[in] name  "four_bar", "chain:n=8", or the name of a loaded model
  v1::Model model(const std::string& name) const;

  /// All findings on a model; the server does not keep it.
  v1::ValidateModelResponse validateModel(const v1::Model& model) const;

  /// Checks a model and keeps it under its name.
  /// @throws ClientError with reason MODEL_INVALID and the findings
  v1::LoadModelResponse loadModel(const v1::Model& model) const;

  /// The same from a file (.json or .txtpb); findings carry its lines.
  /// @throws std::runtime_error if the file cannot be read
  v1::LoadModelResponse loadModelFile(const std::string& path) const;

  // ---- sessions ----

  /// Creates a session that is deleted with the handle.
  /// @param[in] period  of the tick; zero for what the model recommends
  Session createSession(const std::string& model, v1::ClockMode clock = v1::CLOCK_MODE_REAL_TIME,
                        std::chrono::nanoseconds period = {}) const;

  /// The same with every choice that there is. A request id is added where there is none.
  Session createSession(v1::CreateSessionRequest request) const;

  /// A handle to a session that runs already; it is left alone when the handle goes.
  /// @throws ClientError with reason SESSION_UNKNOWN
  Session session(const std::string& name) const;

  std::vector<v1::Session> sessions() const;

  // ---- fitness ----

  /// Keeps the result of a test of the way to this server: it goes into each recording that begins later.
  void reportCommTest(const v1::CommTestResult& result) const;

  // ---- recordings; Session::record begins one ----

  /// Ends a recording; returns when the disk of the server has it.
  /// @throws ClientError with reason RECORDING_UNKNOWN
  v1::Recording stopRecording(const std::string& name) const;

  /// Fetches the file of a recording that has ended. What is at `path` already is taken for its beginning: a download
  /// that broke off goes on there. Each chunk is held against its checksum.
  /// @returns the length of the file
  /// @throws ClientError, also with reason DATA_LOSS if a chunk was damaged on its way; std::runtime_error if the
  ///         file cannot be written, or is longer than the recording
  std::uint64_t downloadRecording(const std::string& name, const std::string& path) const;

  /// Those that run and those that have ended.
  std::vector<v1::Recording> recordings() const;

  // ---- links to devices; Session::openLink opens one ----

  /// Ends a link and frees its inputs.
  /// @returns its last counts
  /// @throws ClientError with reason LINK_UNKNOWN
  v1::DeviceLink closeLink(std::uint64_t id) const;

  /// Those that are open, and the last that have ended; without their keys.
  std::vector<v1::DeviceLink> links() const;

 private:
  std::shared_ptr<const Connection> connection_;
};

}  // namespace tactus::client
