// SPDX-License-Identifier: Apache-2.0

#include "ctl/object_text.hpp"

#include <boost/json.hpp>

#include "api/codec.hpp"
#include "api/codec/json_text.hpp"
#include "api/codec/yaml_text.hpp"

namespace berth::ctl {
namespace {

Result<boost::json::value> parse(const std::string& json) {
  boost::system::error_code error;
  boost::json::parse_options options;
  options.max_depth = 200;
  auto value = boost::json::parse(json, error, {}, options);
  if (error) return fail(ErrorCode::kUnknown, "berthd sent broken JSON: " + error.message());
  return value;
}

}  // namespace

Result<api::Pod> pod_from(const std::string& json) {
  return api::from_json_text<api::Pod>(json);
}

Result<api::Event> event_from(const std::string& json) {
  return api::from_json_text<api::Event>(json);
}

Result<api::Node> node_from(const std::string& json) {
  return api::from_json_text<api::Node>(json);
}

std::string value_text(const boost::json::value& value, Output output) {
  if (output == Output::kYaml) return api::yaml_text(value);
  return api::pretty_json(value) + "\n";
}

Result<std::string> object_text(const std::string& json, Output output) {
  const auto value = parse(json);
  if (!value) return std::unexpected(value.error());
  return value_text(*value, output);
}

Result<std::string> list_text(const std::vector<std::string>& objects, Output output) {
  boost::json::array items;
  for (const auto& json : objects) {
    auto value = parse(json);
    if (!value) return std::unexpected(value.error());
    items.push_back(std::move(*value));
  }
  const boost::json::value list = {{"apiVersion", "v1"},
                                   {"items", items},
                                   {"kind", "List"},
                                   {"metadata", {{"resourceVersion", ""}}}};
  return value_text(list, output);
}

}  // namespace berth::ctl
