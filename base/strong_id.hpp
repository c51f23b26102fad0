// SPDX-License-Identifier: Apache-2.0

// Identifiers that never convert into each other: a pod's uid is not a container id, although both
// are text. Each folder declares its own: `using PodUid = StrongId<struct PodUidTag>;`.
#pragma once

#include <compare>
#include <functional>
#include <string>
#include <utility>

namespace berth {

template <class Tag>
class StrongId {
 public:
  StrongId() = default;
  explicit StrongId(std::string value) : value_(std::move(value)) {}

  [[nodiscard]] const std::string& str() const { return value_; }
  [[nodiscard]] bool empty() const { return value_.empty(); }

  auto operator<=>(const StrongId&) const = default;
  bool operator==(const StrongId&) const = default;

 private:
  std::string value_;
};

}  // namespace berth

template <class Tag>
struct std::hash<berth::StrongId<Tag>> {
  std::size_t operator()(const berth::StrongId<Tag>& id) const noexcept {
    return std::hash<std::string>{}(id.str());
  }
};
