// Limits of a model that give arrays their size.
#pragma once

namespace tactus::rt {

/// Maximum number of groups of actuators in one Model; each group has one controller.
inline constexpr int kMaxGroups = 8;

/// Maximum number of terms of one row, and of pairs of bodies beyond the first of such a row.
inline constexpr int kMaxTerms = 15, kMaxFurtherPairs = kMaxTerms / 2;

}  // namespace tactus::rt
