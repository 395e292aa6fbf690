#include "tests/hostile/tls_identity.h"

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <stdexcept>

namespace dowser {
namespace {

template <auto kFree>
struct Free {
  void operator()(auto* thing) const { kFree(thing); }
};
using Key = std::unique_ptr<EVP_PKEY, Free<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Free<X509_free>>;
using Extension = std::unique_ptr<X509_EXTENSION, Free<X509_EXTENSION_free>>;
using Bio = std::unique_ptr<BIO, Free<BIO_free_all>>;

void require(bool ok, const char* what) {
  if (!ok) throw std::runtime_error(what);
}

void add_extension(X509* certificate, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
  const Extension extension(X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str()));
  require(extension && X509_add_ext(certificate, extension.get(), -1) == 1,
          "cannot extend the certificate");
}

Certificate sign_itself(EVP_PKEY* key, std::span<const std::string> names) {
  Certificate certificate(X509_new());
  X509* const c = certificate.get();
  require(c != nullptr, "cannot make a certificate");
  X509_set_version(c, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(c), 1);
  X509_gmtime_adj(X509_getm_notBefore(c), -3600);
  X509_gmtime_adj(X509_getm_notAfter(c), 24 * 3600);
  X509_set_pubkey(c, key);
  X509_NAME* const subject = X509_get_subject_name(c);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("hostile web"), -1, -1, 0);
  X509_set_issuer_name(c, subject);
  std::string alternatives;
  for (const std::string& name : names) {
    alternatives += (alternatives.empty() ? "DNS:" : ",DNS:") + name;
  }
  add_extension(c, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(c, NID_subject_alt_name, alternatives);
  require(X509_sign(c, key, EVP_sha256()) != 0, "cannot sign the certificate");
  return certificate;
}

}  // namespace

TlsIdentity::TlsIdentity(std::span<const std::string> names)
    : context_(SSL_CTX_new(TLS_server_method())) {
  require(context_ != nullptr, "cannot start TLS");
  const Key key(EVP_EC_gen("P-256"));
  require(key != nullptr, "cannot make a key");
  const Certificate certificate = sign_itself(key.get(), names);
  require(SSL_CTX_use_certificate(context_, certificate.get()) == 1 &&
              SSL_CTX_use_PrivateKey(context_, key.get()) == 1,
          "libssl refuses the certificate");
  const Bio text(BIO_new(BIO_s_mem()));
  require(text && PEM_write_bio_X509(text.get(), certificate.get()) == 1,
          "cannot write the certificate");
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  certificate_.assign(data, static_cast<size_t>(size));
}

TlsIdentity::~TlsIdentity() { SSL_CTX_free(context_); }

}  // namespace dowser
