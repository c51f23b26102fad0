// SPDX-License-Identifier: Apache-2.0

// Which pod berthd has in hand, recorded where it outlives berthd: one whose handling ends berthd
// (its memory, a bug) would end the next one as well, and no pod of the node would be looked after.
//
// Recorded around what grows with what somebody states, and while nothing is waited for: pods on
// the loop, for microseconds; manifest files where they are decoded. A berthd that somebody kills
// is hardly ever killed twice in a row within the same one.
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

  // `key` tells one pod, or one file, from every other.
  virtual void take(std::string_view key) = 0;
  virtual void put_down() = 0;
  // The last two berthds have died with it in hand.
  [[nodiscard]] virtual bool deadly(const std::string& key) const = 0;
};

// In hand as long as this lives; for good if an exception ends it, which ends berthd.
class Handling {
 public:
  // `in_hand` may be null: nothing is recorded then.
  Handling(InHand* in_hand, std::string_view key) : in_hand_(in_hand) {
    if (in_hand_ != nullptr) in_hand_->take(key);
  }
  Handling(const Handling&) = delete;
  Handling& operator=(const Handling&) = delete;
  ~Handling() {
    if (std::uncaught_exceptions() == exceptions_) put_down();
  }

  // Before anything is waited for.
  void put_down() {
    if (in_hand_ != nullptr) in_hand_->put_down();
    in_hand_ = nullptr;
  }

 private:
  InHand* in_hand_;
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace berth::lifecycle
