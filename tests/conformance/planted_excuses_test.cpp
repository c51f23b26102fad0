// SPDX-License-Identifier: Apache-2.0

// Shows that the comparison of whole passes is sensitive: it refuses every recorded pass that is
// changed in one place, and made-up passes that come close to what a manner allows.
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/conformance/made_up_case.hpp"
#include "tests/conformance/pass_model.hpp"
#include "tests/conformance/sync_pod_differences.hpp"
#include "tests/conformance/vector_file.hpp"

namespace berth::conformance {
namespace {

namespace json = boost::json;

bool is_set(const json::value& call) {
  const std::string op(call.at("op").as_string());
  return op == "StopContainer" || op == "RemoveContainer" || op == "StopPodSandbox" ||
         op == "RemovePodSandbox";
}

void expect_no_change_excused(const Answers& answers, const std::string& id) {
  for (const char* key : {"calls", "events", "results"}) {
    const std::size_t size = answers.ours.at(key).as_array().size();
    for (std::size_t i = 0; i < size; ++i) {
      EXPECT_FALSE(answers.excused([&](json::object& ours) {
        json::array& items = ours.at(key).as_array();
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(i));
      })) << id
          << " without " << key << "[" << i << "]";
      EXPECT_FALSE(answers.excused([&](json::object& ours) {
        json::array& items = ours.at(key).as_array();
        items.push_back(json::value(items[i]));
      })) << id
          << " with " << key << "[" << i << "] twice";
    }
  }
  const json::array& calls = answers.ours.at("calls").as_array();
  for (std::size_t i = 1; i < calls.size(); ++i) {
    if (is_set(calls[i]) && calls[i].at("op") == calls[i - 1].at("op")) continue;
    EXPECT_FALSE(answers.excused([&](json::object& ours) {
      json::array& items = ours.at("calls").as_array();
      std::swap(items[i], items[i - 1]);
    })) << id
        << " with calls[" << i << "] before the one before it";
  }
}

TEST(PlantedExcuses, no_recorded_pass_may_be_otherwise_in_one_place) {
  constexpr std::size_t kEach = 7;  // every seventh case, which takes some seconds
  std::size_t seen = 0;
  for_each_case(BERTH_VECTORS "/node/sync_pod.jsonl.gz", [&](const json::object& the_case) {
    if (seen++ % kEach != 0) return;
    Answers answers = answers_to(the_case.at("input").as_object());
    answers.theirs = the_case.at("expect").as_object();
    const std::string id(the_case.at("id").as_string());
    ASSERT_TRUE(answers.excused()) << id;
    expect_no_change_excused(answers, id);
  });
  EXPECT_GT(seen, kEach);
}

TEST(PlantedExcuses, the_kubelets_pass_may_not_be_otherwise_either) {
  std::size_t seen = 0;
  for_each_case(BERTH_VECTORS "/node/sync_pod.jsonl.gz", [&](const json::object& the_case) {
    if (seen++ % 7 != 0) return;
    Answers answers = answers_to(the_case.at("input").as_object());
    const json::object recorded = the_case.at("expect").as_object();
    for (const char* key : {"calls", "events", "results"}) {
      answers.theirs = recorded;
      json::array& items = answers.theirs.at(key).as_array();
      if (items.empty()) continue;
      items.pop_back();
      EXPECT_FALSE(answers.excused()) << the_case.at("id").as_string().c_str() << " " << key;
    }
    answers.theirs = recorded;
    answers.theirs["syncError"] = "no";
    EXPECT_FALSE(answers.excused()) << the_case.at("id").as_string().c_str();
  });
}

json::value call(const char* op, const char* name, const char* id) {
  return {{"op", op}, {"id", id}, {"name", name}};
}

TEST(PlantedExcuses, only_what_is_dead_and_not_the_newest_is_removed) {
  const Answers answers = Case("Always")
                              .container("main")
                              .record("c3", "main", "running")
                              .record("c2", "main", "exited")
                              .record("c1", "main", "exited")
                              .answers();
  EXPECT_EQ(ops_of(answers.ours), (Ops{"RemoveContainer main c1"}));
  EXPECT_TRUE(answers.excused());
  for (const char* id : {"c2", "c3"})
    EXPECT_FALSE(answers.excused([&](json::object& ours) {
      ours["calls"] = json::array{call("RemoveContainer", "main", id)};
    })) << id;
}

TEST(PlantedExcuses, what_has_died_behind_an_unknown_instance_is_kept) {
  const Answers answers = Case("Always")
                              .init("init")
                              .container("main")
                              .record("m1", "main", "running")
                              .record("i2", "init", "unknown")
                              .record("i1", "init", "exited")
                              .answers();
  EXPECT_EQ(ops_of(answers.theirs), (Ops{"RemoveContainer init i1"}));
  EXPECT_EQ(ops_of(answers.ours), Ops{});
  EXPECT_FALSE(answers.excused([&](json::object& ours) {
    ours["calls"] = json::array{call("RemoveContainer", "init", "i1")};
  }));
}

TEST(PlantedExcuses, a_sandbox_is_not_removed_by_a_pass) {
  Case made("Always");
  Answers answers = made.container("main").record("m1", "main", "running").answers();
  EXPECT_FALSE(answers.excused([](json::object& ours) {
    ours["calls"] = json::array{{{"op", "RemovePodSandbox"}, {"id", "s1"}}};
  }));
}

TEST(PlantedExcuses, a_pod_that_is_not_over_by_its_records_may_not_be_ended) {
  const Answers answers =
      Case("OnFailure").container("main").record("m1", "main", "running").answers();
  EXPECT_EQ(ops_of(answers.ours), Ops{});
  EXPECT_FALSE(answers.excused([](json::object& ours) {
    ours["calls"] = json::array{{{"op", "StopPodSandbox"}, {"id", "s1"}}};
  }));
}

TEST(PlantedExcuses, what_follows_a_sidecar_waits_for_its_startup_probe) {
  const Answers ready = Case("Always").sidecar("side").container("main").answers();
  EXPECT_EQ(ops_of(ready.theirs), (Ops{"CreateContainer side", "StartContainer side new-side"}));
  EXPECT_EQ(ops_of(ready.ours), (Ops{"CreateContainer side", "StartContainer side new-side",
                                     "CreateContainer main", "StartContainer main new-main"}));
  const Answers probed =
      Case("Always").sidecar("side", {{"startupProbe", kProbe}}).container("main").answers();
  EXPECT_EQ(ops_of(probed.ours), ops_of(probed.theirs));
  EXPECT_FALSE(probed.excused([&](json::object& ours) {
    ours["calls"] = ready.ours.at("calls");
    ours["events"] = ready.ours.at("events");
    ours["results"] = ready.ours.at("results");
  }));
}

TEST(PlantedExcuses, what_follows_an_init_container_waits_for_its_completion) {
  const Answers answers = Case("Always").init("init").container("main").answers();
  const Answers other = Case("Always").sidecar("init").container("main").answers();
  EXPECT_FALSE(answers.excused([&](json::object& ours) { ours = other.ours; }));
}

TEST(PlantedExcuses, a_restarted_sidecar_holds_back_what_has_its_startup_probe_before_it) {
  const auto restarted = [](json::object more) {
    return Case("Always")
        .sidecar("side", std::move(more))
        .container("main")
        .container("other")
        .record("s2", "side", "exited")
        .record("m1", "main", "running")
        .answers();
  };
  const Answers free = restarted({});
  EXPECT_EQ(free.ours.at("calls"), free.theirs.at("calls"));
  const Answers hooked = restarted({{"lifecycle", kHook}});
  EXPECT_EQ(hooked.ours.at("calls"), hooked.theirs.at("calls"));
}

TEST(PlantedExcuses, a_created_container_that_is_started_has_its_hook_and_its_failures) {
  const Answers answers = Case("Always")
                              .container("main", {{"lifecycle", kHook}})
                              .record("m1", "main", "created")
                              .fails("postStartHook", "main")
                              .answers();
  EXPECT_EQ(ops_of(answers.ours),
            (Ops{"StartContainer main m1", "PostStartHook main", "StopContainer main m1"}));
  EXPECT_FALSE(answers.excused([](json::object& ours) { ours.at("calls").as_array().pop_back(); }));
  const Answers failing = Case("Always")
                              .container("main")
                              .record("m1", "main", "created")
                              .fails("startContainer", "main")
                              .answers();
  EXPECT_FALSE(failing.excused([](json::object& ours) { ours["results"] = json::array(); }));
}

TEST(PlantedExcuses, a_sandbox_is_not_stopped_under_a_container_that_could_not_be_stopped) {
  const Answers answers = Case("Never")
                              .container("main")
                              .record("m1", "main", "unknown", {{"sandbox", "gone"}})
                              .fails("stopContainer", "main")
                              .answers();
  for (const json::value& call : answers.ours.at("calls").as_array())
    EXPECT_NE(call.at("op").as_string(), "StopPodSandbox");
  EXPECT_FALSE(answers.excused([](json::object& ours) {
    ours.at("calls").as_array().push_back({{"op", "StopPodSandbox"}, {"id", "s1"}});
  }));
}

TEST(PlantedExcuses, a_count_of_cases_that_is_not_as_stated_is_reported_of_the_own_ones_only) {
  std::ostringstream out;
  report_sync_pod(out, false);  // discards what was compared so far
  EXPECT_TRUE(report_sync_pod(out, false));
  EXPECT_FALSE(report_sync_pod(out, true)) << "none of its own cases was compared";
}

}  // namespace
}  // namespace berth::conformance
