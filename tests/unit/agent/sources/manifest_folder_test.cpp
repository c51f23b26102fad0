// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_folder.hpp"

#include <gtest/gtest.h>

#include "node/sandbox_config.hpp"
#include "tests/unit/agent/sources/folder_texts.hpp"

namespace berth::agent {
namespace {

TEST(ManifestFolder, makes_a_pod_of_each_manifest) {
  ManifestFolder state(options());
  const auto outcome = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  ASSERT_EQ(names(outcome.desired), Names{"web-n1"});
  const auto& pod = *outcome.desired.front();
  EXPECT_EQ(pod.metadata.namespace_, "default");
  EXPECT_EQ(pod.metadata.uid.size(), 32U);
  EXPECT_EQ(pod.metadata.annotations.at("kubernetes.io/config.source"), "file");
  EXPECT_EQ(pod.metadata.creationTimestamp->at, kNow);
  EXPECT_EQ(pod.spec.priority, 0);
  EXPECT_EQ(state.file_of(pod.metadata.uid), "a.yaml");
}

TEST(ManifestFolder, an_unchanged_manifest_stays_the_same_value) {
  ManifestFolder state(options());
  const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  const auto after = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow + 1h);
  EXPECT_EQ(before.desired, after.desired);
}

TEST(ManifestFolder, an_edit_makes_another_pod) {
  ManifestFolder state(options());
  const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  const auto after =
      update_blocking(state, folder({{"a.yaml", pod_text("web", "  hostNetwork: true\n")}}), kNow);
  EXPECT_EQ(names(after.desired), Names{"web-n1"});
  EXPECT_NE(before.desired[0]->metadata.uid, after.desired[0]->metadata.uid);
}

TEST(ManifestFolder, a_manifest_that_comes_back_is_a_new_incarnation) {
  ManifestFolder state(options());
  const auto first = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_TRUE(update_blocking(state, folder({}), kNow).desired.empty());
  const auto second = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_NE(first.desired[0]->metadata.uid, second.desired[0]->metadata.uid);
  EXPECT_EQ(second.desired[0]->metadata.annotations.at("berth.dev/incarnation"), "2");
}

TEST(ManifestFolder, a_deleted_pod_is_followed_by_the_next_incarnation) {
  ManifestFolder state(options());
  const auto first =
      update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow).desired.front();
  const auto second = state.next_incarnation(*first, kNow + 1s);
  ASSERT_NE(second, nullptr);
  EXPECT_NE(second->metadata.uid, first->metadata.uid);
  EXPECT_EQ(second->metadata.name, "web-n1");
  const auto later = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow + 2s);
  EXPECT_EQ(later.desired, std::vector<PodPtr>{second});
  EXPECT_EQ(state.next_incarnation(*first, kNow), nullptr) << "it has been followed already";
}

TEST(ManifestFolder, what_runs_keeps_its_incarnation_and_age) {
  ManifestFolder before(options());
  auto pod = update_blocking(before, folder({{"a.yaml", pod_text("web")}}), kNow).desired.front();
  pod = before.next_incarnation(*pod, kNow);

  ManifestFolder state(options());
  state.recover({{.uid = pod->metadata.uid, .incarnation = 2, .created_at = kNow}});
  const auto again = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow + 1h);
  EXPECT_EQ(again.desired.front()->metadata.uid, pod->metadata.uid);
  EXPECT_EQ(again.desired.front()->metadata.creationTimestamp->at, kNow);
}

TEST(ManifestFolder, what_is_over_is_followed_by_the_next_incarnation_after_a_restart) {
  ManifestFolder before(options());
  const auto first = update_blocking(before, folder({{"a.yaml", pod_text("web")}}), kNow);
  ManifestFolder after(options());
  after.recover({{.uid = first.desired[0]->metadata.uid, .over = true}});
  const auto second = update_blocking(after, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_NE(second.desired[0]->metadata.uid, first.desired[0]->metadata.uid);
  EXPECT_EQ(second.desired[0]->metadata.annotations.at("berth.dev/incarnation"), "2");
}

TEST(ManifestFolder, a_pod_that_a_kubelet_left_gives_the_manifest_its_uid) {
  ManifestFolder state(options());
  state.recover({kubelets_pod("busybox:1")});
  const auto outcome = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  const auto& adopted = *outcome.desired.at(0);
  EXPECT_EQ(adopted.metadata.uid, kKubeletsUid);
  EXPECT_EQ(adopted.metadata.annotations.at("berth.dev/adopted"), "kubelet");
  const auto next = state.next_incarnation(adopted, kNow);
  ASSERT_TRUE(next);
  EXPECT_NE(next->metadata.uid, adopted.metadata.uid);
  EXPECT_FALSE(next->metadata.annotations.contains("berth.dev/adopted"));
}

TEST(ManifestFolder, a_kubelets_pod_with_another_image_is_not_adopted) {
  ManifestFolder state(options());
  state.recover({kubelets_pod("busybox:2")});
  const auto outcome = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_NE(outcome.desired.at(0)->metadata.uid, kKubeletsUid);
}

TEST(ManifestFolder, reports_once_which_incarnation_it_chose_for_a_pod_and_why) {
  using lifecycle::IncarnationCause;
  ManifestFolder state(options());
  state.recover({kubelets_pod("busybox:1")});
  const auto files = folder({{"a.yaml", pod_text("web")}});
  const auto adopted = update_blocking(state, files, kNow).desired.at(0);
  auto chosen = state.collect_choices();
  ASSERT_EQ(chosen.size(), 1U);
  EXPECT_EQ(chosen[0].pod, adopted);
  EXPECT_EQ(chosen[0].question.cause, IncarnationCause::kFirstRead);
  EXPECT_TRUE(chosen[0].choice.adopted);

  update_blocking(state, files, kNow);
  EXPECT_TRUE(state.collect_choices().empty()) << "it is the same pod";

  const auto next = state.next_incarnation(*adopted, kNow);
  update_blocking(state, folder({}), kNow);
  const auto back = update_blocking(state, files, kNow).desired.at(0);
  chosen = state.collect_choices();
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].pod, next);
  EXPECT_EQ(chosen[0].question.cause, IncarnationCause::kEnded);
  EXPECT_EQ(chosen[0].choice.incarnation, 2U);
  EXPECT_EQ(chosen[1].pod, back);
  EXPECT_EQ(chosen[1].question.cause, IncarnationCause::kReturned);
  EXPECT_EQ(chosen[1].choice.incarnation, 3U);
}

TEST(ManifestFolder, a_broken_file_keeps_its_pods_and_says_so) {
  ManifestFolder state(options());
  const auto before = update_blocking(
      state, folder({{"a.yaml", pod_text("web")}, {"b.yaml", pod_text("db")}}), kNow);
  const auto broken =
      update_blocking(state, folder({{"a.yaml", kBroken}, {"b.yaml", pod_text("db")}}), kNow);
  EXPECT_EQ(before.desired, broken.desired);
  ASSERT_FALSE(broken.new_problems.empty());
  EXPECT_EQ(broken.new_problems[0].file, "a.yaml");
  EXPECT_EQ(broken.new_problems[0].line, 3);
  EXPECT_EQ(broken.new_problems[0].kept_pods, Names{"default/web-n1"});
  EXPECT_EQ(state.report().problems, broken.new_problems);

  const auto still =
      update_blocking(state, folder({{"a.yaml", kBroken}, {"b.yaml", pod_text("db")}}), kNow);
  EXPECT_TRUE(still.new_problems.empty()) << "reported once";
  const auto mended = update_blocking(
      state, folder({{"a.yaml", pod_text("web")}, {"b.yaml", pod_text("db")}}), kNow);
  EXPECT_EQ(mended.mended_files, Names{"a.yaml"});
  EXPECT_EQ(before.desired, mended.desired);
}

TEST(ManifestFolder, a_broken_file_loses_its_pods_by_the_kubelets_rules) {
  ManifestFolder state(options(api::ManifestRules::kKubelet));
  update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_TRUE(update_blocking(state, folder({{"a.yaml", kBroken}}), kNow).desired.empty());
}

TEST(ManifestFolder, a_broken_file_that_is_removed_takes_its_pods_along) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  update_blocking(state, folder({{"a.yaml", kBroken}}), kNow);
  EXPECT_TRUE(update_blocking(state, folder({}), kNow).desired.empty());
}

TEST(ManifestFolder, a_file_that_cannot_be_read_keeps_its_pods) {
  ManifestFolder state(options());
  const auto before = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  auto content = folder({});
  content.files.push_back({.name = "a.yaml", .content = fail(ErrorCode::kPermission, "no")});
  EXPECT_EQ(update_blocking(state, std::move(content), kNow).desired, before.desired);
}

TEST(ManifestFolder, a_second_file_never_takes_over_a_running_pods_name) {
  ManifestFolder state(options());
  const auto before = update_blocking(state, folder({{"z.yaml", pod_text("web")}}), kNow);
  const auto after = update_blocking(
      state, folder({{"a.yaml", pod_text("web")}, {"z.yaml", pod_text("web")}}), kNow);
  EXPECT_EQ(before.desired, after.desired);
  ASSERT_EQ(after.new_problems.size(), 1U);
  EXPECT_EQ(after.new_problems[0].file, "a.yaml");
  const auto gone = update_blocking(state, folder({{"a.yaml", pod_text("web")}}), kNow);
  EXPECT_EQ(names(gone.desired), Names{"web-n1"});
  EXPECT_EQ(state.file_of(gone.desired[0]->metadata.uid), "a.yaml");
}

TEST(ManifestFolder, nor_does_it_by_a_restart) {
  ManifestFolder before(options());
  const auto runs =
      update_blocking(before, folder({{"z.yaml", pod_text("web")}}), kNow).desired.front();
  ManifestFolder state(options());
  state.recover({{.uid = runs->metadata.uid}});
  const auto after = update_blocking(
      state, folder({{"a.yaml", pod_text("web")}, {"z.yaml", pod_text("web")}}), kNow);
  ASSERT_EQ(after.desired.size(), 1U);
  EXPECT_EQ(after.desired[0]->metadata.uid, runs->metadata.uid);
}

TEST(ManifestFolder, names_the_files_it_does_not_read) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"a.yaml", pod_text("web")}, {"a.yaml~", "x"}, {".b.yaml", "x"}}),
                  kNow);
  EXPECT_EQ(state.report().ignored_files, (Names{".b.yaml", "a.yaml~"}));
  EXPECT_EQ(state.report().files, 1U);
}

const std::string kClass =
    "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: high}\nvalue: 1000\n";

TEST(ManifestFolder, resolves_priority_classes_of_the_folder_once) {
  ManifestFolder state(options());
  const auto text = pod_text("web", "  priorityClassName: high\n");
  const auto refused = update_blocking(state, folder({{"a.yaml", text}}), kNow);
  EXPECT_TRUE(refused.desired.empty());
  ASSERT_EQ(refused.new_problems.size(), 1U);
  EXPECT_NE(refused.new_problems[0].message.find("no PriorityClass with name high"),
            std::string::npos);

  const auto taken = update_blocking(state, folder({{"a.yaml", text}, {"c.yaml", kClass}}), kNow);
  ASSERT_EQ(taken.desired.size(), 1U);
  EXPECT_EQ(taken.desired[0]->spec.priority, 1000);

  const auto without = update_blocking(state, folder({{"a.yaml", text}}), kNow);
  EXPECT_EQ(without.desired, taken.desired) << "what exists is not touched by its class going";
}

TEST(ManifestFolder, a_refused_priority_names_the_field_that_has_to_be_mended) {
  const std::pair<std::string, std::string> rows[] = {
      {"  priority: 7\n", "spec.priority"},
      {"  preemptionPolicy: Never\n", "spec.preemptionPolicy"},
      {"  priorityClassName: missing\n", "spec.priorityClassName"},
  };
  for (const auto& [fields, path] : rows) {
    ManifestFolder state(options());
    const auto outcome =
        update_blocking(state, folder({{"a.yaml", pod_text("web", fields)}}), kNow);
    ASSERT_EQ(outcome.new_problems.size(), 1U) << fields;
    EXPECT_EQ(outcome.new_problems[0].path, path);
  }
}

TEST(ManifestFolder, what_runs_is_not_stopped_because_its_class_is_gone) {
  const auto text = pod_text("web", "  priorityClassName: high\n");
  ManifestFolder before(options());
  const auto pod =
      update_blocking(before, folder({{"a.yaml", text}, {"c.yaml", kClass}}), kNow).desired.front();
  ManifestFolder state(options());
  state.recover({{.uid = pod->metadata.uid}});
  EXPECT_EQ(names(update_blocking(state, folder({{"a.yaml", text}}), kNow).desired),
            Names{"web-n1"});
}

std::string class_text(const std::string& name, int value, const std::string& more = "") {
  return "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: " + name +
         "}\nvalue: " + std::to_string(value) + "\n" + more;
}

const std::string kDefault = "globalDefault: true\n";

TEST(ManifestFolder, a_second_default_priority_class_is_refused) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"z.yaml", class_text("usual", 70, kDefault)}}), kNow);
  const auto both =
      update_blocking(state,
                      folder({{"a.yaml", class_text("late", 5, kDefault)},
                              {"p.yaml", pod_text("web")},
                              {"q.yaml", pod_text("db", "  priorityClassName: late\n")},
                              {"z.yaml", class_text("usual", 70, kDefault)}}),
                      kNow);
  ASSERT_EQ(names(both.desired), Names{"web-n1"});
  EXPECT_EQ(both.desired[0]->spec.priority, 70);
  EXPECT_EQ(both.desired[0]->spec.priorityClassName, "usual");
  ASSERT_EQ(both.new_problems.size(), 2U);
  EXPECT_EQ(both.new_problems[0].file, "a.yaml");
  EXPECT_EQ(both.new_problems[0].path, "globalDefault");
  EXPECT_FALSE(both.new_problems[0].warning);
  EXPECT_EQ(both.new_problems[0].message,
            "priorityclasses.scheduling.k8s.io \"late\" is forbidden: PriorityClass usual is "
            "already marked as default. Only one default can exist");
  EXPECT_NE(both.new_problems[1].message.find("no PriorityClass with name late was found"),
            std::string::npos);

  const auto alone = update_blocking(state,
                                     folder({{"a.yaml", class_text("late", 5, kDefault)},
                                             {"p.yaml", pod_text("web")},
                                             {"r.yaml", pod_text("cache")}}),
                                     kNow);
  EXPECT_EQ(alone.mended_files, Names{"a.yaml"}) << "q.yaml is gone";
  ASSERT_EQ(names(alone.desired), (Names{"web-n1", "cache-n1"}));
  EXPECT_EQ(alone.desired[0]->spec.priority, 70) << "what exists is not touched";
  EXPECT_EQ(alone.desired[1]->spec.priority, 5);
}

TEST(ManifestFolder, a_class_that_may_not_become_the_default_stays_as_it_was) {
  ManifestFolder state(options());
  const auto usual = class_text("usual", 70, kDefault);
  update_blocking(state, folder({{"a.yaml", class_text("low", 5)}, {"z.yaml", usual}}), kNow);
  const auto edited =
      update_blocking(state,
                      folder({{"a.yaml", class_text("low", 5, kDefault)},
                              {"p.yaml", pod_text("web", "  priorityClassName: low\n")},
                              {"q.yaml", pod_text("db")},
                              {"z.yaml", usual}}),
                      kNow);
  ASSERT_EQ(edited.new_problems.size(), 1U);
  EXPECT_EQ(edited.new_problems[0].file, "a.yaml");
  ASSERT_EQ(names(edited.desired), (Names{"web-n1", "db-n1"}));
  EXPECT_EQ(edited.desired[0]->spec.priority, 5);
  EXPECT_EQ(edited.desired[1]->spec.priority, 70);
}

TEST(ManifestFolder, the_value_of_a_class_may_not_be_edited) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"c.yaml", class_text("low", 5)}}), kNow);
  const auto web = pod_text("web", "  priorityClassName: low\n");
  const auto edited =
      update_blocking(state, folder({{"c.yaml", class_text("low", 7)}, {"p.yaml", web}}), kNow);
  ASSERT_EQ(edited.new_problems.size(), 1U);
  EXPECT_EQ(edited.new_problems[0].file, "c.yaml");
  EXPECT_EQ(edited.new_problems[0].path, "value");
  EXPECT_EQ(edited.new_problems[0].message,
            "Forbidden: may not be changed in an update. (the class stays as it was)");
  EXPECT_EQ(edited.desired.at(0)->spec.priority, 5);

  update_blocking(state, folder({{"p.yaml", web}}), kNow);
  const auto db = pod_text("db", "  priorityClassName: low\n");
  const auto anew = update_blocking(
      state, folder({{"c.yaml", class_text("low", 7)}, {"p.yaml", web}, {"q.yaml", db}}), kNow);
  EXPECT_EQ(anew.desired.at(0)->spec.priority, 5) << "what exists is not touched";
  EXPECT_EQ(anew.desired.at(1)->spec.priority, 7);
}

TEST(ManifestFolder, one_edit_may_hand_the_default_from_class_to_class) {
  ManifestFolder state(options());
  update_blocking(
      state, folder({{"a.yaml", class_text("one", 1)}, {"b.yaml", class_text("two", 2, kDefault)}}),
      kNow);
  const auto outcome = update_blocking(state,
                                       folder({{"a.yaml", class_text("one", 1, kDefault)},
                                               {"b.yaml", class_text("two", 2)},
                                               {"p.yaml", pod_text("web")}}),
                                       kNow);
  EXPECT_TRUE(outcome.new_problems.empty());
  EXPECT_EQ(outcome.desired.at(0)->spec.priorityClassName, "one");
}

TEST(ManifestFolder, a_new_pod_is_made_as_an_api_server_makes_one) {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\nspec:\n"
      "  containers: [{name: app, image: 'busybox:1'}]\n"
      "  topologySpreadConstraints:\n"
      "  - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,\n"
      "     labelSelector: {}, matchLabelKeys: [app]}\n";
  const auto values = [&text](api::ManifestRules rules, const std::string& more) {
    ManifestFolder state(options(rules));
    const auto outcome = update_blocking(state, folder({{"a.yaml", text + more}}), kNow);
    for (const auto& problem : outcome.new_problems) ADD_FAILURE() << problem.message;
    const api::Pod& pod = *outcome.desired.at(0);
    Names all;
    const auto& selector = pod.spec.topologySpreadConstraints.at(0).labelSelector;
    for (const auto& one : selector->matchExpressions) all.push_back(one.values.at(0));
    for (const auto& condition : pod.status.conditions) all.push_back(condition.reason);
    return all;
  };
  EXPECT_EQ(values(api::ManifestRules::kBerth, ""), Names{"web"});
  EXPECT_EQ(values(api::ManifestRules::kBerth, "  schedulingGates: [{name: later}]\n"),
            (Names{"web", "SchedulingGated"}));
  EXPECT_EQ(values(api::ManifestRules::kKubelet, ""), Names{});
}

TEST(ManifestFolder, of_two_new_defaults_the_first_by_file_is_it) {
  ManifestFolder state(options());
  const auto outcome = update_blocking(state,
                                       folder({{"a.yaml", class_text("one", 1, kDefault)},
                                               {"b.yaml", class_text("two", 2, kDefault)},
                                               {"p.yaml", pod_text("web")}}),
                                       kNow);
  EXPECT_EQ(outcome.desired.at(0)->spec.priorityClassName, "one");
  ASSERT_EQ(outcome.new_problems.size(), 1U);
  EXPECT_EQ(outcome.new_problems[0].file, "b.yaml");
}

TEST(ManifestFolder, says_what_runs_and_whose_class_is_gone) {
  ManifestFolder state(options());
  const auto text = pod_text("web", "  priorityClassName: high\n");
  const auto pod =
      update_blocking(state, folder({{"a.yaml", text}, {"c.yaml", kClass}}), kNow).desired.at(0);
  EXPECT_EQ(state.class_refusal(pod->metadata.uid), "");
  update_blocking(state, folder({{"a.yaml", text}}), kNow);
  EXPECT_EQ(state.class_refusal(pod->metadata.uid),
            "pods \"web-n1\" is forbidden: no PriorityClass with name high was found");
  EXPECT_EQ(state.class_refusal("another"), "");
}

TEST(ManifestFolder, a_pinned_uid_stays_over_edits_and_incarnations) {
  const auto pinned = [](const std::string& more) {
    return "apiVersion: v1\nkind: Pod\nmetadata: {name: web, uid: u-1}\nspec:\n" + more +
           "  containers:\n  - {name: app, image: busybox}\n";
  };
  ManifestFolder state(options());
  const auto first = update_blocking(state, folder({{"a.yaml", pinned("")}}), kNow).desired.front();
  const auto edited =
      update_blocking(state, folder({{"a.yaml", pinned("  hostPID: true\n")}}), kNow)
          .desired.front();
  EXPECT_EQ(edited->metadata.uid, "u-1");
  EXPECT_TRUE(edited->spec.hostPID);
  EXPECT_EQ(state.next_incarnation(*edited, kNow)->metadata.uid, "u-1");
  EXPECT_EQ(first->metadata.uid, "u-1");
}

TEST(ManifestFolder, a_pod_whose_uid_does_not_depend_on_its_text_carries_a_hash_that_does) {
  const char* kHash = node::kAnnotationManifest;
  const auto pod_of = [](const std::string& file, const std::string& text,
                         std::vector<FoundPod> found = {}) {
    ManifestFolder state(options());
    state.recover(std::move(found));
    return *update_blocking(state, folder({{file, text}}), kNow).desired.front();
  };
  const auto pinned = [](const std::string& more) {
    std::string text = pod_text("web", more);
    return text.insert(text.find("  name: web"), "  uid: pinned\n");
  };
  EXPECT_FALSE(pod_of("a.yaml", pod_text("web")).metadata.annotations.contains(kHash));
  const auto one = pod_of("a.yaml", pinned(""));
  const auto renamed = pod_of("b.yaml", pinned(""));
  const auto edited = pod_of("a.yaml", pinned("  hostNetwork: true\n"));
  EXPECT_EQ(one.metadata.annotations.at(kHash).size(), 32U);
  EXPECT_EQ(one.metadata.annotations.at(kHash), renamed.metadata.annotations.at(kHash));
  EXPECT_NE(one.metadata.annotations.at(kHash), edited.metadata.annotations.at(kHash));
  const auto adopted = pod_of("a.yaml", pod_text("web"), {kubelets_pod("busybox:1")});
  EXPECT_TRUE(adopted.metadata.annotations.contains(kHash));
}

TEST(ManifestFolder, keeps_what_is_no_pod) {
  ManifestFolder state(options());
  update_blocking(state, folder({{"c.yaml", kClass}}), kNow);
  ASSERT_EQ(state.objects().size(), 1U);
  EXPECT_TRUE(state.good_texts().on_disk.contains("c.yaml"));
}

std::string config_map_text(const std::string& value) {
  return "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\ndata: {key: " + value +
         "}\n";
}

TEST(ManifestFolder, config_maps_and_secrets_follow_the_last_good_version_of_their_files) {
  const std::string secret =
      "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: team}\n"
      "data: {a: b25l, b: b25l}\nstringData: {b: two}\n";
  ManifestFolder state(options());
  update_blocking(state, folder({{"c.yaml", config_map_text("one")}, {"s.yaml", secret}}), kNow);
  const auto first = state.pod_objects();
  ASSERT_NE(first->config_map("default", "settings"), nullptr);
  EXPECT_EQ(first->config_map("default", "settings")->data.at("key"), "one");
  ASSERT_NE(first->secret("team", "keys"), nullptr);
  EXPECT_EQ(first->secret("team", "keys")->data.at("a").data, "one");
  EXPECT_EQ(first->secret("team", "keys")->data.at("b").data, "two");

  update_blocking(state, folder({{"c.yaml", config_map_text("one")}, {"s.yaml", secret}}), kNow);
  EXPECT_EQ(state.pod_objects(), first) << "nothing changed";
  update_blocking(state, folder({{"c.yaml", "kind: ["}, {"s.yaml", secret}}), kNow);
  EXPECT_EQ(state.pod_objects(), first) << "a broken file keeps its last good version";
  update_blocking(state, folder({{"c.yaml", config_map_text("two")}, {"s.yaml", secret}}), kNow);
  EXPECT_EQ(state.pod_objects()->config_map("default", "settings")->data.at("key"), "two");
  EXPECT_EQ(first->config_map("default", "settings")->data.at("key"), "one");
  update_blocking(state, folder({{"s.yaml", secret}}), kNow);
  EXPECT_EQ(state.pod_objects()->config_map("default", "settings"), nullptr);
}

TEST(ManifestFolder, problems_of_a_secret_do_not_show_its_values) {
  const std::string values[] = {"data: {key: hunter2!}\n", "data: {key: [hunter2]}\n",
                                "stringData: {key: {hunter2: x}}\n", "stringData: [hunter2]\n",
                                "type: kubernetes.io/dockerconfigjson\n"
                                "stringData: {.dockerconfigjson: hunter2}\n"};
  for (const auto& value : values) {
    ManifestFolder state(options());
    const auto outcome = update_blocking(
        state,
        folder({{"s.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: keys}\n" + value}}),
        kNow);
    EXPECT_FALSE(outcome.new_problems.empty()) << value;
    for (const auto& problem : outcome.new_problems) {
      EXPECT_EQ(problem.message.find("hunter2"), std::string::npos) << problem.message;
      EXPECT_EQ(problem.path.find("hunter2"), std::string::npos) << problem.path;
    }
  }
}

}  // namespace
}  // namespace berth::agent
