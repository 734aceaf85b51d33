// Models as they were read, from files, built-in ones or JSON, as sources of an Engine.
#pragma once

#include "clients/engine/model_source.h"
#include "server/model_io/model_file.h"

#include <memory>
#include <string>

namespace tactus::python {

/// The model that a text names, a built-in one or a file, or that it is, as JSON.
/// @throws Refusal
server::ModelDocument openNamedModel(const std::string& model);
server::ModelDocument openModelText(const std::string& json);

class MessageSource final : public engine::ModelSource {
 public:
  /// @throws Refusal with all findings on a document that is not valid
  explicit MessageSource(server::ModelDocument document);

  std::shared_ptr<const rt::Model> build(const engine::ParameterValues& values) const override;

 private:
  const server::ModelDocument document_;
};

}  // namespace tactus::python
