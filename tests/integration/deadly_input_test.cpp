// SPDX-License-Identifier: Apache-2.0

// A manifest or pod at which berthd dies each time: after the second death it is named and left
// alone, and everything else runs. Here somebody kills berthd in the middle of its work.
#include <poll.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "base/real_clock.hpp"
#include "tests/integration/hostile_input.hpp"

namespace berth::integration {
namespace {

using namespace std::chrono_literals;

class DeadlyInput : public HostileInput {
 protected:
  // Starts berthd until it has died twice in a row with what `key` matches in hand. `pause`, in
  // milliseconds: how often to look; 0 for what is in hand for a short time only.
  void die_twice_at(const std::regex& key, int pause) {
    const auto deadline = RealClock{}.steady_now() + 60s;
    int deaths = 0;
    while (deaths < 2) {
      launch_berthd();
      while (times_named(key) <= deaths) {
        ASSERT_LT(RealClock{}.steady_now(), deadline) << deaths << " deaths\n" << berthd_log();
        ::poll(nullptr, 0, pause);
      }
      kill_berthd();
      if (times_named(key) == ++deaths) continue;
      deaths = 0;  // it had put it down
      std::filesystem::remove(record());
    }
  }

 private:
  [[nodiscard]] std::filesystem::path record() const { return dir() / "root/in-hand"; }
  // The record of what berthd works on names it for a death before, and while it is in hand. Once
  // it is put down, its key is there without its first byte.
  [[nodiscard]] int times_named(const std::regex& key) const {
    std::ifstream file(record(), std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const std::string zero(1, '\0');
    int times = 0;
    for (auto from = bytes.find_first_not_of(zero); from != std::string::npos;) {
      const auto to = std::min(bytes.find(zero, from), bytes.size());
      if (std::regex_match(bytes.substr(from, to - from), key)) ++times;
      from = bytes.find_first_not_of(zero, to);
    }
    return times;
  }
};

TEST_F(DeadlyInput, a_manifest_is_named_and_not_read_until_berthd_has_ended_in_order) {
  stop_berthd();
  std::string maps;
  for (int i = 0; i < 400; ++i)
    maps += "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: m" + std::to_string(i) +
            "}\ndata: {a: " + std::string(9'000, 'x') + "}\n";
  write_manifest("deadly.yaml", maps);
  ASSERT_NO_FATAL_FAILURE(die_twice_at(std::regex("[0-9a-f]{16} deadly\\.yaml"), 1));
  start_berthd();
  expect_refused("deadly.yaml", "berthd has died twice in a row while it read this file");
  run_pod("web", simple_pod("web", kForEver, kShortGrace));
  end_pod("web");
  stop_berthd();
  start_berthd();
  const auto copy = dir() / "root/last-good-manifests/deadly.yaml";
  wait_until("it is read again", [&] { return std::filesystem::exists(copy); });
  remove_manifest("deadly.yaml");
}

TEST_F(DeadlyInput, a_pod_is_held_and_shown_until_berthd_has_ended_in_order) {
  stop_berthd();
  std::string variables = "    env:\n";
  for (int i = 0; i < 14; ++i)
    variables +=
        "    - {name: V" + std::to_string(i) + ", value: " + std::string(100'000, 'x') + "}\n";
  std::string text = stating_uid("deadly", "deadly-uid");
  text.insert(text.find(kShortGrace), variables);
  write_manifest("deadly.yaml", text);
  ASSERT_NO_FATAL_FAILURE(die_twice_at(std::regex("deadly-uid.*"), 0));
  start_berthd();
  wait_for("deadly", "held", [](const api::Pod& pod) { return pod.status.reason == "BerthdDied"; });
  run_pod("web", simple_pod("web", kForEver, kShortGrace));
  end_pod("web");
  stop_berthd();
  start_berthd();
  wait_for("deadly", "ready", ready);
  end_pod("deadly");
}

}  // namespace
}  // namespace berth::integration
