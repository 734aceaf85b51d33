// Model files: JSON (.json) or protobuf text form (.txtpb) of tactus.v1.Model, read strictly, with every finding at its
// line.
#pragma once

#include "rt/error.h"
#include "rt/model/model_spec.h"
#include "server/model_io/located_finding.h"
#include "server/model_io/model_message.h"
#include "server/model_io/model_syntax.h"

#include "tactus/v1/model.pb.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::server {

inline constexpr std::size_t kMaxModelFile = std::size_t{16} << 20;  ///< bytes

/// A model as it was read: message, description, and all that is wrong with it.
struct ModelDocument {
  v1::Model message;
  rt::ModelSpec spec;
  std::vector<LocatedFinding> findings;  ///< in the order of lines
  bool complete = false;                 ///< false if the text could not be read to its end; `spec` is then empty

  /// False if there is a finding that is an error; `spec` must then not be built.
  bool valid() const noexcept;
};

/// Reads a file; its ending chooses the syntax.
/// @throws Error if it cannot be read, is too large, or ends otherwise; what is wrong inside becomes findings
ModelDocument readModelFile(const std::string& path);

/// Reads the text of a file. A syntax error ends the reading at its line; everything else is found in one pass.
/// @param folder  from which grids are read that the model has in files; none: they are refused
ModelDocument readModelText(std::string_view text, ModelSyntax syntax,
                            const std::optional<std::filesystem::path>& folder = std::nullopt);

/// Takes a message that came over the wire; findings have line 0. Fields that this version does not know are errors.
ModelDocument readModelMessage(v1::Model message);

/// The text of a file that reads back as the same message.
std::string writeModel(const v1::Model& message, ModelSyntax syntax);

/// "file:12: bodies[0].mass = -1: must be finite and above zero (hint)".
std::string toString(const LocatedFinding& finding, const std::string& file);

}  // namespace tactus::server
