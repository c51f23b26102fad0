// What berthd has in hand, in a file: one small write, which outlives the process however that
// ends.
//
// At a start the file says what the berthd before died at. The second death in a row at the same
// pod or manifest makes it deadly, until berthd ends as it should: whoever restarts it has it tried
// again. What cannot be opened records nothing, which is told once.
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
  // By hash and name of the file, where manifests are decoded: one at a time, on any thread.
  [[nodiscard]] lifecycle::InHand& manifests() { return manifests_; }

  // Nothing is deadly for the next berthd.
  void ended_well();

 private:
  struct Page;

  class Slot final : public lifecycle::InHand {
   public:
    void take(std::string_view key) override;
    void put_down() override;
    [[nodiscard]] bool deadly(const std::string& key) const override;

    const Descriptor* file = nullptr;  // null: it could not be opened
    std::size_t at = 0;                // where its key is in the file, in bytes
    std::map<std::string, int, std::less<>> deaths{};
  };

  Descriptor file_{};
  Slot pods_{};
  Slot manifests_{};
};

}  // namespace berth::agent
