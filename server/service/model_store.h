// ModelStore: the built-in models and the models that clients have loaded.
#pragma once

#include "rt/mechanics/initial_state.h"
#include "server/config.h"
#include "server/door/quota.h"
#include "server/model_io/model_file.h"
#include "server/wire/request_error.h"

#include "tactus/v1/simulation.pb.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// A model with findings that are errors.
class ModelRefused : public RequestError {
 public:
  explicit ModelRefused(std::vector<LocatedFinding> findings);
  const std::vector<LocatedFinding>& findings() const noexcept { return findings_; }

 private:
  std::vector<LocatedFinding> findings_;
};

/// Thread-safe. Opens no file: a name that a client sends is never a path.
class ModelStore {
 public:
  explicit ModelStore(const Limits& limits);

  /// Built-in models, then loaded ones, each in the order of names.
  std::vector<v1::ModelInfo> list() const;

  struct Entry {
    v1::ModelInfo info;
    v1::Model message;
  };
  /// @param field of the request that has the name
  /// @throws RequestError kModelUnknown with the nearest name
  Entry get(const std::string& name, const std::string& field) const;

  /// The constants of "chain:n=8" or of a loaded model.
  /// @throws RequestError kModelUnknown, kModelInvalid, kLimitExceeded
  std::shared_ptr<const rt::Model> open(const std::string& name) const;

  /// The constants of a description that is not stored.
  /// @throws ModelRefused, RequestError kLimitExceeded
  std::shared_ptr<const rt::Model> build(const ModelDocument& document) const;

  struct Loaded {
    v1::ModelInfo info;
    std::vector<LocatedFinding> warnings;
    rt::AssemblyResult assembly;  ///< of the declared state
    bool replaced = false;        ///< a loaded model of that name
  };
  /// Stores a model under its name and replaces a loaded model of that name.
  /// @throws ModelRefused, RequestError kModelInvalid, kLimitExceeded, kRequestInvalid for the name of a built-in one,
  ///         kNotOwner for the name of a model that another identity has loaded, unless the peer is an admin
  Loaded load(const ModelDocument& document, const Peer& peer = {});

  /// Removes a loaded model. A session has its own copy.
  /// @throws RequestError kModelUnknown with the nearest name, kRequestInvalid for a built-in one, kNotOwner
  void unload(const std::string& name, const Peer& peer = {});

 private:
  struct Stored {
    v1::Model message;
    std::string owner;  ///< identity that has loaded it
  };
  ModelDocument openBuiltIn(const std::string& name, const std::string& field) const;
  bool isBuiltIn(const std::string& name) const;
  static v1::ModelInfo describe(const Stored& stored);
  RequestError unknown(const std::string& field, const std::string& name) const;
  std::string nearest(const std::string& name) const;

  const Limits limits_;
  std::vector<v1::ModelInfo> built_in_;

  mutable std::mutex mutex_;
  std::map<std::string, Stored> loaded_;
};

/// Name, description and counts.
v1::ModelInfo describeModel(const v1::Model& model);

/// All findings on a description; if there are none, also whether its initial states can be assembled.
std::vector<LocatedFinding> validate(const ModelDocument& document);

}  // namespace tactus::server
