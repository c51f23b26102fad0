// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/ledger_json.hpp"

#include <cstddef>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/utf8.hpp"
#include "lifecycle/ledger/recorded_types.hpp"
#include "lifecycle/ledger/strict_json.hpp"

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

constexpr std::size_t kDepthMax = 128;  // of a record

// Embeds an object, unless Boost.JSON would write it differently: it does not keep every digit of a
// fraction. Anything else, such as the bytes of a damaged row, becomes a string, so that the record
// reads back unchanged.
json::value inner(const std::string& bytes) {
  if (bytes.empty()) return nullptr;
  const std::string text = api::valid_utf8(bytes);
  json::parse_options options;
  options.max_depth = kDepthMax - 1;
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (!error && value.is_object() && json::serialize(value) == text) return value;
  return json::string(text);
}

std::string outer(const json::value& value) {
  if (value.is_null()) return "";
  return value.is_string() ? std::string(value.get_string()) : json::serialize(value);
}

}  // namespace

std::string ledger_record_json(const LedgerRecord& record) {
  using strict_json::write;
  // A damaged row may hold any bytes.
  return api::valid_utf8(
      json::serialize(json::object{{"id", record_id(record)},
                                   {"at", write(record.at)},
                                   {"time", api::MicroTime{record.at}.to_string()},
                                   {"uid", record.uid},
                                   {"namespace", record.namespace_},
                                   {"pod", record.pod},
                                   {"kind", record.kind},
                                   {"reasons", write(record.reasons)},
                                   {"next", write(record.next)},
                                   {"input", inner(record.input)},
                                   {"output", inner(record.output)}}));
}

Result<LedgerRecord> parse_ledger_record(std::string_view line) {
  json::parse_options options;
  options.max_depth = kDepthMax;
  boost::system::error_code error;
  const json::value value = json::parse(line, error, {}, options);
  if (error) return fail(ErrorCode::kInvalid, "a record is not JSON: " + error.message());
  if (!value.is_object()) return fail(ErrorCode::kInvalid, "a record is not an object");
  const json::object& object = value.get_object();

  LedgerRecord record;
  strict_json::Reader reader;
  const auto take = [&](const char* name, auto& out) {
    if (const json::value* found = reader.member(object, name, "")) reader.read(*found, out, name);
  };
  take("at", record.at);
  take("uid", record.uid);
  take("namespace", record.namespace_);
  take("pod", record.pod);
  take("kind", record.kind);
  take("reasons", record.reasons);
  take("next", record.next);
  if (const json::value* input = reader.member(object, "input", "")) record.input = outer(*input);
  if (const json::value* output = reader.member(object, "output", ""))
    record.output = outer(*output);
  if (reader.problem()) return fail(ErrorCode::kInvalid, "a record: " + *reader.problem());
  return record;
}

}  // namespace berth::lifecycle
