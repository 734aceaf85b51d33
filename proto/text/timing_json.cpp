#include "proto/text/timing_json.h"

namespace tactus::text {
namespace {

using Json = nlohmann::ordered_json;

Json toJson(const v1::PhaseTiming& phase) {
  return {{"phase", phase.phase()},           {"count", phase.count()},     {"minimum_ns", phase.minimum_ns()},
          {"mean_ns", phase.mean_ns()},       {"p50_ns", phase.p50_ns()},   {"p90_ns", phase.p90_ns()},
          {"p99_ns", phase.p99_ns()},         {"p999_ns", phase.p999_ns()}, {"maximum_ns", phase.maximum_ns()},
          {"worst_tick", phase.worst_tick()}, {"octaves", phase.octaves()}};
}

Json toJson(const v1::EnergyBalance& energy) {
  return {{"growth", energy.growth()},
          {"scale", energy.scale()},
          {"drift", energy.drift()},
          {"grows_since", energy.has_grows_since() ? Json(energy.grows_since()) : Json(nullptr)}};
}

}  // namespace

Json timingJson(const std::string& session, const v1::TimingReport& report) {
  Json phases = Json::array(), readers = Json::array();
  Json late = Json::object();
  for (const v1::PhaseTiming& phase : report.phases()) phases.push_back(toJson(phase));
  for (const v1::LateTicks& ticks : report.late_ticks()) late[ticks.cause()] = ticks.count();
  for (const v1::ReaderReport& reader : report.readers()) {
    readers.push_back(
        {{"id", reader.id()}, {"stream", reader.stream()}, {"sent", reader.sent()}, {"missed", reader.missed()}});
  }
  Json worst = nullptr;
  if (report.has_worst_late()) {
    worst = {{"tick", report.worst_late().tick()},
             {"lost_ns", report.worst_late().lost_ns()},
             {"at_work", report.worst_late().at_work()},
             {"cause", report.worst_late().cause()}};
  }
  return {{"session", session},
          {"build", report.build()},
          {"clock", report.clock()},
          {"period_ns", report.period_ns()},
          {"ticks", report.ticks()},
          {"missed_deadlines", report.missed_deadlines()},
          {"overruns", report.overruns()},
          {"overrun_policy", report.overrun_policy()},
          {"late_wakes", report.late_wakes()},
          {"overdue_deadlines", report.overdue_deadlines()},
          {"max_consecutive_overdue", report.max_consecutive_overdue()},
          {"backfilled", report.backfilled()},
          {"slipped_ns", report.slipped_ns()},
          {"inputs_used", report.inputs_used()},
          {"inputs_superseded", report.inputs_superseded()},
          {"inputs_refused", report.inputs_refused()},
          {"inputs_lost", report.inputs_lost()},
          {"inputs_duplicate", report.inputs_duplicate()},
          {"inputs_late", report.inputs_late()},
          {"inputs_left_aside", report.inputs_left_aside()},
          {"input_losses", report.input_losses()},
          {"safe_entries", report.safe_entries()},
          {"late_ticks", late},
          {"worst_late", worst},
          {"readers", readers},
          {"recorder_lost_ticks", report.recorder_lost_ticks()},
          {"recorder_lost_signals", report.recorder_lost_signals()},
          {"maximum_contraction", report.maximum_contraction()},
          {"maximum_contraction_tick", report.maximum_contraction_tick()},
          {"maximum_factorizations", report.maximum_factorizations()},
          {"not_converged", report.not_converged()},
          {"energy", toJson(report.energy())},
          {"host_wake", report.has_host_wake() ? toJson(report.host_wake()) : Json(nullptr)},
          {"held_ticks", report.held_ticks()},
          {"page_faults", report.page_faults()},
          {"involuntary_switches", report.involuntary_switches()},
          {"spin_margin_ns", report.spin_margin_ns()},
          {"realtime_grants", report.realtime_grants()},
          {"phases", phases}};
}

}  // namespace tactus::text
