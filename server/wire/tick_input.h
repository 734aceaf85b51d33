// TickInput, or the values of a datagram -> ActuatorInput: order, count, finiteness and range are checked before
// anything reaches the tick.
#pragma once

#include "rt/state/actuator_input.h"
#include "server/wire/request_error.h"

#include "tactus/v1/input.pb.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// What is wrong with an input. Plain data, because inputs are validated at every tick.
struct InputVerdict {
  enum class Fault : std::uint8_t { kNone, kCount, kNotFinite, kOutOfRange, kSequence };
  Fault fault = Fault::kNone;
  int index = 0;               ///< of the offending value; of kCount, the number of values
  double value = 0;            ///< as found
  std::uint64_t sequence = 0;  ///< of kSequence, as found
  std::uint64_t left_out = 0;  ///< of kNone: numbers between the last input and this one

  bool ok() const noexcept { return fault == Fault::kNone; }
};

inline std::span<const double> spanOf(const google::protobuf::RepeatedField<double>& values) noexcept {
  return {values.data(), static_cast<std::size_t>(values.size())};
}

/// Reads the inputs of one stream, which may drive some of the actuators or all of them.
class InputReader {
 public:
  /// @param names  actuators in the order of TickInput.values
  /// @throws RequestError kSignalUnknown for a name that is no actuator, kRequestInvalid for one given twice
  InputReader(const rt::Model& model, const std::vector<std::string>& names);

  /// Count, finiteness and range of a set of values.
  InputVerdict validate(std::span<const double> values) const noexcept;

  /// Overwrites the values of this stream in `input` if the verdict is ok; otherwise leaves all of them.
  InputVerdict read(std::uint64_t sequence, std::span<const double> values, rt::ActuatorInput& input) noexcept;
  InputVerdict read(const v1::TickInput& message, rt::ActuatorInput& input) noexcept {
    return read(message.sequence(), spanOf(message.values()), input);
  }

  /// The last input has led to no tick: it may be sent again with its number.
  void takeBack() noexcept { may_repeat_ = last_sequence_ > 0; }

  /// The refusal, with the field ("values[1]") and the rule.
  RequestError explain(const InputVerdict& verdict) const;

  const std::vector<int>& actuators() const noexcept { return actuators_; }

 private:
  const rt::Model& model_;
  std::vector<int> actuators_;
  std::uint64_t last_sequence_ = 0;
  bool may_repeat_ = false;  ///< no tick has used it
};

}  // namespace tactus::server
