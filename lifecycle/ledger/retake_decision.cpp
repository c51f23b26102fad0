// SPDX-License-Identifier: Apache-2.0

#include "lifecycle/ledger/retake_decision.hpp"

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/record_codec.hpp"

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

std::optional<std::string> first_difference(const json::value& was, const json::value& is,
                                            const std::string& path) {
  if (was.is_object() && is.is_object()) {
    for (const auto& member : was.get_object()) {
      const std::string below = path + "." + std::string(member.key());
      const json::value* other = is.get_object().if_contains(member.key());
      if (other == nullptr) return below + " was recorded, and is not decided any more";
      if (auto difference = first_difference(member.value(), *other, below)) return difference;
    }
    for (const auto& member : is.get_object()) {
      if (!was.get_object().contains(member.key()))
        return path + "." + std::string(member.key()) + " is missing in the record";
    }
    return std::nullopt;
  }
  if (was.is_array() && is.is_array() && was.get_array().size() == is.get_array().size()) {
    for (std::size_t i = 0; i < was.get_array().size(); ++i) {
      auto difference =
          first_difference(was.get_array()[i], is.get_array()[i], fmt::format("{}[{}]", path, i));
      if (difference) return difference;
    }
    return std::nullopt;
  }
  const std::string before = json::serialize(was);
  const std::string now = json::serialize(is);
  if (before == now) return std::nullopt;
  return fmt::format("{} was {}, and comes out as {}", path, before, now);
}

std::unexpected<Error> differs(const std::string& what) {
  return fail(ErrorCode::kInvalid, "the decision taken again differs: " + what);
}

// Identical texts need not be parsed.
std::optional<Error> differing_input(const LedgerRecord& record, const LedgerRecord& now) {
  if (record.input == now.input) return std::nullopt;
  const auto input = parsed_part(record.input, "input");
  if (!input) return input.error();
  const auto read = parsed_part(now.input, "input");
  if (!read) return read.error();
  const auto difference = first_difference(*input, *read, "input");
  if (!difference) return std::nullopt;
  return Error{.code = ErrorCode::kInvalid,
               .message = "the record is not what is read from it: " + *difference};
}

std::optional<Error> differing_output(const LedgerRecord& record, const LedgerRecord& now) {
  if (record.output == now.output) return std::nullopt;
  const auto recorded = parsed_part(record.output, "output");
  if (!recorded) return recorded.error();
  const auto retaken = parsed_part(now.output, "output");
  if (!retaken) return retaken.error();
  const auto difference = first_difference(*recorded, *retaken, "output");
  if (!difference) return std::nullopt;
  return differs(*difference).error();
}

// Compares the retaken decision (`now`) with the record.
Result<bool> compare(const LedgerRecord& record, const LedgerRecord& now) {
  if (record.uid != now.uid || record.pod != now.pod || record.namespace_ != now.namespace_) {
    return differs(fmt::format("the record is of {}/{} ({}), its input of {}/{} ({})",
                               record.namespace_, record.pod, record.uid, now.namespace_, now.pod,
                               now.uid));
  }
  if (record.at != now.at) return differs("it was not taken when the record says");
  if (auto difference = differing_input(record, now)) return fail(*difference);
  if (auto difference = differing_output(record, now)) return fail(*difference);
  if (record.reasons != now.reasons) return differs("it has other reasons");
  if (record.next != now.next) return differs("it is looked at again at another time");
  return true;
}

}  // namespace

Result<LedgerRecord> decide_again(const LedgerRecord& record) {
  if (record.kind == kLedgerFact) return fail(ErrorCode::kInvalid, "a fact was not decided");
  if (const AnyKind* kind = find_kind(record.kind)) return kind->decide_again(record);
  return fail(ErrorCode::kUnimplemented,
              "records of the kind \"" + record.kind + "\" are not known to this version");
}

Result<bool> retake_decision(const LedgerRecord& record) {
  if (record.kind == kLedgerFact) return false;
  const auto now = decide_again(record);
  const Result<bool> taken = now ? compare(record, *now) : fail(now.error());
  if (taken) return taken;
  const std::string subject =
      record.pod.empty() ? record.uid : fmt::format("pod {}/{}", record.namespace_, record.pod);
  return fail(wrap(fmt::format("{} of {}", record.kind, subject), taken.error()));
}

}  // namespace berth::lifecycle
