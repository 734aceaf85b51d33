// A connection to a server: its models, sessions, recordings and links. Start here.
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
  /// @param[in] address  "127.0.0.1:50051" or "unix:/path"; of another host with ConnectOptions::credentials
  /// @throws ClientError if no server answers there or the server does not let this client in
  explicit Client(const std::string& address, ConnectOptions options = {});

  /// Version, commit, compiler and flags of the server.
  v1::ServerInfo serverInfo() const;

  // ---- models ----

  std::vector<v1::ModelInfo> models() const;

  /// @param[in] name  "four_bar", "chain:n=8", or the name of a loaded model
  v1::Model model(const std::string& name) const;

  /// All findings on a model. The server does not keep the model.
  v1::ValidateModelResponse validateModel(const v1::Model& model) const;

  /// Checks a model and keeps it under its name.
  /// @throws ClientError with reason MODEL_INVALID and the findings
  v1::LoadModelResponse loadModel(const v1::Model& model) const;

  /// Loads a model from a file (.json or .txtpb); findings carry its lines.
  /// @throws std::runtime_error if the file cannot be read
  v1::LoadModelResponse loadModelFile(const std::string& path) const;

  /// Removes a loaded model from the server. Sessions that run it continue.
  /// @throws ClientError with reason MODEL_UNKNOWN, REQUEST_INVALID for a built-in model, or NOT_OWNER
  void unloadModel(const std::string& name) const;

  // ---- sessions ----

  /// Creates a session that is deleted with the handle.
  /// @param[in] period  period of the tick; zero for the period that the model recommends
  Session createSession(const std::string& model, v1::ClockMode clock = v1::CLOCK_MODE_REAL_TIME,
                        std::chrono::nanoseconds period = {}) const;

  /// Creates a session with every option of the request. A missing request id is added.
  Session createSession(v1::CreateSessionRequest request) const;

  /// A handle to an existing session. The session continues when the handle is destroyed.
  /// @throws ClientError with reason SESSION_UNKNOWN
  Session session(const std::string& name) const;

  std::vector<v1::Session> sessions() const;

  // ---- fitness ----

  /// Reports the result of a connection test. The server adds it to each recording that starts later.
  void reportCommTest(const v1::CommTestResult& result) const;

  // ---- recordings; Session::record starts one ----

  /// Ends a recording; returns when the disk of the server holds it.
  /// @throws ClientError with reason RECORDING_UNKNOWN
  v1::Recording stopRecording(const std::string& name) const;

  /// Downloads the file of a recording that has ended. An existing file at `path` is continued if it is the beginning
  /// of the recording, as after an interrupted download. Each chunk is checked against its checksum.
  /// @returns the length of the file
  /// @throws ClientError, with reason DATA_LOSS if a chunk was damaged in transit, and REQUEST_INVALID if the file is
  /// not
  ///         the beginning of the recording; std::runtime_error if the file cannot be written
  std::uint64_t downloadRecording(const std::string& name, const std::string& path) const;

  /// Running and ended recordings. `warning` has what a recording has warned of last; each stream of its session gets
  /// the warnings as notices.
  std::vector<v1::Recording> recordings() const;

  // ---- links to devices; Session::openLink opens one ----

  /// Closes a link and releases its inputs.
  /// @returns the link with its last counts
  /// @throws ClientError with reason LINK_UNKNOWN
  v1::DeviceLink closeLink(std::uint64_t id) const;

  /// Open links, and the last ones that ended; without their keys.
  std::vector<v1::DeviceLink> links() const;

 private:
  std::shared_ptr<const Connection> connection_;
};

}  // namespace tactus::client
