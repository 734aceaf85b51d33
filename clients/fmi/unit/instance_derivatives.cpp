// The derivatives of Instance.
#include "clients/engine/refusal.h"
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
  // In the initialization the outputs depend on the parameters, too.
  const std::size_t end = mode_ == kInitialization ? numbers_.firstOutput() : numbers_.firstParameter();
  for (const std::size_t input : inputs)
    if (input < numbers_.firstInput() || input >= end)
      throw CallProblem{Outcome::kError, "value reference " + std::to_string(input) +
                                             " is no input; derivatives are those by inputs, and in initialization "
                                             "mode by parameters"};
  Eigen::MatrixXd chosen(outputs.size(), inputs.size());
  if (outputs.empty()) return chosen;
  try {
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      const Eigen::VectorXd column = derivativesBy(inputs[k]);
      for (std::size_t i = 0; i < outputs.size(); ++i)
        chosen(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
            column(static_cast<Eigen::Index>(outputs[i] - numbers_.firstOutput()));
    }
  } catch (const engine::Refusal& refusal) {
    throw CallProblem{Outcome::kDiscard, words(refusal) + "; there are no derivatives in this state"};
  } catch (const Error& error) {
    throw CallProblem{Outcome::kDiscard, std::string(error.what()) + "; there are no derivatives in this state"};
  }
  return chosen;
}

// Of all outputs by one input or parameter.
Eigen::VectorXd Instance::derivativesBy(std::size_t reference) {
  if (reference >= numbers_.firstParameter())
    return initialOutputsByParameter(*engine_, reader_->indices(), reference - numbers_.firstParameter());
  if (!derivatives_known_) derivatives_ = outputsByInputs(*engine_, reader_->indices());
  derivatives_known_ = true;
  return derivatives_.col(static_cast<Eigen::Index>(reference - numbers_.firstInput()));
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
