#include "server/door/rpc_rules.h"

#include "rt/error.h"

#include <algorithm>
#include <string>

namespace tactus::server {

namespace {

constexpr RpcRule kRules[] = {
    // models
    {"ListModels", Role::kObserve, Reach::kAny, false},
    {"GetModel", Role::kObserve, Reach::kAny, false},
    {"ValidateModel", Role::kControl, Reach::kAny, false},  // costs time of the processor
    {"LoadModel", Role::kControl, Reach::kOwnThing, true},
    {"UnloadModel", Role::kControl, Reach::kOwnThing, true},
    // sessions
    {"CreateSession", Role::kControl, Reach::kByItsRequest, true},  // classes and cores: admin
    {"GetSession", Role::kObserve, Reach::kAny, false},
    {"ListSessions", Role::kObserve, Reach::kAny, false},
    {"DeleteSession", Role::kControl, Reach::kOwnSession, true},
    {"StartSession", Role::kControl, Reach::kOwnSession, true},
    {"PauseSession", Role::kControl, Reach::kOwnSession, true},
    {"StepSession", Role::kControl, Reach::kOwnSession, true},
    {"RunSession", Role::kControl, Reach::kDriven, true},
    {"RunBlock", Role::kControl, Reach::kDriven, true},
    {"ResetSession", Role::kControl, Reach::kOwnSession, true},
    {"EnterSafeState", Role::kControl, Reach::kAny, true},  // whoever may control may stop
    {"ClearSafeState", Role::kControl, Reach::kOwnSession, true},
    // parameters
    {"GetParameters", Role::kObserve, Reach::kAny, false},
    {"SetParameters", Role::kControl, Reach::kOwnSession, true},
    // signals and streams
    {"ListSignals", Role::kObserve, Reach::kAny, false},
    {"ReadSignals", Role::kObserve, Reach::kAny, false},
    {"Tick", Role::kObserve, Reach::kByItsRequest, false},  // with inputs or in lockstep as kDriven, and audited
    {"Observe", Role::kObserve, Reach::kAny, false},
    {"AcknowledgeFrames", Role::kObserve, Reach::kOwnThing, false},
    // datagrams
    {"OpenDeviceLink", Role::kControl, Reach::kDriven, true},
    {"CloseDeviceLink", Role::kControl, Reach::kOwnThing, true},
    {"ListDeviceLinks", Role::kObserve, Reach::kOwnThing, false},
    // timing and host
    {"GetTimingReport", Role::kObserve, Reach::kByItsRequest, false},  // with reset: control, and the rights to drive the session
    {"GetServerInfo", Role::kObserve, Reach::kAny, false},
    {"ReportCommTest", Role::kControl, Reach::kAny, true},  // goes into recordings
    // recordings
    {"StartRecording", Role::kControl, Reach::kAny, true},
    {"StopRecording", Role::kControl, Reach::kOwnThing, true},
    {"ListRecordings", Role::kObserve, Reach::kAny, false},
    {"DownloadRecording", Role::kObserve, Reach::kAny, false},
    // snapshots
    {"SaveSnapshot", Role::kObserve, Reach::kAny, false},
    {"RestoreSnapshot", Role::kControl, Reach::kOwnSession, true},  // force: admin
    // roads
    {"QueryRoad", Role::kObserve, Reach::kAny, false},
    // analyses
    {"Analyse", Role::kObserve, Reach::kAny, false},  // costs time of the processor, of few calls at a time
};

}  // namespace

const RpcRule& rpcRule(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kRules), std::end(kRules), [&](const RpcRule& rule) { return rule.name == name; });
  if (found == std::end(kRules)) throw Error("no rule says who may call " + std::string(name));
  return *found;
}

}  // namespace tactus::server
