// The derivatives of Instance.
#include "clients/fmi/unit/derivatives.h"
#include "clients/fmi/unit/instance.h"
#include "rt/error.h"

namespace tactus::fmi {

Eigen::MatrixXd Instance::derivativesOf(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs) {
  prepareValues();
  for (const std::size_t output : outputs)
    if (output < numbers_.firstOutput() || output >= numbers_.hash())
      throw CallProblem{Outcome::kError, "value reference " + std::to_string(output) +
                                             " is no real output; derivatives are those of outputs"};
  for (const std::size_t input : inputs)
    if (input < numbers_.firstInput() || input >= numbers_.firstParameter())
      throw CallProblem{Outcome::kError,
                        "value reference " + std::to_string(input) + " is no input; derivatives are those by inputs"};
  if (!derivatives_known_ && !outputs.empty() && !inputs.empty()) {
    try {
      derivatives_ = outputsByInputs(*engine_, reader_->indices());
    } catch (const Error& error) {
      throw CallProblem{Outcome::kDiscard, std::string(error.what()) + "; there are no derivatives in this state"};
    }
    derivatives_known_ = true;
  }
  Eigen::MatrixXd chosen(outputs.size(), inputs.size());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t k = 0; k < inputs.size(); ++k)
      chosen(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          derivatives_(static_cast<Eigen::Index>(outputs[i] - numbers_.firstOutput()),
                       static_cast<Eigen::Index>(inputs[k] - numbers_.firstInput()));
  return chosen;
}

void Instance::directionalDerivative(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs,
                                     const double* seed, double* sensitivity) {
  const Eigen::MatrixXd D = derivativesOf(outputs, inputs);
  Eigen::Map<Eigen::VectorXd>(sensitivity, D.rows()) = D * Eigen::Map<const Eigen::VectorXd>(seed, D.cols());
}

void Instance::adjointDerivative(std::span<const std::uint32_t> outputs, std::span<const std::uint32_t> inputs,
                                 const double* seed, double* sensitivity) {
  const Eigen::MatrixXd D = derivativesOf(outputs, inputs);
  Eigen::Map<Eigen::VectorXd>(sensitivity, D.cols()) =
      D.transpose() * Eigen::Map<const Eigen::VectorXd>(seed, D.rows());
}

}  // namespace tactus::fmi
