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

// Pods are deep, but not endlessly: what a manifest may hold, with room for the record around it.
constexpr std::size_t kMaxDepth = 128;

// One text for one value: members sorted, so that a record may pass through other tools.
using Members = std::vector<std::pair<std::string_view, const json::value*>>;

Members sorted_members(const json::object& object) {
  Members members;
  members.reserve(object.size());
  for (const auto& member : object) members.emplace_back(member.key(), &member.value());
  std::ranges::sort(members);
  return members;
}

void append_canonical(const json::value& value, std::string& out);

void append_members(const Members& members, std::string& out) {
  out += '{';
  for (const auto& [name, member] : members) {
    out += json::serialize(name);
    out += ':';
    append_canonical(*member, out);
    out += ',';
  }
  out += '}';
}

void append_canonical(const json::value& value, std::string& out) {
  if (const auto* object = value.if_object()) {
    append_members(sorted_members(*object), out);
  } else if (const auto* list = value.if_array()) {
    out += '[';
    for (const json::value& item : *list) {
      append_canonical(item, out);
      out += ',';
    }
    out += ']';
  } else {
    out += json::serialize(value);
  }
}

// FNV-1a, 64 bits: guards against loss, not against an adversary.
std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

}  // namespace

std::string input_digest(const json::object& input) {
  std::string text;
  Members members = sorted_members(input);
  std::erase_if(members, [](const auto& member) { return member.first == kDigest; });
  append_members(members, text);
  return fmt::format("{:016x}", fnv1a(text));
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
