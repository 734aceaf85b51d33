// The flag of a run that nobody interrupts.
#pragma once

#include <atomic>

namespace tactus::tests {

inline const std::atomic<bool> kNever{false};

}  // namespace tactus::tests
