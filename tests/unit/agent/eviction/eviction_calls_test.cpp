// SPDX-License-Identifier: Apache-2.0

// The control API's eviction calls: what they accept, refuse and pass on.
#include "agent/eviction/eviction_calls.hpp"

#include "lifecycle/ledger/eviction_record.hpp"
#include "tests/unit/agent/eviction/manager_fixture.hpp"

namespace berth::agent {
namespace {

class RecordedEvictions final : public LedgerReader {
 public:
  boost::asio::awaitable<Result<std::vector<lifecycle::LedgerRecord>>> read_ledger(
      LedgerQuery query) override {
    asked.push_back(std::move(query));
    if (broken) co_return fail(ErrorCode::kUnavailable, "the disk does not answer");
    co_return std::vector<lifecycle::LedgerRecord>{
        {.namespace_ = "default", .pod = "web", .kind = std::string(lifecycle::kLedgerEviction)}};
  }

  std::vector<LedgerQuery> asked{};
  bool broken = false;
};

class EvictionCallsTest : public EvictionManagerTest {
 protected:
  EvictionCallSources sources() {
    return {.manager = manager ? &*manager : nullptr,
            .ledger = &ledger,
            .clock = clock,
            .pool = pool,
            .node_name = "node1"};
  }
  template <class Reply>
  static boost::asio::awaitable<void> into(EvictionCall<Reply> call,
                                           std::optional<Result<Reply>>* out) {
    *out = co_await std::move(call);
  }
  // Unset if the call does not answer.
  template <class Reply>
  std::optional<Result<Reply>> outcome(EvictionCall<Reply> call) {
    std::optional<Result<Reply>> out;
    spawn_and_drain(into(std::move(call), &out));
    return out;
  }
  template <class Reply>
  std::string refusal(EvictionCall<Reply> call) {
    const auto out = outcome(std::move(call));
    if (!out) return "no answer";
    return *out ? "taken" : std::string(to_string(out->error().code)) + ": " + out->error().message;
  }
  void begin_with_pods() {
    node.set_memory(4 * kGi);
    node.add({.name = "web-node1"}, kGi);
    node.add({.name = "db"}, kMi);
    begin_with_memory();
  }
  std::vector<std::string> top(wire::TopPodsRequest request) {
    const auto out = outcome(top_pods(sources(), std::move(request)));
    std::vector<std::string> names;
    if (out && *out)
      for (const auto& pod : (*out)->pods()) names.push_back(pod.name());
    return names;
  }

  RecordedEvictions ledger{};
  BlockingPool pool{loop.get_executor(), clock, {.threads = 0}};
};

TEST_F(EvictionCallsTest, before_anything_was_measured_there_is_no_answer_but_of_the_past) {
  const std::string later =
      "unavailable: berthd has not measured the node yet; try again in a few seconds";
  EXPECT_EQ(refusal(explain_evictions(sources())), later);
  EXPECT_EQ(refusal(simulate_evictions(sources(), {})), later);
  EXPECT_EQ(refusal(top_pods(sources(), {})), later);
  EXPECT_EQ(refusal(list_evictions(sources(), {})), "taken");
  node.known_layout.reset();
  begin_with_pods();
  EXPECT_EQ(refusal(simulate_evictions(sources(), {})), later) << "where images are is not known";
}

TEST_F(EvictionCallsTest, an_explanation_is_of_what_is_measured_for_it) {
  begin_with_pods();
  take_log();
  node.set_memory(50 * kMi);
  clock.advance(1ms);
  const auto out = outcome(explain_evictions(sources()));
  ASSERT_TRUE(out && *out);
  EXPECT_EQ((*out)->verdict(), "Evict");
  ASSERT_EQ((*out)->evictions_size(), 1);
  EXPECT_EQ((*out)->evictions(0).name(), "web-node1");
  EXPECT_TRUE(take_log().empty()) << "and nothing is done";
}

TEST_F(EvictionCallsTest, the_past_is_asked_for_evictions_as_many_as_are_wanted_within_reason) {
  for (const std::uint32_t limit : {0U, 7U, 4'000'000'000U}) {
    wire::ListEvictionsRequest request;
    request.set_limit(limit);
    const auto out = outcome(list_evictions(sources(), request));
    ASSERT_TRUE(out && *out);
    ASSERT_EQ((*out)->evictions_size(), 1);
    EXPECT_EQ((*out)->evictions(0).name(), "web");
  }
  std::vector<std::size_t> limits;
  for (const LedgerQuery& query : ledger.asked) {
    EXPECT_EQ(query.kind, lifecycle::kLedgerEviction);
    limits.push_back(query.limit);
  }
  EXPECT_EQ(limits, (std::vector<std::size_t>{100, 7, 10'000}));
}

TEST_F(EvictionCallsTest, a_past_that_cannot_be_read_is_an_error_and_one_without_a_store_is_none) {
  ledger.broken = true;
  EXPECT_EQ(refusal(list_evictions(sources(), {})), "unavailable: the disk does not answer");
  EvictionCallSources storeless = sources();
  storeless.ledger = nullptr;
  const auto out = outcome(list_evictions(storeless, {}));
  ASSERT_TRUE(out && *out);
  EXPECT_EQ((*out)->evictions_size(), 0);
}

TEST_F(EvictionCallsTest, a_simulation_takes_the_history_of_the_time_that_it_is_asked_for) {
  begin_with_pods();
  clock.advance(1min);
  wire::SimulateEvictionsRequest request;
  request.set_configuration(
      "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
      "evictionHard: {memory.available: 5Gi}\nenforceNodeAllocatable: [none]\n");
  const auto whole = outcome(simulate_evictions(sources(), request));
  ASSERT_TRUE(whole && *whole);
  ASSERT_EQ((*whole)->thresholds_size(), 1);
  EXPECT_EQ((*whole)->thresholds(0), "memory.available<5Gi");
  EXPECT_GT((*whole)->samples(), 5U);
  EXPECT_EQ((*whole)->series_size(), 0);

  request.set_since_seconds(5);
  request.set_with_series(true);
  const auto newest = outcome(simulate_evictions(sources(), request));
  ASSERT_TRUE(newest && *newest);
  EXPECT_LT((*newest)->samples(), (*whole)->samples());
  EXPECT_EQ((*newest)->series_size(), 1);
  EXPECT_TRUE(node.reports.empty()) << "it is only a simulation";
}

TEST_F(EvictionCallsTest, a_simulation_takes_drop_ins_in_their_order) {
  begin_with_pods();
  wire::SimulateEvictionsRequest request;
  for (const char* amount : {"6Gi", "7Gi"}) {
    auto& drop_in = *request.add_drop_ins();
    drop_in.set_file(amount);
    drop_in.set_text(
        std::string("apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n"
                    "enforceNodeAllocatable: [none]\nevictionHard: {memory.available: ") +
        amount + "}\n");
  }
  const auto reply = outcome(simulate_evictions(sources(), request));
  ASSERT_TRUE(reply && *reply);
  ASSERT_GE((*reply)->thresholds_size(), 1);
  EXPECT_EQ((*reply)->thresholds(0), "memory.available<7Gi");
}

TEST_F(EvictionCallsTest, a_simulation_of_what_is_no_configuration_or_no_time_is_refused) {
  begin_with_pods();
  wire::SimulateEvictionsRequest request;
  request.set_configuration("kind: Pod\n");
  EXPECT_TRUE(
      refusal(simulate_evictions(sources(), request)).starts_with("invalid: the configuration"));
  request.set_file("new.yaml");
  EXPECT_TRUE(refusal(simulate_evictions(sources(), request)).starts_with("invalid: new.yaml"));
  request.set_configuration("");
  request.set_since_seconds(-1);
  EXPECT_EQ(refusal(simulate_evictions(sources(), request)),
            "invalid: since: must not be negative");
}

TEST_F(EvictionCallsTest, pods_are_listed_by_namespace_and_found_by_their_name_in_the_manifest) {
  begin_with_pods();
  wire::TopPodsRequest request;
  EXPECT_EQ(top(request), (std::vector<std::string>{"db", "web-node1"})) << "the namespace default";
  request.set_name("web");
  EXPECT_EQ(top(request), std::vector<std::string>{"web-node1"});
  request.set_name("wob");
  EXPECT_EQ(refusal(top_pods(sources(), request)),
            "not found: pod \"wob\" not found in namespace \"default\"; did you mean \"web\"?");
  request.set_name("");
  request.set_namespace_("other");
  EXPECT_EQ(refusal(top_pods(sources(), request)), "taken");
  EXPECT_TRUE(top(request).empty());
  request.set_all_namespaces(true);
  EXPECT_EQ(top(request).size(), 2U);
}

}  // namespace
}  // namespace berth::agent
