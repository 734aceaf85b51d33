// Models as they were read, from files, built-in ones or JSON, as sources of an Engine.
#pragma once

#include "clients/engine/model_source.h"
#include "server/model_io/model_file.h"

#include <memory>
#include <optional>
#include <string>

namespace tactus::python {

/// @param[in] model   the name of a built-in model or a file, or the content of one as JSON
/// @param[in] folder  none: `model` is a name; else it is a content, whose files are read from this folder. With an
///                    empty one they are refused
/// @throws Refusal
server::ModelDocument openModel(const std::string& model, const std::optional<std::string>& folder);

/// The path of a finding, after the included file that its line is of, if there is one.
std::string placeOf(const server::LocatedFinding& located);

class MessageSource final : public engine::ModelSource {
 public:
  /// @throws Refusal with all findings on a document that is not valid
  explicit MessageSource(server::ModelDocument document);

  std::shared_ptr<const rt::Model> build(const engine::ParameterValues& values) const override;

 private:
  const server::ModelDocument document_;
};

}  // namespace tactus::python
