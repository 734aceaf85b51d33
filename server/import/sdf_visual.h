// The <visual> elements of SDF.
#pragma once

#include "rt/model/elements/visual.h"
#include "server/import/xml_tree.h"

#include <optional>

namespace tactus::server {

/// A shape in axes of its link; a mesh has its file in place of the hash. Empty for a shape that is left out: one
/// without a size is reported here, one of another kind with what nobody reads.
std::optional<rt::VisualSpec> visualIn(const XmlNode& node);

}  // namespace tactus::server
