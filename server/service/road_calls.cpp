// The calls on roads.
#include "server/service/answer.h"
#include "server/wire/road_query.h"

namespace tactus::server {

grpc::Status SimulationService::QueryRoad(grpc::ServerContext* context, const v1::QueryRoadRequest* request,
                                          v1::QueryRoadResponse* response) {
  return answer(*context, "QueryRoad", *request, [&] {
    const auto tuning = sessions_.find(request->session())->tuning();
    queryRoad(*tuning.model, tuning.message, *request, *response);
  });
}

}  // namespace tactus::server
