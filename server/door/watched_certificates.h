// The certificate files of a server: read, checked, and given to gRPC, which never opens them itself.
//
// The provider of gRPC 1.51 that reads files again ends the process if a folder has taken the place of one, and waits
// forever at a FIFO. Other providers of its interface cannot change what they give. So the files are read here, and
// that provider watches copies of them in memory (memfd), which hold nothing but what has been checked.
#pragma once

#include "server/config.h"

#include <grpcpp/security/tls_certificate_provider.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tactus::server {

/// What the files hold, in PEM form.
struct CertificateTexts {
  std::string certificate, key, authorities;

  bool operator==(const CertificateTexts&) const = default;
};

/// Checks the certificate files: they can be read, the key fits and is nobody else's to read, nothing has expired.
/// @throws Error naming the file, what is wrong and what to do; never with a key
void checkCertificates(const Access& access);

/// A file in memory whose content is replaced at once.
class MemoryFile {
 public:
  /// @throws Error
  explicit MemoryFile(const std::string& content);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// By which this process opens it. @returns below /proc/self/fd
  std::string path() const;

  /// Whoever opens path() gets the former or the new content, whole. @throws Error; the former content stays
  void replace(const std::string& content);

 private:
  const int descriptor_;
};

/// The provider of certificates of TLS with the files of `access`. It reads them every second, and at reload(); gRPC
/// looks at what it has every second. Files that are not valid change nothing and are logged. Thread-safe.
class WatchedCertificates final : public grpc::experimental::CertificateProviderInterface {
 public:
  /// @param other_authorities  is called with the authorities, in PEM form, before gRPC gets them: in a thread of the
  ///        object when their file has changed, and by reloadAuthorities(); may throw Error, which leaves the former
  ///        ones in force
  /// @throws Error as checkCertificates()
  explicit WatchedCertificates(const Access& access, std::function<void(const std::string&)> other_authorities = {});
  ~WatchedCertificates() override;

  /// Looks at no file any more. gRPC may keep the object longer than the server lives.
  void end();

  /// Read the certificate and its key, or the authorities, now. @throws Error as checkCertificates(); what was valid
  /// before stays in force
  void reloadPair();
  void reloadAuthorities();

  grpc_tls_certificate_provider* c_provider() override { return watcher_->c_provider(); }

 private:
  void look();
  void take(const CertificateTexts& found);
  void watch();

  const Access access_;
  const std::function<void(const std::string&)> other_authorities_;
  std::mutex mutex_;
  CertificateTexts current_;  ///< under mutex_: what gRPC has
  std::string failure_;       ///< under mutex_: why the files were not valid at the last look
  bool told_ = false;         ///< under mutex_: that has been logged
  MemoryFile pair_, authorities_;
  std::unique_ptr<grpc::experimental::FileWatcherCertificateProvider> watcher_;
  bool ended_ = false;  ///< under mutex_
  std::condition_variable end_;
  std::thread thread_;
};

}  // namespace tactus::server
