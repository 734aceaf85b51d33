#pragma once

namespace tactus::server {

/// The two forms of a model file: .json and .txtpb.
enum class ModelSyntax { kJson, kText };

}  // namespace tactus::server
