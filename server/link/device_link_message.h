// OpenDeviceLinkRequest -> LinkTerms, DeviceLink -> DeviceLink message.
#pragma once

#include "server/link/device_link.h"

#include "tactus/v1/simulation.pb.h"

namespace tactus::server {

/// @throws RequestError kSignalUnknown, kLayoutMismatch
LinkTerms readLinkTerms(const v1::OpenDeviceLinkRequest& request, const Session& session);

/// Everything but the key.
void writeDeviceLink(const DeviceLink& link, v1::DeviceLink& message);

}  // namespace tactus::server
