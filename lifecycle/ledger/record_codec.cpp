// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/record_codec.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/json.hpp>

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

constexpr std::string_view kDigest = "digest";

// Pods are deep, but not endlessly: the depth that a manifest may have, with room for the record
// around it.
constexpr std::size_t kMaxDepth = 128;

// FNV-1a, 64 bits, over one text for one value: compact JSON with a comma after every member and
// element, members sorted by name, so that a record may pass through other tools. Guards against
// loss, not against an adversary. The text is never assembled: records are long, and each is
// digested once when it is written and twice when its decision is retaken.
class Digest {
 public:
  void add_members(const json::object& object, std::string_view left_out = {}) {
    std::vector<const json::key_value_pair*> members;
    members.reserve(object.size());
    for (const auto& member : object)
      if (std::string_view(member.key()) != left_out) members.push_back(&member);
    std::ranges::sort(members, {},
                      [](const auto* member) { return std::string_view(member->key()); });
    add("{");
    for (const auto* member : members) {
      add_string(member->key());
      add(":");
      add_value(member->value());
      add(",");
    }
    add("}");
  }
  [[nodiscard]] std::uint64_t value() const { return hash_; }

 private:
  void add_value(const json::value& value) {
    if (const auto* object = value.if_object()) {
      add_members(*object);
    } else if (const auto* list = value.if_array()) {
      add("[");
      for (const json::value& item : *list) {
        add_value(item);
        add(",");
      }
      add("]");
    } else if (const auto* text = value.if_string()) {
      add_string({text->data(), text->size()});
    } else if (const auto* number = value.if_int64()) {
      add(fmt::format_int(*number).c_str());
    } else {
      add(json::serialize(value));
    }
  }

  void add_string(std::string_view text) {
    const bool plain = std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c != '"' && c != '\\' && c != '\x7f'; });
    if (!plain) return add(json::serialize(text));
    add("\"");
    add(text);
    add("\"");
  }

  void add(std::string_view text) {
    for (const char c : text) {
      hash_ ^= static_cast<unsigned char>(c);
      hash_ *= 0x100000001b3U;
    }
  }

  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

}  // namespace

std::string input_digest(const json::object& input) {
  Digest digest;
  digest.add_members(input, kDigest);
  return fmt::format("{:016x}", digest.value());
}

std::string json_text(const json::value& value) {
  return json::serialize(value);
}

std::string sealed_input(json::value input) {
  json::object& members = input.as_object();
  std::string digest = input_digest(members);
  members.emplace(kDigest, std::move(digest));
  return json::serialize(input);
}

Result<json::value> parsed_part(std::string_view text, std::string_view part) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (!error) return value;
  return fail(ErrorCode::kInvalid,
              fmt::format("the {} of the record is not JSON: {}", part, error.message()));
}

Result<UnsealedInput> unsealed_input(std::string_view text) {
  auto value = parsed_part(text, "input");
  if (!value) return fail(value.error());
  if (!value->is_object())
    return fail(ErrorCode::kInvalid, "the input of the record is not an object");
  json::object& input = value->get_object();
  const json::value* digest = input.if_contains(kDigest);
  if (digest == nullptr || !digest->is_string())
    return fail(ErrorCode::kInvalid, "digest: this input is missing");
  std::string stated(digest->get_string());
  std::string actual = input_digest(input);
  input.erase(kDigest);
  std::optional<std::string> broken;
  if (stated != actual)
    broken = fmt::format(
        "the inputs are not those that were recorded: their digest is {}, the record says {}",
        actual, stated);
  return UnsealedInput{.value = std::move(*value), .broken = std::move(broken)};
}

}  // namespace berth::lifecycle
