// SPDX-License-Identifier: Apache-2.0

// Records which pod berthd is handling, where the record outlives berthd: a pod whose handling
// kills berthd (out of memory, a bug) would kill every later berthd as well, and no pod of the node
// would be managed.
//
// Recorded around work whose cost grows with user input, and never across a suspension: for pods,
// on the loop, for microseconds; for manifest files, while they are decoded. An operator's kill is
// unlikely to hit the same pod twice in a row.
#pragma once

#include <exception>
#include <string>
#include <string_view>

namespace berth::lifecycle {

class InHand {
 public:
  InHand() = default;
  InHand(const InHand&) = delete;
  InHand& operator=(const InHand&) = delete;
  virtual ~InHand() = default;

  // `key` identifies one pod or one file.
  virtual void take(std::string_view key) = 0;
  virtual void put_down() = 0;
  // Whether the last two berthds died while they had `key` in hand.
  [[nodiscard]] virtual bool deadly(const std::string& key) const = 0;
};

// Keeps `key` in hand while this object lives. If an exception destroys the object, `key` stays in
// hand, because that exception terminates berthd.
class Handling {
 public:
  // If `in_hand` is null, nothing is recorded.
  Handling(InHand* in_hand, std::string_view key) : in_hand_(in_hand) {
    if (in_hand_ != nullptr) in_hand_->take(key);
  }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;
  ~Handling() {
    if (std::uncaught_exceptions() == exceptions_) put_down();
  }

  // Call before the first suspension.
  void put_down() {
    if (in_hand_ != nullptr) in_hand_->put_down();
    in_hand_ = nullptr;
  }

 private:
  InHand* in_hand_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace berth::lifecycle
