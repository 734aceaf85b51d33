// The calls on links to devices.
#include "server/link/device_link_message.h"
#include "server/service/answer.h"

namespace tactus::server {

grpc::Status SimulationService::OpenDeviceLink(grpc::ServerContext* context, const v1::OpenDeviceLinkRequest* request,
                                               v1::DeviceLink* response) {
  return answer(*context, [&] {
    const std::shared_ptr<Session> session = sessions_.find(request->session());
    const std::shared_ptr<DeviceLink> link = links_.open(session, readLinkTerms(*request, *session));
    writeDeviceLink(*link, *response);
    response->set_key(link->key().bytes().data(), DatagramKey::kBytes);
  });
}

grpc::Status SimulationService::CloseDeviceLink(grpc::ServerContext* context, const v1::CloseDeviceLinkRequest* request,
                                                v1::DeviceLink* response) {
  return answer(*context, [&] { writeDeviceLink(*links_.close(request->id()), *response); });
}

grpc::Status SimulationService::ListDeviceLinks(grpc::ServerContext* context, const v1::ListDeviceLinksRequest* request,
                                                v1::ListDeviceLinksResponse* response) {
  return answer(*context, [&] {
    if (!request->session().empty()) sessions_.find(request->session());
    for (const auto& link : links_.list())
      if (request->session().empty() || link->session().spec().name == request->session())
        writeDeviceLink(*link, *response->add_links());
  });
}

}  // namespace tactus::server
