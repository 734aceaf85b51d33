// UnixSocket: the file by which clients reach a server on a Unix socket.
#pragma once

#include "server/config.h"

#include <string>

#include <sys/types.h>

namespace tactus::server {

/// gRPC removes whatever socket it finds at the path that it binds, when it begins and when it ends, even that of
/// another server. So it binds a path that nobody else uses, in the same folder, and the file is moved to its name when
/// it has its mode and its group.
class UnixSocket {
 public:
  /// @throws Error if a server listens at the path, the path is too long or there is something else than a socket
  explicit UnixSocket(const Endpoint& endpoint);

  /// Removes the file, unless another one has taken its place.
  ~UnixSocket();
  UnixSocket(const UnixSocket&) = delete;
  UnixSocket& operator=(const UnixSocket&) = delete;

  /// What gRPC binds.
  std::string address() const { return "unix:" + bound_; }

  /// Lets clients in, as mode and group of the endpoint say. After gRPC listens. @throws Error
  void publish();

 private:
  void requireFree() const;
  void open() const;

  const Endpoint endpoint_;
  const std::string bound_;
  bool published_ = false;
  dev_t device_ = 0;  ///< with inode_: the file
  ino_t inode_ = 0;
};

}  // namespace tactus::server
