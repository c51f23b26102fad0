// SPDX-License-Identifier: Apache-2.0

// What berthd is working on, in a file: one small write, which survives the process however it
// ends.
//
// At start the file shows what the previous berthd was working on when it died. A second death in a
// row at the same pod or manifest makes it deadly, until berthd ends regularly: the restart after
// that tries it again. If the file cannot be opened nothing is recorded, which is reported once.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "base/descriptor.hpp"
#include "base/log.hpp"
#include "lifecycle/in_hand.hpp"

namespace berth::agent {

class InHandFile {
 public:
  InHandFile(const std::string& path, Log& log);
  InHandFile(const InHandFile&) = delete;
  InHandFile& operator=(const InHandFile&) = delete;
  ~InHandFile() = default;

  // By uid and manifest (lifecycle::handled_as), on the loop.
  [[nodiscard]] lifecycle::InHand& pods() { return pods_; }
  // By hash and name of the file being decoded: one at a time, on any thread.
  [[nodiscard]] lifecycle::InHand& manifests() { return manifests_; }

  // Clears the record, so that nothing is deadly for the next berthd.
  void ended_well();

 private:
  struct Page;

  class Slot final : public lifecycle::InHand {
   public:
    void take(std::string_view key) override;
    void put_down() override;
    [[nodiscard]] bool deadly(const std::string& key) const override;

    const Descriptor* file = nullptr;  // null if it could not be opened
    std::size_t at = 0;                // offset of its key in the file, in bytes
    std::map<std::string, int, std::less<>> deaths{};
  };

  Descriptor file_{};
  Slot pods_{};
  Slot manifests_{};
};

}  // namespace berth::agent
