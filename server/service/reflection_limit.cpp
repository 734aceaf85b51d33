#include "server/service/reflection_limit.h"

#include <grpcpp/support/server_interceptor.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <utility>

namespace tactus::server {

namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;
using Count = std::shared_ptr<std::atomic<std::size_t>>;

/// Lives as long as its stream.
class CountedStream final : public grpc::experimental::Interceptor {
 public:
  CountedStream(ServerRpcInfo& info, Count open, std::size_t limit)
      : info_(info), open_(std::move(open)), refused_(open_->fetch_add(1) >= limit) {}
  ~CountedStream() override { open_->fetch_sub(1); }

  void Intercept(InterceptorBatchMethods* methods) override {
    if (refused_ && methods->QueryInterceptionHookPoint(InterceptionHookPoints::POST_RECV_INITIAL_METADATA))
      info_.server_context()->TryCancel();
    methods->Proceed();
  }

 private:
  ServerRpcInfo& info_;
  const Count open_;
  const bool refused_;
};

class StreamCounter final : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  explicit StreamCounter(std::size_t limit) : limit_(limit) {}

  grpc::experimental::Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    const bool reflects = std::strncmp(info->method(), "/grpc.reflection.", 17) == 0;
    return reflects ? new CountedStream(*info, open_, limit_) : nullptr;
  }

 private:
  const std::size_t limit_;
  const Count open_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface> limitReflection(std::size_t limit) {
  return std::make_unique<StreamCounter>(limit);
}

}  // namespace tactus::server
