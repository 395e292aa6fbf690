#pragma once

#include <memory>
#include <span>
#include <string>

struct ssl_ctx_st;

namespace dowser {

// A key and a certificate that it signed itself, made anew for every run.
class TlsIdentity {
 public:
  // For these host names. Throws where libssl fails: nothing is to be had without it.
  explicit TlsIdentity(std::span<const std::string> names);
  ~TlsIdentity();
  TlsIdentity(const TlsIdentity&) = delete;
  TlsIdentity& operator=(const TlsIdentity&) = delete;

  ssl_ctx_st* context() const { return context_; }
  // The certificate as PEM: who trusts it trusts the hosts that it names.
  const std::string& certificate() const { return certificate_; }

 private:
  ssl_ctx_st* context_;
  std::string certificate_;
};

}  // namespace dowser
