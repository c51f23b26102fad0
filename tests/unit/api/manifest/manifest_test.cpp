// SPDX-License-Identifier: Apache-2.0

#include "api/manifest/manifest.hpp"

#include <gtest/gtest.h>

#include "api/brief_text.hpp"
#include "api/label_keys.hpp"

namespace berth::api {
namespace {

const ManifestOptions kBerth{.node_name = "node-1"};
const ManifestOptions kKubelet{.node_name = "node-1", .rules = ManifestRules::kKubelet};

const std::string kPod = R"(apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
  - name: c
    image: busybox:1
)";

std::vector<std::string> problems_of(std::string_view content,
                                     const ManifestOptions& options = kBerth) {
  const auto file = decode_manifest("web.yaml", content, options);
  std::vector<std::string> texts;
  if (file) return texts;
  for (const ManifestProblem& problem : file.error()) texts.push_back(to_string(problem));
  return texts;
}

Pod pod_of(std::string_view content, const ManifestOptions& options = kBerth) {
  const auto file = decode_manifest("web.yaml", content, options);
  if (!file) throw std::runtime_error(to_string(file.error().front()));
  return std::get<ManifestPod>(file->documents.at(0).object).pod;
}

TEST(Manifest, a_pod_gets_its_name_on_this_node) {
  const Pod pod = pod_of(kPod);
  EXPECT_EQ(pod.metadata.name, "web-node-1");
  EXPECT_EQ(pod.metadata.namespace_, "default");
  EXPECT_EQ(pod.spec.nodeName, "") << "it is put on the node when it is admitted";
  EXPECT_EQ(pod.metadata.uid.size(), 32U);
  EXPECT_EQ(pod.metadata.annotations.at("kubernetes.io/config.hash"), pod.metadata.uid);
  EXPECT_EQ(pod.status.phase, "Pending");
}

TEST(Manifest, all_documents_of_a_file_count) {
  const auto file = decode_manifest("all.yaml", kPod + R"(---
apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings}
  data: {a: b}
- apiVersion: scheduling.k8s.io/v1
  kind: PriorityClass
  metadata: {name: high}
  value: 1000
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: b}
spec: {minAvailable: 1}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
)",
                                    kBerth);
  ASSERT_TRUE(file.has_value()) << to_string(file.error().front());
  std::vector<std::string> identities;
  for (const ManifestDocument& document : file->documents) {
    identities.push_back(identity_of(document.object));
  }
  EXPECT_EQ(identities,
            (std::vector<std::string>{"Pod default/web-node-1", "ConfigMap default/settings",
                                      "PriorityClass high", "PodDisruptionBudget default/b",
                                      "Namespace team"}));
}

TEST(Manifest, problems_are_reported_at_once_with_their_places) {
  EXPECT_EQ(problems_of(R"(apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  restartPolicy: Sometimes
  containers:
  - name: c
    image: i
    ports:
    - containerPort: 99999
)"),
            (std::vector<std::string>{
                "web.yaml:11:22: spec.containers[0].ports[0].containerPort: Invalid value: 99999: "
                "must be between 1 and 65535, inclusive",
                "web.yaml:6:18: spec.restartPolicy: Unsupported value: \"Sometimes\": supported "
                "values: \"Always\", \"OnFailure\", \"Never\""}));
}

TEST(Manifest, unknown_fields_are_refused_or_listed_or_passed_over) {
  const std::string content = kPod + "  restartPolcy: Never\n";
  const auto decoded = [&](FieldValidation validation) {
    return decode_manifest("web.yaml", content,
                           ManifestOptions{.node_name = "n", .validation = validation});
  };
  EXPECT_FALSE(decoded(FieldValidation::kStrict).has_value());
  const auto warned = decoded(FieldValidation::kWarn);
  ASSERT_TRUE(warned.has_value());
  ASSERT_EQ(warned->warnings.size(), 1U);
  EXPECT_EQ(warned->warnings[0].problem.path, "spec.restartPolcy");
  EXPECT_TRUE(decoded(FieldValidation::kIgnore)->warnings.empty());
  EXPECT_TRUE(problems_of(content, kKubelet).empty());
}

TEST(Manifest, nothing_of_a_broken_file_is_taken) {
  EXPECT_EQ(problems_of(kPod + "---\napiVersion: v1\nkind: Deployment\n").size(), 1U);
  EXPECT_EQ(problems_of(kPod + "---\n" + kPod).size(), 1U) << "the same pod twice";
}

TEST(Manifest, problems_repeat_no_long_value) {
  std::string content = kPod;
  content.replace(content.find("name: web"), 9, "name: " + std::string(100'000, 'X'));
  const std::vector<std::string> problems = problems_of(content);
  ASSERT_FALSE(problems.empty());
  for (const std::string& problem : problems) EXPECT_LE(problem.size(), 1200U);
  EXPECT_NE(problems[0].find("Invalid value: \"" + std::string(120, 'X') + "…\" (100007 bytes)"),
            std::string::npos)
      << problems[0];
}

TEST(Manifest, warnings_repeat_no_long_value) {
  const std::string field(100'000, 'x');
  ManifestOptions options = kBerth;
  options.validation = FieldValidation::kWarn;
  const auto decoded = decode_manifest("web.yaml", kPod + "  ? " + field + "\n  : 1\n", options);
  ASSERT_TRUE(decoded);
  ASSERT_EQ(decoded->warnings.size(), 1U);
  EXPECT_LE(decoded->warnings[0].problem.path.size(), 1200U);
  EXPECT_LE(decoded->warnings[0].problem.message.size(), 1200U);
}

TEST(Manifest, size_and_documents_of_a_file_are_limited) {
  const std::string two = kPod + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  ManifestOptions options = kBerth;
  options.max_documents = 2;
  EXPECT_EQ(problems_of(two, options), std::vector<std::string>{});
  options.max_documents = 1;
  ASSERT_EQ(problems_of(two, options).size(), 1U);
  EXPECT_NE(problems_of(two, options)[0].find("more than 1 documents"), std::string::npos);
  options = kBerth;
  options.max_bytes = two.size() - 1;
  EXPECT_EQ(problems_of(two, options),
            std::vector<std::string>{"web.yaml: it has " + std::to_string(two.size()) +
                                     " bytes, and maxManifestBytes allows " +
                                     std::to_string(two.size() - 1)});
}

TEST(Manifest, the_objects_of_a_list_count_as_documents) {
  std::string list = "apiVersion: v1\nkind: List\nitems:\n";
  for (const char* name : {"a", "b", "c"})
    list += std::string("- {apiVersion: v1, kind: ConfigMap, metadata: {name: ") + name + "}}\n";
  ManifestOptions options = kBerth;
  options.max_documents = 3;
  EXPECT_EQ(problems_of(list, options), std::vector<std::string>{});
  options.max_documents = 2;
  EXPECT_EQ(problems_of(list, options),
            std::vector<std::string>{"web.yaml:4:1: items: more than 2 documents"});
}

// Each value takes time in which no probe runs.
TEST(Manifest, the_values_of_an_object_are_limited) {
  const std::string map =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {a: x, b: x, c: x}\n";
  std::string two = map + "---\n" + map;
  two.replace(two.rfind("name: c"), 7, "name: d");
  ManifestOptions options = kBerth;
  options.max_values = 9;  // the map and its four members, the name, the three values of data
  EXPECT_EQ(problems_of(two, options), std::vector<std::string>{}) << "each may have as many";
  options.max_values = 8;
  EXPECT_EQ(problems_of(map, options),
            std::vector<std::string>{
                "web.yaml:1:1: it has more values than maxManifestValues allows, 8"});
  EXPECT_EQ(problems_of("apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: ConfigMap, "
                        "metadata: {name: c}, data: {a: x, b: x, c: x}}\n",
                        options),
            std::vector<std::string>{
                "web.yaml:4:3: items[0]: it has more values than maxManifestValues allows, 8"});
}

// Every status and plan of a pod iterates over all of its containers.
TEST(Manifest, each_container_counts_as_a_hundred_values_more) {
  const auto pod_of = [](int containers) {
    std::string text = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n  containers:\n";
    for (int i = 0; i < containers; ++i)
      text += "  - {name: c" + std::to_string(i) + ", image: i}\n";
    return text;
  };
  ManifestOptions options = kBerth;
  options.max_values = 7 + 3 * 103;  // the pod, its four members, the name, the list
  EXPECT_EQ(problems_of(pod_of(3), options), std::vector<std::string>{});
  EXPECT_EQ(problems_of(pod_of(4), options),
            std::vector<std::string>{"web.yaml:1:1: it has more values than maxManifestValues "
                                     "allows, 316 (each container counts as 100 more)"});
}

TEST(BriefText, cuts_values_and_what_is_too_long_without_them) {
  EXPECT_EQ(brief("as it is: \"x\""), "as it is: \"x\"");
  const std::string quoted = "\"a\\\"" + std::string(200, 'b') + "\" must be short";
  EXPECT_EQ(brief(quoted), "\"a\\\"" + std::string(117, 'b') + "…\" (203 bytes) must be short");
  EXPECT_EQ(brief(std::string(5000, 'c')), std::string(1000, 'c') + "…");
  std::string umlauts;
  for (int i = 0; i < 600; ++i) umlauts += "ü";
  EXPECT_EQ(brief("x" + umlauts).size(), 1U + 998 + 3) << "never half a character";
}

TEST(Manifest, other_kinds_are_refused_by_name) {
  const std::vector<std::string> problems =
      problems_of("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\n");
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].find("kind Deployment of apps/v1 is not known here"), std::string::npos);
}

TEST(Manifest, references_to_objects_are_fine_here_and_refused_by_a_kubelet) {
  const std::string content = kPod + "    envFrom:\n    - configMapRef: {name: settings}\n";
  EXPECT_TRUE(problems_of(content).empty());
  EXPECT_EQ(problems_of(content, kKubelet),
            (std::vector<std::string>{"web.yaml:1:1: static pods may not reference configmaps"}));
}

const char* const kClaim = "  volumes:\n  - name: v\n    persistentVolumeClaim: {claimName: c}\n";

TEST(Manifest, a_volume_that_no_container_uses_may_be_of_any_kind) {
  EXPECT_EQ(problems_of(kPod + kClaim), std::vector<std::string>{});
}

TEST(Manifest, scheduling_gates_do_not_blame_a_node_that_the_manifest_does_not_name) {
  const std::string gated = kPod + "  schedulingGates:\n  - name: example.com/wait\n";
  EXPECT_EQ(problems_of(gated), std::vector<std::string>{});
  EXPECT_EQ(problems_of(gated + "  nodeName: node-1\n"),
            (std::vector<std::string>{"web.yaml:11:13: spec.nodeName: Forbidden: cannot be set "
                                      "until all schedulingGates have been cleared"}));
}

TEST(Manifest, what_only_a_cluster_has_is_refused_with_its_field) {
  const std::string content = kPod + "    volumeMounts:\n    - {name: v, mountPath: /v}\n" + kClaim;
  EXPECT_EQ(problems_of(content),
            (std::vector<std::string>{
                "web.yaml:13:28: spec.volumes[0].persistentVolumeClaim: Forbidden: there are no "
                "persistent volume claims on this node; use hostPath, or emptyDir"}));
}

TEST(Manifest, a_service_account_is_blamed_by_the_field_that_names_it) {
  for (const std::string field : {"serviceAccount", "serviceAccountName"}) {
    const auto problems = problems_of(kPod + "  " + field + ": builder\n");
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_TRUE(problems[0].starts_with("web.yaml:9:" + std::to_string(field.size() + 5) +
                                        ": spec." + field + ": Forbidden: there are no service"))
        << problems[0];
  }
}

TEST(Manifest, an_empty_file_holds_nothing_and_is_no_pod_for_a_kubelet) {
  EXPECT_TRUE(problems_of("").empty());
  EXPECT_EQ(problems_of("", kKubelet).size(), 1U);
}

TEST(Manifest, a_pod_for_another_node_is_not_rewritten) {
  const std::string content = kPod + "  nodeName: elsewhere\n";
  EXPECT_EQ(pod_of(content).spec.nodeName, "elsewhere");
  EXPECT_EQ(pod_of(content, kKubelet).spec.nodeName, "node-1");
}

TEST(Manifest, names_of_files_decide_what_is_read) {
  const std::tuple<const char*, bool, bool> cases[] = {
      {"a.yaml", true, true},     {"a.yml", true, true},   {"a.json", true, true},
      {"a.yaml~", false, true},   {"README", false, true}, {".a.yaml", false, false},
      {"a.yaml.bak", false, true}};
  for (const auto& [name, berth, kubelet] : cases) {
    EXPECT_EQ(is_manifest_name(name, ManifestRules::kBerth), berth) << name;
    EXPECT_EQ(is_manifest_name(name, ManifestRules::kKubelet), kubelet) << name;
  }
}

TEST(StaticPod, the_uid_follows_content_node_file_and_incarnation_and_nothing_else) {
  Pod stated;
  stated.metadata.name = "web";
  const StaticPodIdentity identity{.node_name = "n", .file_name = "web.yaml"};
  const std::string uid = static_pod_uid(stated, identity);
  // Running nodes have stored this uid: it must never change.
  EXPECT_EQ(uid, "d5e821584d56407a4cd5ac6c61c921fb");
  EXPECT_EQ(uid, static_pod_uid(stated, {.node_name = "n", .file_name = "web.yaml"}));
  EXPECT_NE(uid, static_pod_uid(stated, {.node_name = "m", .file_name = "web.yaml"}));
  EXPECT_NE(uid, static_pod_uid(stated, {.node_name = "n", .file_name = "w.yaml"}));
  EXPECT_NE(uid,
            static_pod_uid(stated, {.node_name = "n", .file_name = "web.yaml", .incarnation = 2}));
  stated.spec.hostNetwork = true;
  EXPECT_NE(uid, static_pod_uid(stated, identity));
}

TEST(StaticPod, a_uid_of_the_manifest_or_of_a_running_pod_is_kept) {
  Pod stated;
  stated.metadata.name = "web";
  const StaticPodIdentity adopted{.node_name = "n", .file_name = "f", .uid = "running"};
  EXPECT_EQ(make_static_pod(stated, adopted, ManifestRules::kBerth).metadata.uid, "running");
  stated.metadata.uid = "pinned";
  EXPECT_EQ(make_static_pod(stated, adopted, ManifestRules::kBerth).metadata.uid, "pinned");
}

TEST(StaticPod, a_uid_that_cannot_name_a_folder_is_refused_by_both_rules) {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, uid: UID}\n"
      "spec:\n  containers:\n  - {name: main, image: busybox}\n";
  const auto stating = [&text](const std::string& uid) {
    std::string stated = text;
    return stated.replace(stated.find("UID"), 3, uid);
  };
  for (const std::string& uid :
       {std::string("../../../../etc"), std::string("a/b"), std::string(".."), std::string("-a"),
        std::string("\"a b\""), std::string("\"a\\nb\""), std::string("\"\\xff\""),
        std::string("web_1"), std::string(129, 'a')}) {
    for (const auto& options : {ManifestOptions{.node_name = "n"}, kKubelet}) {
      const std::vector<std::string> problems = problems_of(stating(uid), options);
      ASSERT_EQ(problems.size(), 1U) << uid;
      EXPECT_NE(problems[0].find("metadata.uid: Invalid value: "), std::string::npos)
          << problems[0];
      EXPECT_EQ(problems[0].find("'_'"), std::string::npos) << "an underscore is refused too";
    }
  }
  for (const std::string& uid : {std::string("d5e821584d56407a4cd5ac6c61c921fb"),
                                 std::string("00000000-0000-4000-8000-00000000000a"),
                                 std::string("web-1.b"), std::string(128, 'a')})
    EXPECT_EQ(problems_of(stating(uid)), std::vector<std::string>{});
}

TEST(StaticPod, every_toleration_of_no_execute_lasts) {
  const auto tolerations = [](const std::string& stated) {
    return pod_of(kPod + "  tolerations: " + stated + "\n").spec.tolerations;
  };
  const Toleration lasting{.operator_ = "Exists", .effect = "NoExecute"};
  EXPECT_EQ(tolerations("[{operator: Exists, effect: NoExecute}, "
                        "{operator: Exists, effect: NoExecute, tolerationSeconds: 30}]"),
            (std::vector<Toleration>{lasting, lasting}));
  const std::vector<Toleration> appended = tolerations("[{operator: Exists, effect: NoSchedule}]");
  ASSERT_EQ(appended.size(), 2U);
  EXPECT_EQ(appended[1], lasting);
}

TEST(Manifest, a_kubelet_takes_kind_and_version_in_any_case) {
  const std::string rest = "metadata: {name: web}\nspec: {containers: [{name: c, image: i}]}\n";
  const auto json = [](const std::string& type) {
    return "{" + type + R"(, "metadata": {"name": "web"}, "spec": {"containers": [{"name": "c", )" +
           R"("image": "i"}]}})";
  };
  for (const std::string& text :
       {"Kind: Pod\napiversion: v1\n" + rest, "KIND: List\nkind: Pod\nAPIVersion: v1\n" + rest,
        json(R"("kind": "List", "Kind": "Pod", "apiVersion": "v1")"),
        json(R"("kind": "Pod", "Kind": null, "apiVersion": "v1")")})
    EXPECT_EQ(problems_of(text, kKubelet), std::vector<std::string>{}) << text;
  EXPECT_EQ(problems_of(json(R"("kind": "Pod", "Kind": "List", "apiVersion": "v1")"), kKubelet),
            std::vector<std::string>{
                "web.yaml:1:1: kind: invalid pod: a static pod file holds one Pod of version v1"});
  EXPECT_EQ(problems_of("kind: pod\napiVersion: v1\n" + rest, kKubelet).size(), 1U);
  EXPECT_EQ(problems_of("Kind: Pod\napiVersion: v1\n" + rest),
            std::vector<std::string>{"web.yaml:1:1: Object 'Kind' is missing: every document names "
                                     "its apiVersion and kind"});
}

TEST(StaticPod, its_source_is_stamped_with_nanoseconds) {
  Pod pod;
  stamp_source(pod, "file", Time::from_unix_nanoseconds(1'500'000'000'000'000'042));
  EXPECT_EQ(pod.metadata.annotations.at("kubernetes.io/config.source"), "file");
  EXPECT_EQ(pod.metadata.annotations.at("kubernetes.io/config.seen"),
            "2017-07-14T02:40:00.000000042Z");
}

TEST(LabelKeys, values_of_the_pods_own_labels_are_added_to_selectors) {
  Pod pod;
  pod.metadata.labels = {{"app", "web"}};
  pod.spec.topologySpreadConstraints.push_back(TopologySpreadConstraint{
      .labelSelector = LabelSelector{}, .matchLabelKeys = {"version", "app"}});
  pod.spec.topologySpreadConstraints.push_back(TopologySpreadConstraint{.matchLabelKeys = {"app"}});
  merge_label_keys(pod);
  const auto& constraints = pod.spec.topologySpreadConstraints;
  EXPECT_EQ(constraints[0].labelSelector->matchExpressions,
            (std::vector<LabelSelectorRequirement>{
                {.key = "app", .operator_ = "In", .values = {"web"}}}));
  EXPECT_FALSE(constraints[1].labelSelector.has_value()) << "no selector stays none";
}

}  // namespace
}  // namespace berth::api
