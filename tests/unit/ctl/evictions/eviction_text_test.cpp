// SPDX-License-Identifier: Apache-2.0

// berthctl's output about evictions.
#include "ctl/evictions/eviction_text.hpp"

#include <gtest/gtest.h>
#include <boost/json.hpp>

#include "ctl/evictions/eviction_json.hpp"
#include "tests/unit/ctl/evictions/simulated_reply.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

wire::ExplainEvictionsReply explained() {
  wire::ExplainEvictionsReply reply;
  reply.set_verdict("NothingMet");
  reply.set_layout("single");
  reply.set_until_action_ms(90'000);
  auto& signal = *reply.add_signals();
  signal.set_name("memory.available");
  signal.set_value("18Gi");
  signal.set_capacity("24Gi");
  signal.set_slope("-3.0Mi");
  auto& threshold = *signal.add_thresholds();
  threshold.set_threshold("memory.available<100Mi");
  threshold.set_limit("100Mi");
  threshold.set_standing("NotMet");
  threshold.set_headroom("17.9Gi");
  threshold.set_until_met_ms(90'000);
  threshold.set_until_action_ms(90'000);
  auto& other = *reply.add_signals();
  other.set_name("memory.availableWithCache");
  other.set_own(true);
  other.set_value("20Gi");
  auto& condition = *reply.add_conditions();
  condition.set_type("MemoryPressure");
  condition.set_present(true);
  condition.set_until_cleared_ms(250'000);
  auto& ranking = *reply.add_rankings();
  ranking.set_signal("memory.available");
  for (const char* name : {"critical", "web", "db"}) {
    auto& pod = *ranking.add_pods();
    pod.set_namespace_("default");
    pod.set_name(name);
    pod.set_usage("1Gi");
    pod.set_request("2Gi");
    pod.set_within_request(true);
  }
  ranking.mutable_pods(0)->set_exempt("SystemPriority");
  ranking.mutable_pods(1)->set_ahead_by("Priority");
  ranking.set_next_victim(1);
  return reply;
}

TEST(EvictionText, explains_where_the_node_stands_and_who_goes_next) {
  EXPECT_EQ(
      explain_text(explained()),
      "Now: NothingMet; at the rate of the last minute the first threshold acts in 90s\n"
      "File systems: single\n"
      "MemoryPressure True (clears in 4m10s if nothing raises it again)\n"
      "\n"
      "SIGNAL                                VALUE   CAPACITY   THRESHOLD   KIND   STANDING   "
      "HEADROOM   A SECOND   MET IN   ACTS IN\n"
      "memory.available                      18Gi    24Gi       100Mi       hard   NotMet     "
      "17.9Gi     -3.0Mi     90s      90s\n"
      "memory.availableWithCache (berth's)   20Gi    -\n"
      "\n"
      "If memory.available runs short:\n"
      "    POD                USAGE   REQUEST   PRIORITY   AHEAD BY   NOTE\n"
      "1   default/critical   1Gi     2Gi       0          -          exempt: SystemPriority\n"
      "2   default/web        1Gi     2Gi       0          Priority   NEXT, though within its "
      "requests: no pod is left that exceeds them\n"
      "3   default/db         1Gi     2Gi       0          -          within its requests\n");
}

TEST(EvictionText, names_everybody_who_goes_now) {
  wire::ExplainEvictionsReply reply;
  reply.set_verdict("LimitsExceeded");
  for (const char* name : {"web", "db"}) {
    auto& one = *reply.add_evictions();
    one.set_namespace_("default");
    one.set_name(name);
    one.set_cause("sizeLimit of volume scratch (20Mi of 10Mi used)");
    one.set_grace_seconds(1);
  }
  EXPECT_NE(explain_text(reply).find(
                "\nGoing now:\n"
                "POD           GRACE   CAUSE\n"
                "default/web   1s      sizeLimit of volume scratch (20Mi of 10Mi used)\n"
                "default/db    1s      sizeLimit of volume scratch (20Mi of 10Mi used)\n"),
            std::string::npos)
      << explain_text(reply);
  const auto shown = explain_json(reply);
  const auto& evictions = shown.at("evictions").as_array();
  ASSERT_EQ(evictions.size(), 2U);
  EXPECT_EQ(evictions[1].at("name"), "db");
  EXPECT_EQ(evictions[1].at("gracePeriodSeconds"), 1);
}

TEST(EvictionText, says_what_is_waited_for_before_somebody_goes) {
  struct Case {
    const char* word = "";
    std::optional<std::int64_t> until_action_ms{};
    const char* text = "";
  };
  const Case cases[] = {
      {"", 0, "0ms"},
      {"", {}, "-"},
      {"NewSample", 0, "at the next measurement"},
      {"Average", 30'000, "30s, when the average no longer includes the last evicted pod"},
      {"FreedDisk", 6'000, "6s, when the disk has freed what the last evicted pod had"},
      {"Reclaim", {}, "when the node has reclaimed what it can"},
      {"PodEnd", {}, "when the evicted pod has ended"},
      {"Rain", {}, "after Rain"},
  };
  for (const Case& one : cases) {
    wire::ExplainEvictionsReply reply;
    reply.set_verdict("Evict");
    reply.add_evictions()->set_name("web");
    auto& threshold = *reply.add_signals()->add_thresholds();
    threshold.set_standing("Due");
    reply.set_waits_for(one.word);
    threshold.set_waits_for(one.word);
    if (one.until_action_ms) {
      reply.set_until_action_ms(*one.until_action_ms);
      threshold.set_until_action_ms(*one.until_action_ms);
    }
    EXPECT_EQ(signal_rows(reply).at(1).back(), one.text);
    const std::string text = explain_text(reply);
    const bool waits = *one.word != '\0';
    EXPECT_EQ(text.starts_with(std::string("Now: Evict; it acts ") + one.text + "\n"), waits)
        << text;
    EXPECT_EQ(text.find("Going now:") == std::string::npos, waits);
    EXPECT_EQ(explain_json(reply).as_object().contains("waitsFor"), waits);
  }
}

TEST(EvictionText, where_nobody_could_go_promises_no_action) {
  wire::ExplainEvictionsReply reply;
  reply.set_verdict("NobodyEvictable");
  auto& threshold = *reply.add_signals()->add_thresholds();
  threshold.set_standing("Due");
  threshold.set_until_met_ms(0);
  EXPECT_EQ(signal_rows(reply).at(1).back(), "-");
  EXPECT_TRUE(explain_text(reply).starts_with("Now: NobodyEvictable\n")) << explain_text(reply);
}

TEST(EvictionText, of_pods_has_their_places_for_memory_disk_and_processes) {
  wire::PodUsage pod;
  pod.set_name("web");
  for (const char* signal : {"memory.available", "nodefs.available", "pid.available"}) {
    pod.add_signals(signal);
    pod.add_places(static_cast<std::uint32_t>(pod.signals_size()));
  }
  pod.add_exempt_signals("nodefs.available");
  EXPECT_EQ(top_pods_row(pod, false), (Row{"web", "-", "-", "-", "-", "1", "exempt (2)", "3"}));
  EXPECT_EQ(top_pods_header(false).back(), "PLACE IF PIDS ARE SHORT");
  EXPECT_EQ(top_pods_header(true).size(), top_pods_row(pod, true).size());
}

TEST(EvictionText, signals_for_which_pods_rank_alike_share_a_table) {
  wire::ExplainEvictionsReply reply;
  for (const char* name : {"nodefs.available", "pid.available", "imagefs.available"}) {
    auto& ranking = *reply.add_rankings();
    ranking.set_signal(name);
    auto& pod = *ranking.add_pods();
    pod.set_namespace_("default");
    pod.set_name("web");
    pod.set_usage("104399872");
    pod.set_request("8388608Ki");
  }
  reply.mutable_rankings(1)->mutable_pods(0)->set_request("");
  const std::string text = explain_text(reply);
  EXPECT_NE(text.find("If nodefs.available or imagefs.available runs short:\n"
                      "    POD           USAGE    REQUEST"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("default/web   99.6Mi   8Gi "), std::string::npos) << text;
  EXPECT_NE(text.find("default/web   104399872"), std::string::npos)
      << "processes are counted, not measured in bytes: " << text;
}

TEST(EvictionText, amounts_read_as_quantities_in_mebibytes) {
  struct Case {
    const char* given;
    const char* shown;
  };
  for (const Case& one :
       {Case{"0", "0"}, Case{"1000", "1000"}, Case{"1536", "1.5Ki"}, Case{"100Mi", "100Mi"},
        Case{"104857601", "100Mi"}, Case{"8140564Ki", "7.76Gi"}, Case{"12884901889", "12Gi"}}) {
    wire::ExplainEvictionsReply reply;
    auto& signal = *reply.add_signals();
    signal.set_name("memory.available");
    signal.set_value(one.given);
    EXPECT_EQ(signal_rows(reply).at(1).at(1), one.shown) << one.given;
  }
}

TEST(EvictionText, of_a_log_says_what_each_was_decided_from) {
  wire::EvictionEntry entry;
  entry.set_time("2026-01-02T03:04:05Z");
  entry.set_namespace_("default");
  entry.set_name("web");
  entry.set_sentence("evicted: memory.available<100Mi, and 50Mi is left");
  entry.set_record_json(
      R"({"threshold":"memory.available<100Mi","observed":"50Mi","grace_seconds":1,)"
      R"("reclaimed":[],"ranking":[{"pod":"default/web","usage":"3Gi","request":"0",)"
      R"("priority":0,"ahead_by":"","exempt":""}]})");
  const std::string text = log_text({entry});
  EXPECT_TRUE(text.starts_with(
      "2026-01-02T03:04:05Z  default/web  evicted: memory.available<100Mi, and 50Mi is left\n"
      "    Threshold:  memory.available<100Mi\n"
      "    Left:       50Mi\n"
      "    Grace:      1\n"
      "    POD"))
      << text;
  entry.set_record_json(
      R"({"signal":"memory.available","threshold":"memory.available<10%","observed":"1610612736"})");
  EXPECT_NE(log_text({entry}).find("    Left:       1.5Gi\n"), std::string::npos);
  // Rounded down, as in the message.
  entry.set_record_json(R"({"signal":"memory.available","observed":"22100000000"})");
  EXPECT_NE(log_text({entry}).find("    Left:       20.5Gi\n"), std::string::npos);
  entry.set_record_json(R"({"signal":"memory.pressure.full.avg10","observed":"20%","ranking":[]})");
  EXPECT_NE(log_text({entry}).find("    Measured:   20%\n"), std::string::npos);
  entry.set_record_json(R"({"signal":"emptydirfs.limit","observed":"524288000"})");
  EXPECT_NE(log_text({entry}).find("    Used:       500Mi\n"), std::string::npos);
  entry.set_record_json(
      R"({"signal":"emptydirfs.limit","observed":"524288000","limit":"1Mi","reading_age_ms":3})");
  entry.set_decision("eviction-17-uid");
  EXPECT_TRUE(
      log_text({entry}).ends_with("    Limit:      1Mi\n"
                                  "    Read:       3 ms before the decision\n"
                                  "    All inputs: berthctl why --decision eviction-17-uid\n"))
      << log_text({entry});
  entry.set_record_json("of another time");
  EXPECT_NE(log_text({entry}).find("default/web"), std::string::npos);
}

TEST(EvictionText, of_a_simulation_says_from_where_on_it_is_a_guess) {
  EXPECT_EQ(simulation_text(simulated()),
            "3 samples from 2026-01-02T03:00:00Z to 2026-01-02T03:00:20Z, under: "
            "memory.available<5Gi\n"
            "2026-01-02T03:00:10Z  event 0\n"
            "2026-01-02T03:00:10Z  event 1\n"
            "From here on this is a guess: the events above differ from what really happened.\n"
            "2026-01-02T03:00:10Z  event 2\n");
  EXPECT_EQ(simulation_text({}), "No measurements were recorded in that time.\n");
}

TEST(EvictionText, of_pods_shows_what_is_known_and_nothing_for_what_is_not) {
  wire::PodUsage pod;
  pod.set_namespace_("default");
  pod.set_name("web");
  pod.set_memory_bytes(512 << 20);
  pod.set_memory_request_bytes(std::int64_t{1} << 30);
  pod.add_signals("memory.available");
  pod.add_places(2);
  EXPECT_EQ(top_pods_row(pod, false), (Row{"web", "512Mi", "50%", "-", "-", "2", "-", "-"}));
  EXPECT_EQ(top_pods_header(true).size(), top_pods_row(pod, true).size());
}

TEST(EvictionJson, has_the_kinds_that_the_manual_names) {
  EXPECT_EQ(explain_json(explained()).at("kind"), "EvictionExplanation");
  EXPECT_EQ(explain_json(explained()).at("rankings").at(0).at("nextVictim").to_number<int>(), 1);
  EXPECT_EQ(simulation_json(simulated()).at("events").as_array().size(), 3U);
  wire::EvictionEntry entry;
  entry.set_record_json("{\"signal\":\"x\"}");
  EXPECT_EQ(log_json({entry}).at("items").at(0).at("record").at("signal"), "x");
  EXPECT_EQ(top_json({wire::PodUsage()}).at("items").as_array().size(), 1U);
}

}  // namespace
}  // namespace berth::ctl
