// What berthd has in hand, in a page that is mapped from a file: it is written without a system
// call, and outlives the process however that ends.
//
// At a start the page says what the berthd before died at. The second death in a row at the same
// pod or manifest makes it deadly, until berthd ends as it should: whoever restarts it has it tried
// again. What cannot be mapped records nothing, which is told once.
#pragma once

#include <map>
#include <string>

#include "base/log.hpp"
#include "lifecycle/in_hand.hpp"

namespace berth::agent {

class InHandFile {
 public:
  InHandFile(const std::string& path, Log& log);
  InHandFile(const InHandFile&) = delete;
  InHandFile& operator=(const InHandFile&) = delete;
  ~InHandFile();

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

    char* key = nullptr;  // in the page; null: it is not mapped
    std::map<std::string, int, std::less<>> deaths{};
  };

  Page* page_ = nullptr;
  Slot pods_{};
  Slot manifests_{};
};

}  // namespace berth::agent
