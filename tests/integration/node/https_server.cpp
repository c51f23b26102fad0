// SPDX-License-Identifier: Apache-2.0

// An HTTPS server for a container of a test, with an untrustworthy certificate.
//
//   https-server PORT FILE
//
// It answers every request: 200 while FILE exists, 503 while it does not.
#include <cstdint>
#include <filesystem>
#include <string>

#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include "listener.hpp"

namespace {

constexpr int kKeyBits = 2048;
constexpr long kHour = 3'600;

// Self-signed, for no host, expired.
void use_worthless_certificate(SSL_CTX* context) {
  EVP_PKEY* key = EVP_RSA_gen(kKeyBits);
  X509* certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), -2 * kHour);
  X509_gmtime_adj(X509_getm_notAfter(certificate), -kHour);
  X509_set_pubkey(certificate, key);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context, certificate);
  SSL_CTX_use_PrivateKey(context, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

void serve(SSL_CTX* context, int connection, const std::filesystem::path& file) {
  SSL* tls = SSL_new(context);
  SSL_set_fd(tls, connection);
  if (SSL_accept(tls) != 1) return;
  std::string request;
  while (request.find("\r\n\r\n") == std::string::npos) {
    char part[1024];
    const int count = SSL_read(tls, part, sizeof part);
    if (count <= 0) return;
    request.append(part, static_cast<std::size_t>(count));
  }
  const std::string answer =
      std::filesystem::exists(file)
          ? "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nConnection: close\r\n\r\nfine"
          : "HTTP/1.1 503 No\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbusy";
  SSL_write(tls, answer.data(), static_cast<int>(answer.size()));
  SSL_shutdown(tls);
  SSL_free(tls);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: https-server PORT FILE\n", stderr);
    return 2;
  }
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  use_worthless_certificate(context);
  berth::integration::serve_for_ever(static_cast<std::uint16_t>(std::atoi(argv[1])),
                                     [&](int connection) { serve(context, connection, argv[2]); });
}
