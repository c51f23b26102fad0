// SPDX-License-Identifier: Apache-2.0

#include "api/pod_uid.hpp"

#include <algorithm>

namespace berth::api {
namespace {

constexpr std::size_t kLongestUid = 128;

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace

bool is_pod_uid(std::string_view uid) {
  if (uid.empty() || uid.size() > kLongestUid || !is_alphanumeric(uid.front())) return false;
  return std::ranges::all_of(uid,
                             [](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; });
}

}  // namespace berth::api
