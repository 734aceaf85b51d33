#include "server/link/device_link_message.h"

#include "server/session/session_message.h"
#include "server/wire/layout.h"
#include "server/wire/request_error.h"
#include "server/wire/state_frame.h"

#include <algorithm>

namespace tactus::server {

LinkTerms readLinkTerms(const v1::OpenDeviceLinkRequest& request, const Session& session) {
  LinkTerms terms;
  terms.lease = readLease(request, "device link");
  terms.inputs.assign(request.inputs().begin(), request.inputs().end());
  const InputReader known(session.model(), terms.inputs);
  std::vector<int> inputs;
  for (const std::string& name : terms.inputs) inputs.push_back(session.feed().signals().find(name));
  expectLayout(request.expected_input_layout_hash(), session.feed().signals().layoutHash(inputs),
               "expected_input_layout_hash");

  const SignalSelection outputs =
      selectSignals(session.feed().signals(), {request.outputs().begin(), request.outputs().end()}, "outputs");
  expectLayout(request.expected_output_layout_hash(), outputs.layout_hash, "expected_output_layout_hash");
  terms.outputs = outputs.indices;
  terms.output_divisor = std::max<std::uint32_t>(request.output_divisor(), 1);
  if (request.idle_limit_ns() != 0) terms.idle_limit_ns = request.idle_limit_ns();
  terms.persistent = request.persistent();
  terms.lease.leave_safe_state = request.leave_safe_state();
  if (request.max_backfilled() != 0) terms.max_backfilled = request.max_backfilled();
  return terms;
}

namespace {

void writeCounts(const DeviceLink& link, v1::DeviceLinkCounts& message) {
  using Verdict = DatagramGate::Verdict;
  const DatagramGate& gate = link.gate();
  message.set_fresh(gate.count(Verdict::kFresh));
  message.set_malformed(gate.count(Verdict::kMalformed));
  message.set_wrong_token(gate.count(Verdict::kWrongToken));
  message.set_forged(gate.count(Verdict::kForged));
  message.set_duplicate(gate.count(Verdict::kDuplicate));
  message.set_overtaken(gate.count(Verdict::kOvertaken));
  message.set_old(gate.count(Verdict::kOld));
  message.set_too_many(gate.count(Verdict::kTooMany));
  message.set_lost(gate.lost());

  const LinkCounts& counts = link.counts();
  message.set_recovered(counts.recovered);
  message.set_refused_layout(counts.refused_layout);
  message.set_refused_values(counts.refused_values);
  message.set_late(counts.late);
  message.set_too_far(counts.too_far);
  message.set_not_ticking(counts.not_ticking);
  message.set_refusals_sent(counts.refusals_sent);
  const rt::InputFate fate = link.fate();
  message.set_used(fate.used);
  message.set_left_aside(fate.left_aside);
  message.set_states_sent(link.streamer().sent());
  message.set_states_missed(link.streamer().missed());
}

}  // namespace

void writeDeviceLink(const DeviceLink& link, v1::DeviceLink& message) {
  const Session& session = link.session();
  message.set_id(link.id());
  message.set_session(session.spec().name);
  message.set_address(link.address());
  message.set_token(link.token());
  writeLayout(session.feed().signals(), link.inputSignals(), *message.mutable_inputs());
  writeLayout(session.feed().signals(), link.terms().outputs, *message.mutable_outputs());
  message.set_period_ns(session.settings().period_ns);
  message.set_clock(toProto(session.spec().clock.mode));
  message.set_output_divisor(static_cast<std::uint32_t>(link.terms().output_divisor));
  message.set_idle_limit_ns(link.terms().idle_limit_ns);
  message.set_max_backfilled(static_cast<std::uint32_t>(link.terms().max_backfilled));
  message.set_max_repeated(static_cast<std::uint32_t>(link.maxRepeated()));
  message.set_open(link.open());
  message.set_persistent(link.terms().persistent);
  message.set_idle(link.idle());
  message.set_ended(link.ended());
  message.set_owner(link.terms().owner);
  writeCounts(link, *message.mutable_counts());
}

}  // namespace tactus::server
