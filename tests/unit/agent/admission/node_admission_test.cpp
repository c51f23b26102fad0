// SPDX-License-Identifier: Apache-2.0

#include "agent/admission/node_admission.hpp"

#include <gtest/gtest.h>

#include "node/node_object.hpp"

namespace berth::agent {
namespace {

using lifecycle::AdmissionAnswer;
using lifecycle::AdmissionOutcome;
using lifecycle::Occupant;
using lifecycle::Occupants;
using lifecycle::PodPtr;
using lifecycle::WhenShort;

using namespace std::chrono_literals;

api::Quantity quantity(const char* text) {
  return *api::Quantity::parse(text);
}

std::shared_ptr<api::Pod> a_pod(const std::string& name, const char* cpu = "1",
                                std::int32_t priority = 0) {
  auto pod = std::make_shared<api::Pod>();
  pod->metadata.name = name;
  pod->metadata.namespace_ = "default";
  pod->metadata.uid = "uid-" + name;
  pod->metadata.labels = {{"app", name}};
  pod->spec.schedulerName = "default-scheduler";
  pod->spec.priority = priority;
  pod->spec.containers = {{.name = "c", .image = "i"}};
  pod->spec.containers[0].resources.requests = {{"cpu", quantity(cpu)}};
  return pod;
}

void stay_away_from(api::Pod& pod, const std::string& app) {
  api::PodAffinityTerm term{.topologyKey = "kubernetes.io/hostname"};
  term.labelSelector = api::LabelSelector{.matchLabels = {{"app", app}}};
  pod.spec.affinity.emplace();
  pod.spec.affinity->podAntiAffinity.emplace();
  pod.spec.affinity->podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution = {term};
}

void stay_near(api::Pod& pod, const std::string& app) {
  stay_away_from(pod, app);
  api::Affinity& affinity = *pod.spec.affinity;
  affinity.podAffinity.emplace();
  affinity.podAffinity->requiredDuringSchedulingIgnoredDuringExecution =
      affinity.podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution;
  affinity.podAntiAffinity.reset();
}

// A node with 4 CPUs.
class NodeAdmissionTest : public ::testing::Test {
 protected:
  static std::shared_ptr<const node::NodeView> view_of(std::vector<api::Taint> taints) {
    node::NodeConfig config;
    config.node_name = "node1";
    config.node_taints = std::move(taints);
    node::NodeFacts facts;
    facts.cpus = 4;
    facts.memory = std::int64_t{8} << 30;
    facts.ephemeral_storage = std::int64_t{64} << 30;
    facts.hostname = "node1";
    return std::make_shared<const node::NodeView>(node::make_node_view(config, facts, {}));
  }
  static std::shared_ptr<const api::Node> object_of(const node::NodeView& view) {
    return std::make_shared<const api::Node>(node::node_object(view, {}, nullptr));
  }
  void begin(std::vector<api::Taint> taints = {}, scheduling::SchedulerSettings settings = {}) {
    view = view_of(std::move(taints));
    admission =
        std::make_unique<NodeAdmission>(std::move(settings), budgets, view, object_of(*view));
  }
  void SetUp() override { begin(); }

  std::optional<AdmissionAnswer> next() { return admission->next(occupants, now, {}); }
  // The answer for a new pod; an admitted pod occupies the node from then on.
  AdmissionAnswer ask(const PodPtr& pod, WhenShort when_short = WhenShort::kIsRefused) {
    admission->want(pod, when_short, now);
    auto answer = next();
    EXPECT_TRUE(answer);
    if (!answer) return {};
    EXPECT_EQ(answer->pod->metadata.uid, pod->metadata.uid);
    if (answer->outcome == AdmissionOutcome::kAdmitted) comes(*pod);
    return *answer;
  }
  void comes(const api::Pod& pod) {
    auto placed = std::make_shared<api::Pod>(pod);
    placed->spec.nodeName = "node1";
    occupants.push_back({.pod = placed});
  }
  void leaves(const PodPtr& pod) {
    std::erase_if(occupants,
                  [&](const Occupant& one) { return one.pod->metadata.uid == pod->metadata.uid; });
  }

  scheduling::BudgetBook budgets{};
  std::shared_ptr<const node::NodeView> view{};
  std::unique_ptr<NodeAdmission> admission{};
  Occupants occupants{};
  SteadyTime now{};
};

TEST_F(NodeAdmissionTest, what_fits_is_admitted_by_both) {
  const auto answer = ask(a_pod("web"));
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kAdmitted);
  EXPECT_TRUE(answer.scheduled);
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, the_kubelets_checks_come_first_and_word_the_refusal) {
  ask(a_pod("big", "3"));
  const auto full = ask(a_pod("more", "2"));
  EXPECT_EQ(full.outcome, AdmissionOutcome::kRefused);
  EXPECT_EQ(full.check.admission.reason, "OutOfcpu");
  auto selective = a_pod("elsewhere");
  selective->spec.nodeSelector = {{"disk", "ssd"}};
  const auto unfit = ask(selective);
  EXPECT_EQ(unfit.outcome, AdmissionOutcome::kRefused);
  EXPECT_EQ(unfit.check.admission.message,
            "Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector");
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, a_taint_that_only_the_core_knows_keeps_a_pod_pending) {
  begin({{.key = "gpu", .value = "yes", .effect = "NoSchedule"}});
  const auto answer = ask(a_pod("web"));
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(answer.reason, "Unschedulable");
  EXPECT_EQ(answer.message,
            "0/1 nodes are available: 1 node(s) had untolerated taint(s). no new claims to "
            "deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for "
            "scheduling.");
  EXPECT_EQ(next(), std::nullopt) << "nothing has changed";
  const auto clean = view_of({});
  admission->set_node(clean, object_of(*clean), now);
  const auto again = next();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, a_pod_that_names_its_node_skips_the_core) {
  begin({{.key = "gpu", .value = "yes", .effect = "NoSchedule"}});
  auto pod = a_pod("web");
  pod->spec.nodeName = "node1";
  const auto answer = ask(pod);
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kAdmitted);
  EXPECT_FALSE(answer.scheduled);
}

TEST_F(NodeAdmissionTest, the_nodes_own_pressure_keeps_nobody_out) {
  begin({{.key = "node.kubernetes.io/memory-pressure", .effect = "NoSchedule"}});
  EXPECT_EQ(ask(a_pod("web")).outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, a_pod_waits_for_the_one_it_cannot_stand_and_for_the_one_it_needs) {
  const auto web = a_pod("web");
  ask(web);
  auto shy = a_pod("shy");
  stay_away_from(*shy, "web");
  auto friendly = a_pod("friendly");
  stay_near(*friendly, "shy");
  EXPECT_EQ(ask(shy).outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(ask(friendly).outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(next(), std::nullopt);
  leaves(web);
  const auto first = next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->pod->metadata.name, "shy");
  EXPECT_EQ(first->outcome, AdmissionOutcome::kAdmitted);
  comes(*shy);
  const auto second = next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->pod->metadata.name, "friendly");
  EXPECT_EQ(second->outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, pods_of_lower_priority_go_for_one_that_finds_no_room) {
  const auto low = a_pod("low", "3", 10);
  const auto lower = a_pod("lower", "1", 5);
  ask(low);
  ask(lower);
  const auto high = a_pod("high", "3", 100);
  const auto answer = ask(high);
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(answer.victims, std::vector<std::string>{"uid-low"});
  EXPECT_EQ(answer.nominated_node, "node1");
  EXPECT_EQ(answer.victim_message,
            "default-scheduler: preempting to accommodate a higher priority pod");
  occupants.front().ending = true;
  EXPECT_EQ(next(), std::nullopt) << "they end first";
  leaves(low);
  const auto placed = next();
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->pod->metadata.name, "high");
  EXPECT_EQ(placed->outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, nobody_else_goes_while_a_victim_is_ending) {
  ask(a_pod("low", "2", 10));
  const auto middle = a_pod("middle", "1", 20);
  ask(middle);
  ask(a_pod("lower", "1", 5));
  ASSERT_EQ(ask(a_pod("high", "2", 100)).victims, std::vector<std::string>{"uid-low"});
  // The pod is ending, and its status does not show the reason yet.
  occupants.front().ending = true;
  EXPECT_EQ(next(), std::nullopt);
  leaves(middle);
  now += 20s;
  const auto again = next();
  ASSERT_TRUE(again) << "there is more room, so it is tried again";
  EXPECT_EQ(again->pod->metadata.name, "high");
  EXPECT_EQ(again->outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(again->victims, std::vector<std::string>{});
}

TEST_F(NodeAdmissionTest, nobody_takes_the_room_that_was_made_for_another) {
  const auto low = a_pod("low", "4", 10);
  ask(low);
  ask(a_pod("high", "4", 100));
  leaves(low);
  // The next one of the same manifest, and one that nobody knows.
  const auto again = ask(a_pod("low-again", "4", 10), WhenShort::kWaits);
  EXPECT_EQ(again.outcome, AdmissionOutcome::kUnschedulable);
  const auto placed = next();
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->pod->metadata.name, "high");
  EXPECT_EQ(placed->outcome, AdmissionOutcome::kAdmitted);
  comes(*placed->pod);
  EXPECT_EQ(next(), std::nullopt);
  EXPECT_TRUE(admission->any_wanted()) << "it waits for the end of the other one";
}

TEST_F(NodeAdmissionTest, nobody_comes_whom_a_pod_that_waits_for_its_victims_cannot_stand) {
  const auto low = a_pod("low", "1", 10);
  ask(low);
  auto high = a_pod("high", "1", 100);
  stay_away_from(*high, "low");
  EXPECT_EQ(ask(high).victims, std::vector<std::string>{"uid-low"});
  // The successor of the victim, which would have room beside that pod.
  const auto again = a_pod("low-again", "1", 10);
  again->metadata.labels = low->metadata.labels;
  const auto kept_away = ask(again, WhenShort::kWaits);
  EXPECT_EQ(kept_away.outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(kept_away.message,
            "0/1 nodes are available: 1 node(s) didn't satisfy existing pods anti-affinity rules. "
            "It makes room for high, which is nominated to it.");
  EXPECT_TRUE(kept_away.victims.empty());
  EXPECT_EQ(ask(a_pod("another", "1", 10)).outcome, AdmissionOutcome::kAdmitted);
  EXPECT_EQ(ask(a_pod("higher", "1", 200)).outcome, AdmissionOutcome::kAdmitted);
  leaves(low);
  const auto placed = next();
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->pod->metadata.name, "high");
  EXPECT_EQ(placed->outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, who_was_kept_away_by_a_pod_that_waits_comes_when_it_is_withdrawn) {
  ask(a_pod("low", "1", 10));
  auto high = a_pod("high", "1", 100);
  stay_away_from(*high, "low");
  ask(high);
  const auto again = a_pod("low-again", "1", 10);
  again->metadata.labels = a_pod("low", "1", 10)->metadata.labels;
  EXPECT_EQ(ask(again, WhenShort::kWaits).outcome, AdmissionOutcome::kUnschedulable);
  admission->withdraw("uid-high", now + 20s);
  now += 20s;
  const auto placed = next();
  ASSERT_TRUE(placed);
  EXPECT_EQ(placed->pod->metadata.name, "low-again");
  EXPECT_EQ(placed->outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, nobody_goes_for_a_pod_of_the_same_priority_or_one_that_never_preempts) {
  ask(a_pod("there", "3", 10));
  EXPECT_EQ(ask(a_pod("same", "3", 10)).outcome, AdmissionOutcome::kRefused);
  auto patient = a_pod("patient", "3", 100);
  patient->spec.preemptionPolicy = "Never";
  EXPECT_EQ(ask(patient).outcome, AdmissionOutcome::kRefused);
  EXPECT_FALSE(admission->any_wanted());
}

std::shared_ptr<api::Pod> critical_here(const std::string& name, const char* cpu) {
  auto pod = a_pod(name, cpu, 2000000000);
  pod->spec.nodeName = "node1";
  return pod;
}

TEST_F(NodeAdmissionTest, the_node_ends_pods_for_a_critical_one_and_lets_it_in_once_they_are_gone) {
  const auto small = a_pod("small", "1", 5);
  const auto large = a_pod("large", "3", 10);
  ask(small);
  ask(large);
  const auto critical = critical_here("critical", "2");
  const auto answer = ask(critical);
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kMakesRoom);
  EXPECT_EQ(answer.victims, std::vector<std::string>{"uid-large"})
      << "nearest to what is missing, whatever its priority";
  EXPECT_TRUE(admission->any_wanted());
  EXPECT_EQ(next(), std::nullopt) << "it ends first";
  std::string metrics;
  admission->write_metrics(metrics);
  EXPECT_EQ(metrics,
            "# HELP kubelet_preemptions [ALPHA] Cumulative number of pod preemptions by preemption "
            "resource\n"
            "# TYPE kubelet_preemptions counter\n"
            "kubelet_preemptions{preemption_signal=\"cpu\"} 1\n");
  leaves(large);
  const auto let_in = next();
  ASSERT_TRUE(let_in);
  EXPECT_EQ(let_in->pod->metadata.name, "critical");
  EXPECT_EQ(let_in->outcome, AdmissionOutcome::kAdmitted);
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, victims_of_the_node_that_do_not_end_in_time_are_late_once) {
  const auto quick = a_pod("quick", "2", 5);
  auto slow = a_pod("slow", "2", 5);
  slow->spec.terminationGracePeriodSeconds = 20;
  ask(quick);
  ask(slow);
  EXPECT_EQ(ask(critical_here("critical", "4")).victims.size(), 2U);
  leaves(quick);
  now += 29s;
  EXPECT_EQ(next(), std::nullopt);
  EXPECT_TRUE(admission->newly_late_victims(now).empty());
  now += 1s;
  static_cast<void>(next());
  EXPECT_EQ(admission->newly_late_victims(now), std::vector<std::string>{"uid-slow"});
  static_cast<void>(next());
  EXPECT_TRUE(admission->newly_late_victims(now).empty());
}

TEST_F(NodeAdmissionTest, nobody_else_is_let_in_while_the_node_makes_room) {
  auto low = a_pod("low", "4", 5);
  low->spec.terminationGracePeriodSeconds = 20;
  ask(low);
  ask(critical_here("critical", "3"));
  auto named = a_pod("named", "0");
  named->spec.nodeName = "node1";
  admission->want(named, WhenShort::kIsRefused, now);
  admission->want(a_pod("other", "0"), WhenShort::kIsRefused, now);
  EXPECT_EQ(next(), std::nullopt);
  EXPECT_EQ(admission->look_again(), now + 30s) << "half as long again as the victim has";
  leaves(low);
  std::vector<std::string> order;
  while (const auto answer = next()) {
    EXPECT_EQ(answer->outcome, AdmissionOutcome::kAdmitted);
    order.push_back(answer->pod->metadata.name);
    comes(*answer->pod);
  }
  EXPECT_EQ(order, (std::vector<std::string>{"critical", "named", "other"}));
}

TEST_F(NodeAdmissionTest, a_victim_that_does_not_end_keeps_others_out_no_longer_than_the_kubelet) {
  ask(a_pod("stuck", "4", 5));
  ask(critical_here("critical", "3"));
  admission->want(a_pod("other", "0"), WhenShort::kIsRefused, now);
  now += 9s;
  EXPECT_EQ(next(), std::nullopt);
  now += 1s;
  const auto other = next();
  ASSERT_TRUE(other);
  EXPECT_EQ(other->pod->metadata.name, "other");
  EXPECT_EQ(next(), std::nullopt);
  EXPECT_TRUE(admission->any_wanted()) << "the critical one waits for the room";
}

TEST_F(NodeAdmissionTest, a_critical_pod_for_which_the_victims_are_not_enough_is_refused) {
  ask(a_pod("low", "1", 5));
  const auto answer = ask(critical_here("critical", "5"));
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kRefused);
  EXPECT_EQ(answer.reason, "UnexpectedAdmissionError");
  EXPECT_EQ(answer.message,
            "Unexpected error while attempting to recover from admission failure: preemption: "
            "error finding a set of pods to preempt: no set of running pods found to reclaim "
            "resources: [(res: cpu, q: 1000), ]");
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, the_node_ends_nobody_for_a_pod_that_something_else_keeps_out) {
  ask(a_pod("low", "4", 5));
  auto unfit = critical_here("unfit", "3");
  unfit->spec.nodeSelector = {{"disk", "ssd"}};
  const auto elsewhere = ask(unfit);
  EXPECT_EQ(elsewhere.outcome, AdmissionOutcome::kRefused);
  EXPECT_EQ(elsewhere.check.admission.reason, "NodeAffinity");
  auto usual = critical_here("usual", "3");
  usual->spec.priority = 1000;
  const auto not_critical = ask(usual);
  EXPECT_EQ(not_critical.outcome, AdmissionOutcome::kRefused);
  EXPECT_EQ(not_critical.check.admission.reason, "OutOfcpu");
  EXPECT_TRUE(not_critical.victims.empty());
}

TEST_F(NodeAdmissionTest, a_critical_pod_that_is_no_longer_desired_holds_nobody_back) {
  ask(a_pod("low", "3", 5));
  ask(critical_here("critical", "3"));
  admission->withdraw("uid-critical", now);
  EXPECT_EQ(ask(a_pod("other", "1")).outcome, AdmissionOutcome::kAdmitted);
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, a_budget_decides_between_victims) {
  auto protected_pod = a_pod("protected", "2", 5);
  auto free_pod = a_pod("free", "2", 10);
  for (const auto& pod : {protected_pod, free_pod}) {
    ask(pod);
    auto shown = std::make_shared<api::Pod>(*pod);
    shown->status.phase = "Running";
    shown->status.conditions = {{.type = "Ready", .status = "True"}};
    occupants.back().shown = shown;
  }
  api::PodDisruptionBudget budget;
  budget.metadata.name = "keep";
  budget.metadata.namespace_ = "default";
  budget.spec.minAvailable = api::IntOrString(1);
  budget.spec.selector = api::LabelSelector{.matchLabels = {{"app", "protected"}}};
  budgets.set_stated({budget}, {protected_pod, free_pod});
  EXPECT_EQ(ask(a_pod("high", "2", 100)).victims, std::vector<std::string>{"uid-free"})
      << "though the protected one has the lower priority";
}

TEST_F(NodeAdmissionTest, a_profile_that_nobody_has_keeps_a_pod_pending) {
  auto pod = a_pod("web");
  pod->spec.schedulerName = "mine";
  const auto answer = ask(pod);
  EXPECT_EQ(answer.outcome, AdmissionOutcome::kUnschedulable);
  EXPECT_EQ(answer.message, "no scheduler profile of this node is named \"mine\"");
  EXPECT_EQ(next(), std::nullopt);
  admission->withdraw("uid-web", now);
  EXPECT_FALSE(admission->any_wanted());
}

TEST_F(NodeAdmissionTest, the_profile_is_chosen_by_its_name) {
  scheduling::SchedulerSettings settings;
  scheduling::Profile lenient{.schedulerName = "lenient"};
  lenient.filters.erase(scheduling::Plugin::kTaintToleration);
  settings.profiles.push_back(lenient);
  begin({{.key = "gpu", .value = "yes", .effect = "NoSchedule"}}, settings);
  auto pod = a_pod("web");
  pod->spec.schedulerName = "lenient";
  EXPECT_EQ(ask(pod).outcome, AdmissionOutcome::kAdmitted);
}

TEST_F(NodeAdmissionTest, after_five_minutes_it_is_tried_again_though_nothing_has_changed) {
  begin({{.key = "gpu", .value = "yes", .effect = "NoSchedule"}});
  ask(a_pod("web"));
  const auto again = admission->look_again();
  ASSERT_TRUE(again);
  EXPECT_GE(*again - now, 5min);
  EXPECT_LT(*again - now, 5min + 1s);
  now = *again;
  EXPECT_TRUE(next());
}

TEST_F(NodeAdmissionTest, what_runs_is_judged_beside_what_it_would_find_today) {
  auto shy = a_pod("shy", "1", 10);
  stay_away_from(*shy, "web");
  auto friendly = a_pod("friendly", "0", 5);
  stay_near(*friendly, "web");
  const auto refused = admission->refused_today({shy, friendly, a_pod("web"), a_pod("big", "4")});
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].uid, "uid-web") << "it came after one that cannot stand it";
  EXPECT_EQ(refused[0].reason, "Unschedulable");
  EXPECT_EQ(refused[1].uid, "uid-big");
  EXPECT_EQ(refused[1].reason, "OutOfcpu");
}

}  // namespace
}  // namespace berth::agent
