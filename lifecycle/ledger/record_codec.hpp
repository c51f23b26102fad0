// SPDX-License-Identifier: Apache-2.0

// The inputs and outputs of decisions as the JSON text of ledger records.
//
// An input holds every member of the question, and a digest of all of them: a record from which
// anything was removed, however deep, is refused, even if the decision would have come out the
// same. Read errors are kInvalid and name the path of what is missing or does not fit. Pure; any
// thread. Included only by the sources that write and read records.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <boost/json.hpp>

#include "base/result.hpp"
#include "lifecycle/ledger/strict_json.hpp"

namespace berth::lifecycle {

// The digest of all members except the digest itself, independent of their order.
[[nodiscard]] std::string input_digest(const boost::json::object& input);

[[nodiscard]] std::string json_text(const boost::json::value& value);
// The text of `input`, an object, with its digest added.
[[nodiscard]] std::string sealed_input(boost::json::value input);

// `part`: "input" or "output", for the error message.
[[nodiscard]] Result<boost::json::value> parsed_part(std::string_view text, std::string_view part);

struct UnsealedInput {
  boost::json::value value{};           // an object, without its digest
  std::optional<std::string> broken{};  // set if the digest does not match the members
};
[[nodiscard]] Result<UnsealedInput> unsealed_input(std::string_view text);

template <class Question>
[[nodiscard]] Result<Question> read_input(std::string_view text) {
  const auto input = unsealed_input(text);
  if (!input) return fail(input.error());
  Question out{};
  strict_json::Reader reader;
  reader.read(input->value, out, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, *reader.problem());
  if (input->broken) return fail(ErrorCode::kInvalid, *input->broken);
  return out;
}

template <class Decision>
[[nodiscard]] Result<Decision> read_output(std::string_view text) {
  const auto value = parsed_part(text, "output");
  if (!value) return fail(value.error());
  Decision out{};
  strict_json::Reader reader;
  reader.read(*value, out, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, "output: " + *reader.problem());
  return out;
}

}  // namespace berth::lifecycle
