// The requests to the process of a unit, and its answers: one message each way, through a socket.
#pragma once

#include "clients/fmi/session/unit_process.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tactus::fmi {

// The files that the process of a unit has besides its standard ones.
inline constexpr int kUnitSocket = 3, kUnitRecord = 4;

enum class Ask : std::uint32_t { kBegin = 1, kRestart = 2, kStep = 3, kTerminate = 4 };
enum class Answer : std::uint32_t { kDone = 1, kFails = 2, kEnds = 3 };

/// A request: of kBegin the value references follow (inputs, outputs, parameters, starts) and the values (inputs,
/// parameters, starts), of kRestart and kStep the values of the inputs.
struct AskHead {
  Ask ask = Ask::kStep;
  std::uint32_t inputs = 0, outputs = 0, parameters = 0, starts = 0;
  double time = 0, size = 0;
};
/// An answer: the values of the outputs follow, or the text of an error.
struct AnswerHead {
  Answer answer = Answer::kDone;
  std::uint32_t count = 0;  ///< values, or characters
};

inline constexpr std::size_t kMostUnitText = 1000;
/// Those of kBegin: as many inputs, outputs and parameters (with starts) as a unit may have.
inline constexpr std::size_t kMostUnitBytes =
    sizeof(AskHead) + 3 * kMostUnitValues * sizeof(std::uint32_t) + 2 * kMostUnitValues * sizeof(double);

template <typename T>
char* put(char* to, const T* values, std::size_t count) {
  if (count > 0) std::memcpy(to, values, count * sizeof(T));
  return to + count * sizeof(T);
}
template <typename T>
const char* take(const char* from, T* values, std::size_t count) {
  if (count > 0) std::memcpy(values, from, count * sizeof(T));
  return from + count * sizeof(T);
}

}  // namespace tactus::fmi
