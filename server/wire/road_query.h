// The surface of a road under the points of a request.
#pragma once

#include "tactus/v1/model.pb.h"
#include "tactus/v1/simulation.pb.h"

namespace tactus::rt {
struct Model;
}

namespace tactus::server {

/// Answers a request, with the obstacles of the road as they are and not as a wheel rolls over them.
/// @param model    of the session
/// @param message  of which it was built: it names the roads
/// @throws RequestError for a road that is not there, and for no, too many or too far points
void queryRoad(const rt::Model& model, const v1::Model& message, const v1::QueryRoadRequest& request,
               v1::QueryRoadResponse& response);

}  // namespace tactus::server
