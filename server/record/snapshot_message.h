// Snapshot <-> SessionSnapshot: everything that decides the next tick, with hashes that detect damage and mismatches.
#pragma once

#include "rt/ali3p/settings.h"
#include "rt/state/actuator_input.h"
#include "rt/state/snapshot.h"

#include "tactus/v1/snapshot.pb.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

inline constexpr std::uint32_t kSnapshotFormat = 1;

/// FNV-1a (64 bit) over ticks and values; 0 if there is no script.
std::uint64_t hashScript(const std::vector<rt::ScriptedInput>& script) noexcept;

/// FNV-1a (64 bit) over everything that decides the next tick: what content_hash must be.
std::uint64_t hashContent(const v1::SessionSnapshot& message) noexcept;

/// Writes everything but build, model and settings.
/// @param model  with the parameters of the next tick
void writeSnapshot(const rt::Snapshot& snapshot, const rt::Model& model, std::uint64_t script_hash,
                   v1::SessionSnapshot& message);

/// Reads the snapshot of a tick from the message, for a loop of `model`.
/// @param period_ns  of the loop: the simulated time of the tick after the snapshot must be a number of ns
/// @throws RequestError kSnapshotIncompatible, naming the field: another format, hashes that do not match, another
/// shape;
///         kNotFinite and kValueOutOfRange for numbers that no tick could have made
rt::Snapshot readSnapshot(const v1::SessionSnapshot& message, const rt::Model& model, std::int64_t period_ns);

/// What is wrong with a snapshot whatever its model is: another format, a number that is not finite, a checksum that
/// does not match, or a hash of the model that is none. Empty if nothing is.
std::string damageOf(const v1::SessionSnapshot& message);

/// Checks that a session can continue from the snapshot with the same bits.
/// @throws RequestError kSnapshotIncompatible naming the field: model_hash, settings, script_hash, build
void requireSame(const v1::SessionSnapshot& snapshot, const v1::SessionSnapshot& here);

/// True if both stamps name the same binary.
bool sameBuild(const v1::BuildStamp& a, const v1::BuildStamp& b);

}  // namespace tactus::server
