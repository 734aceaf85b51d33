// Session -> RecordingSetup and SessionSnapshot; RecorderStatus -> Recording.
#pragma once

#include "server/record/recorder.h"
#include "server/session/session.h"

#include "tactus/v1/recording.pb.h"
#include "tactus/v1/simulation.pb.h"

#include <string>

namespace tactus::server {

/// The running binary.
v1::BuildStamp buildStamp();

/// What a recording of a session begins with, as of now.
/// @throws RequestError kRequestInvalid if the session was made without the message of its model
v1::RecordingSetup recordingSetup(const Session& session);

/// The session between two ticks, with everything that must be the same where it is restored.
v1::SessionSnapshot snapshotOf(const Session& session);

/// The session as if it were at this tick.
/// @param model  with the parameters of the next tick
v1::SessionSnapshot snapshotOf(const Session& session, const rt::Snapshot& tick, const rt::Model& model);

/// How it goes; leaves name, session and file.
void writeRecorder(const RecorderStatus& status, v1::Recording& message);

}  // namespace tactus::server
