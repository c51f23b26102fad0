// SPDX-License-Identifier: Apache-2.0

#include "agent/serve/exec_status.hpp"

#include <charconv>

#include <boost/json.hpp>

#include "base/text.hpp"

namespace berth::agent {
namespace {

constexpr std::int32_t kCouldNotBeRun = 126;

std::string text_at(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

const boost::json::array* causes_of(const boost::json::object& status) {
  const auto* details = status.if_contains("details");
  if (details == nullptr || !details->is_object()) return nullptr;
  const auto* causes = details->as_object().if_contains("causes");
  return causes != nullptr && causes->is_array() ? &causes->as_array() : nullptr;
}

}  // namespace

ExecEnd exec_end(std::string_view status_json) {
  boost::system::error_code bad;
  const auto value = boost::json::parse(status_json, bad);
  if (bad || !value.is_object()) {
    return {.exit_code = kCouldNotBeRun, .message = valid_text(std::string(status_json))};
  }
  const auto& status = value.as_object();
  if (text_at(status, "status") == "Success") return {};
  if (text_at(status, "reason") == "NonZeroExitCode") {
    if (const auto* causes = causes_of(status)) {
      for (const auto& cause : *causes) {
        if (!cause.is_object() || text_at(cause.as_object(), "reason") != "ExitCode") continue;
        const auto text = text_at(cause.as_object(), "message");
        std::int32_t code = 0;
        const auto* end = text.data() + text.size();
        const auto read = std::from_chars(text.data(), end, code);
        // A failure with code 0, or with an unreadable number, is not a plain exit.
        if (read.ec == std::errc{} && read.ptr == end && code != 0) return {.exit_code = code};
      }
    }
  }
  return {.exit_code = kCouldNotBeRun, .message = text_at(status, "message")};
}

}  // namespace berth::agent
