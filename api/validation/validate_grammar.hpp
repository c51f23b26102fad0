// SPDX-License-Identifier: Apache-2.0

// The grammars of Kubernetes' names and values. Each check returns the details of the violations
// (usually none or one; a value can break several rules at once), in the order in which Kubernetes
// reports them. Pure; lengths are in bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::api::grammar {

using Details = std::vector<std::string>;

[[nodiscard]] Details dns1123_label(std::string_view value);
[[nodiscard]] Details dns1123_subdomain(std::string_view value);
[[nodiscard]] Details dns1123_subdomain_with_underscore(std::string_view value);
[[nodiscard]] Details qualified_name(std::string_view value);  // a label key
[[nodiscard]] Details label_value(std::string_view value);
[[nodiscard]] Details env_var_name(std::string_view value);
[[nodiscard]] Details config_map_key(std::string_view value);
[[nodiscard]] Details port_name(std::string_view value);
[[nodiscard]] Details port_number(std::int64_t value);
[[nodiscard]] Details http_header_name(std::string_view value);
[[nodiscard]] Details percentage(std::string_view value);
[[nodiscard]] Details ip_address(std::string_view value);
[[nodiscard]] Details cidr(std::string_view value);
[[nodiscard]] Details user_or_group_id(std::int64_t value);

// The prefix with the tail that a generated name will have: "web-" is checked as "wea" would be.
[[nodiscard]] std::string mask_trailing_dash(std::string_view value);

[[nodiscard]] bool is_sysctl_name(std::string_view value);
[[nodiscard]] bool is_ipv4(std::string_view value);
[[nodiscard]] bool is_ipv6(std::string_view value);

}  // namespace berth::api::grammar
