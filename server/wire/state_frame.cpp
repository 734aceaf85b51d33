#include "server/wire/state_frame.h"

#include "rt/model/check_model.h"
#include "rt/model/model.h"
#include "server/wire/request_error.h"
#include "server/wire/wire_enum.h"

#include <bit>
#include <span>
#include <utility>

namespace tactus::server {

namespace {

// StateFrame.packed holds little-endian doubles; on this machine they are copied.
static_assert(std::endian::native == std::endian::little);

// The known name nearest to the first pattern that is a plain name and unknown.
std::string nearestSignal(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns) {
    if (rt::SignalDirectory::isGlob(pattern) || directory.find(pattern) >= 0) continue;
    std::vector<std::string> names;
    for (const rt::Signal& signal : directory.signals()) names.push_back(signal.name);
    return rt::nearestName(pattern, names);
  }
  return {};
}

void requireFewGlobs(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns,
                     const std::string& field) {
  std::size_t globs = 0;
  for (const std::string& pattern : patterns) {
    if (!rt::SignalDirectory::isGlob(pattern)) continue;
    ++globs;
    if (pattern.size() > kMaxGlobBytes)
      throw RequestError(Reason::kLimitExceeded, field,
                         "a glob has at most " + std::to_string(kMaxGlobBytes) + " bytes");
  }
  const std::size_t matches = globs * directory.signals().size();
  // One glob is allowed for any model.
  if (globs <= 1 || (globs <= kMaxGlobs && matches <= kMaxGlobMatches)) return;
  throw RequestError(Reason::kLimitExceeded, field,
                     std::to_string(globs) + " globs on " + std::to_string(directory.signals().size()) +
                         " signals are too many: at most " + std::to_string(kMaxGlobs) + ", and " +
                         std::to_string(kMaxGlobMatches) + " comparisons",
                     "use fewer globs, or the names of the signals");
}

// Each client numbers its inputs on its own, so the numbers of two holders cannot be compared.
rt::TakenInput inputOf(const rt::SnapshotHeader& header, std::uint64_t holder) {
  if (holder == 0) return {0, header.input_sequence, header.input_first_tick};
  rt::TakenInput newest;
  for (const rt::TakenInput& taken : header.taken_inputs)
    if (taken.holder == holder && taken.sequence > newest.sequence) newest = taken;
  return newest;
}

}  // namespace

std::uint32_t frameFlags(const rt::SnapshotHeader& header) noexcept {
  std::uint32_t flags = v1::FRAME_FLAG_NONE;
  if (header.overrun) flags |= v1::FRAME_FLAG_OVERRUN;
  if (header.input_held) flags |= v1::FRAME_FLAG_INPUT_HELD;
  if (header.faulted) flags |= v1::FRAME_FLAG_FAULT;
  if (!header.report.converged) flags |= v1::FRAME_FLAG_NOT_CONVERGED;
  return flags;
}

v1::InputMode toProto(rt::InputMode mode) noexcept {
  static const WireEnum<v1::InputMode, rt::InputMode> modes(rt::kInputModes);
  return modes.toProto(mode);
}

SignalSelection selectSignals(const rt::SignalDirectory& directory, const std::vector<std::string>& patterns,
                              const std::string& field) {
  requireFewGlobs(directory, patterns, field);
  SignalSelection selection;
  try {
    selection.indices = directory.resolve(patterns);
  } catch (const Error& error) {
    throw RequestError(Reason::kSignalUnknown, field, error.what(), nearestSignal(directory, patterns));
  }
  selection.layout_hash = directory.layoutHash(selection.indices);
  return selection;
}

FrameWriter::FrameWriter(const rt::SignalDirectory& directory, std::vector<int> indices, bool packed)
    : reader_(directory, std::move(indices)),
      packed_(packed),
      groups_(directory.model().groupCount()),
      scratch_(packed ? reader_.indices().size() : 0) {}

void FrameWriter::write(const rt::Snapshot& snapshot, v1::StateFrame& frame, std::uint64_t holder) {
  const rt::SnapshotHeader& header = snapshot.header;
  frame.set_tick(header.tick);
  frame.set_sim_time_ns(header.sim_time_ns);
  frame.set_server_time_ns(header.publish_time_ns);
  const rt::TakenInput input = inputOf(header, holder);
  frame.set_input_sequence(input.sequence);
  frame.set_input_age_ticks(input.sequence == 0 ? 0 : header.tick - input.first_tick);
  frame.set_flags(frameFlags(header));
  frame.set_input_mode(toProto(header.input_mode));
  frame.clear_group_modes();
  for (int g = 0; g < groups_; ++g) frame.add_group_modes(toProto(header.group_modes[static_cast<std::size_t>(g)]));

  // Values go straight into the message, or through scratch into its bytes.
  if (packed_) {
    reader_.read(snapshot, scratch_);
    std::string& bytes = *frame.mutable_packed();
    // No memcpy: without signals scratch has no address.
    bytes.assign(reinterpret_cast<const char*>(scratch_.data()), scratch_.size() * sizeof(double));
  } else {
    auto& values = *frame.mutable_values();
    values.Resize(static_cast<int>(reader_.indices().size()), 0.0);
    reader_.read(snapshot, std::span<double>(values.mutable_data(), reader_.indices().size()));
  }
}

}  // namespace tactus::server
