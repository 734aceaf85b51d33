// `tactus model reduce`: a modal body from beams.
#pragma once

#include "rt/model/model_spec.h"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tactus::server {

/// What to condense.
struct Reduction {
  std::vector<std::string> bodies;      ///< of the model; a composite stands for all of its bodies. Empty: all bodies
  std::vector<std::string> interfaces;  ///< bodies
  int modes = 0;                        ///< with fixed interfaces
  int free_modes = 0;                   ///< that keep their mass
  std::optional<double> damping_time;   ///< s; none: that of the elements
  std::string name = "modal_body";
};

struct ReducedModel {
  rt::ModelSpec spec;
  std::vector<std::string> left_out;  ///< what acts on the bodies and is not in the model: 'joint "hinge"'
};

/// A model with the modal body as its only element. Interfaces are named after their bodies, "arm.3" as "arm_3".
/// @throws Error if the model does not have a body, or the bodies cannot be condensed
ReducedModel reducedModel(const rt::ModelSpec& spec, const Reduction& reduction);

/// Adds the subcommand to `tactus model`.
void addReduce(CLI::App& model_command, int& exit_code);

}  // namespace tactus::server
