// SPDX-License-Identifier: Apache-2.0

// One exchange on the HTTP port: parses a request from whatever pieces arrive, within limits, and
// builds its answer.
//
// The pieces make no difference: nothing of a head is parsed before its end has arrived, and
// nothing of a body beyond its limit. Pure except for the sources (http_routes.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/system/error_code.hpp>

#include "agent/serve/http_routes.hpp"
#include "probes/chunked_body.hpp"

namespace berth::agent {

using HttpResponse = boost::beast::http::response<boost::beast::http::string_body>;

class HttpExchange {
 public:
  HttpExchange();

  void take(std::string_view bytes);
  // Whether any part of the request has arrived.
  [[nodiscard]] bool begun() const { return begun_; }
  // The request is complete, or invalid.
  [[nodiscard]] bool done() const { return done_; }

  // Call once it is done.
  [[nodiscard]] HttpResponse answer(const HttpSources& sources) const;
  // Whether another request may follow on the connection, and what of it has already arrived.
  [[nodiscard]] bool keeps_connection() const;
  [[nodiscard]] const std::string& rest() const { return pending_; }

 private:
  void read_head();
  void read_body();
  void read_chunks();
  void read_plain();
  std::size_t put(std::size_t bytes);

  boost::beast::http::request_parser<boost::beast::http::string_body> parser_{};
  probes::ChunkedBody chunks_{};
  std::size_t chunk_bytes_ = 0;  // done with, of a body in chunks: sizes and line ends count, too
  std::string pending_{};
  boost::system::error_code error_{};
  bool begun_ = false;
  bool done_ = false;
};

}  // namespace berth::agent
