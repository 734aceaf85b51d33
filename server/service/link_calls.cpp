// The calls on links to devices.
#include "server/link/device_link_message.h"
#include "server/service/answer.h"
#include "server/service/claimant.h"

namespace tactus::server {

grpc::Status SimulationService::OpenDeviceLink(grpc::ServerContext* context, const v1::OpenDeviceLinkRequest* request,
                                               v1::DeviceLink* response) {
  return answer(*context, "OpenDeviceLink", *request, [&](Visit& visit) {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    LinkTerms terms = readLinkTerms(*request, *session);
    terms.lease.claimant = claimantOf(visit.peer(), *session);
    terms.admitted = visit.admission();
    const std::shared_ptr<DeviceLink> link = links_.open(session, std::move(terms), visit.peer());
    // The files of the door may have been read again before the link was there.
    if (link->terms().admitted && !link->terms().admitted()) links_.closeNotAdmitted();
    visit.subject = "link " + std::to_string(link->id());
    writeDeviceLink(*link, *response);
    response->set_key(link->key().bytes().data(), DatagramKey::kBytes);
  });
}

grpc::Status SimulationService::CloseDeviceLink(grpc::ServerContext* context, const v1::CloseDeviceLinkRequest* request,
                                                v1::DeviceLink* response) {
  return answer(*context, "CloseDeviceLink", *request, [&](const Visit& visit) {
    const std::shared_ptr<DeviceLink> link = links_.find(request->id());
    requireOwner(visit.peer(), link->terms().owner, "link " + std::to_string(request->id()));
    writeDeviceLink(*links_.close(request->id()), *response);
  });
}

grpc::Status SimulationService::ListDeviceLinks(grpc::ServerContext* context, const v1::ListDeviceLinksRequest* request,
                                                v1::ListDeviceLinksResponse* response) {
  return answer(*context, "ListDeviceLinks", *request, [&](const Visit& visit) {
    // Closed links are listed for a while, also those of a session that has been deleted.
    for (const auto& link : links_.list())
      if (visit.peer().mayChange(link->terms().owner) &&
          (request->session().empty() || link->session().spec().name == request->session()))
        writeDeviceLink(*link, *response->add_links());
    if (!request->session().empty() && response->links().empty()) sessions_.find(request->session());
  });
}

}  // namespace tactus::server
