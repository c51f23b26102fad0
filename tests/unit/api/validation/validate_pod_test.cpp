// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "api/codec.hpp"
#include "api/defaults.hpp"
#include "api/validation/validate.hpp"

namespace berth::api {
namespace {

Pod pod_of(const std::string& spec) {
  const std::string text =
      "{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: default}, spec: " + spec + "}";
  // A comment comes first, so that the text is parsed as YAML.
  const auto tree = parse_first_document("# pod\n" + text);
  EXPECT_TRUE(tree.has_value()) << spec;
  auto pod = decode<Pod>(*tree, FieldValidation::kStrict);
  EXPECT_TRUE(pod.has_value()) << spec << to_string(pod.error().front());
  apply_defaults(pod->object);
  return pod->object;
}

std::string problems_of(const std::string& spec) {
  return kubelet_list(validate_pod(pod_of(spec)));
}

// The pod of the table: one container, with the case's additions.
std::string with(const std::string& container, const std::string& more = "") {
  return "{containers: [{name: c, image: i" + (container.empty() ? "" : ", " + container) + "}]" +
         (more.empty() ? "" : ", " + more) + "}";
}

struct Case {
  std::string spec;
  std::string problems;
};

TEST(ValidatePod, names_each_problem_at_its_path) {
  const Case cases[] = {
      {with(""), "[]"},
      {"{containers: []}", "[spec.containers: Required value]"},
      {with("ports: [{containerPort: 0}]"),
       "[spec.containers[0].ports[0].containerPort: Required value]"},
      {with("ports: [{containerPort: 80, protocol: tcp}]"),
       "[spec.containers[0].ports[0].protocol: Unsupported value: \"tcp\": supported values: "
       "\"SCTP\", \"TCP\", \"UDP\"]"},
      {with("env: [{name: A, valueFrom: {}}]"),
       "[spec.containers[0].env[0].valueFrom: Invalid value: \"\": must specify one of: "
       "`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`]"},
      {with("env: [{name: A, valueFrom: {fieldRef: {fieldPath: metadata.labels}}}]"),
       "[spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Unsupported value: "
       "\"metadata.labels\": supported values: \"metadata.name\", \"metadata.namespace\", "
       "\"metadata.uid\", \"spec.nodeName\", \"spec.serviceAccountName\", \"status.hostIP\", "
       "\"status.hostIPs\", \"status.podIP\", \"status.podIPs\"]"},
      {with("resources: {requests: {cpu: 2}, limits: {cpu: 1500m}}"),
       "[spec.containers[0].resources.requests: Invalid value: \"2\": must be less than or equal "
       "to cpu limit of 1500m]"},
      {with("resources: {limits: {cpu: -1}}"),
       "[spec.containers[0].resources.limits[cpu]: Invalid value: \"-1\": must be greater than or "
       "equal to 0 spec.containers[0].resources.requests[cpu]: Invalid value: \"-1\": must be "
       "greater than or equal to 0]"},
      {with("livenessProbe: {}"),
       "[spec.containers[0].livenessProbe: Required value: must specify a handler type]"},
      {with("lifecycle: {preStop: {sleep: {seconds: 31}}}"),
       "[spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and "
       "less than terminationGracePeriodSeconds (30)]"},
      {with("lifecycle: {}"), "[]"},
      {with("restartPolicy: Always"),
       "[spec.containers[0].restartPolicy: Forbidden: may not be set for non-init containers]"},
      {with("", "restartPolicy: always"),
       "[spec.restartPolicy: Unsupported value: \"always\": supported values: \"Always\", "
       "\"OnFailure\", \"Never\"]"},
      {with("", "tolerations: [{operator: Equal}]"),
       "[spec.tolerations[0].operator: Invalid value: \"Equal\": operator must be Exists when "
       "`key` is empty, which means \"match all values and all keys\"]"},
      {with("", "activeDeadlineSeconds: 0"),
       "[spec.activeDeadlineSeconds: Invalid value: 0: must be between 1 and 2147483647, "
       "inclusive]"},
      {with("", "securityContext: {sysctls: [{name: net.a, value: '1'}]}, hostNetwork: true"),
       "[spec.securityContext.sysctls[0].name: Invalid value: \"net.a\": may not be specified "
       "when 'hostNetwork' is true]"},
      {with("securityContext: {privileged: true, allowPrivilegeEscalation: false}"),
       "[spec.containers[0].securityContext: Invalid value: "
       "{\"Capabilities\":null,\"Privileged\":true,\"SELinuxOptions\":null,\"WindowsOptions\":null,"
       "\"RunAsUser\":null,\"RunAsGroup\":null,\"RunAsNonRoot\":null,\"ReadOnlyRootFilesystem\":"
       "null,\"AllowPrivilegeEscalation\":false,\"ProcMount\":null,\"SeccompProfile\":null,"
       "\"AppArmorProfile\":null}: cannot set `allowPrivilegeEscalation` to false and `privileged` "
       "to true]"},
  };
  for (const Case& one : cases) EXPECT_EQ(problems_of(one.spec), one.problems) << one.spec;
}

// Zeros may lead after a minus sign, and nowhere else.
TEST(ValidatePod, the_deletion_cost_is_a_number_of_32_bits) {
  const auto allowed = [](const std::string& cost) {
    api::Pod pod = pod_of(with(""));
    pod.metadata.annotations["controller.kubernetes.io/pod-deletion-cost"] = cost;
    return kubelet_list(validate_pod(pod)) == "[]";
  };
  for (const char* cost : {"0", "7", "-7", "-007", "-0", "2147483647", "-2147483648"})
    EXPECT_TRUE(allowed(cost)) << cost;
  for (const char* cost : {"", "-", "+1", "007", "00", "1.0", "2147483648", "1 ", " 1", "a"})
    EXPECT_FALSE(allowed(cost)) << cost;
}

TEST(ValidatePod, containers_may_have_restart_rules_where_the_feature_is_on) {
  const Case cases[] = {
      {with("restartPolicy: Never, restartPolicyRules: [{action: Restart, exitCodes: {operator: "
            "In, values: [42]}}]"),
       "[]"},
      {with("", "initContainers: [{name: i, image: i, restartPolicy: OnFailure}]"), "[]"},
      {with("restartPolicy: Sometimes"),
       "[spec.containers[0].restartPolicy: Unsupported value: \"Sometimes\": supported values: "
       "\"Always\", \"Never\", \"OnFailure\"]"},
      {with("restartPolicyRules: [{action: Restart, exitCodes: {operator: NotIn}}]"),
       "[spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart "
       "rules are used]"},
      {with("restartPolicy: Never, restartPolicyRules: [{action: RestartAllContainers, exitCodes: "
            "{operator: Equals}}, {action: Restart}]"),
       "[spec.containers[0].restartPolicyRules[0].action: Unsupported value: "
       "\"RestartAllContainers\": supported values: \"Restart\" "
       "spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "
       "\"Equals\": "
       "supported values: \"In\", \"NotIn\" spec.containers[0].restartPolicyRules[1].exitCodes: "
       "Required value: must be specified]"},
  };
  for (const Case& one : cases)
    EXPECT_EQ(kubelet_list(validate_pod(pod_of(one.spec), {.container_restart_rules = true})),
              one.problems)
        << one.spec;
}

TEST(ValidatePod, a_container_has_at_most_20_restart_rules_of_255_exit_codes) {
  Pod pod =
      pod_of(with("restartPolicy: Never, restartPolicyRules: [{action: Restart, exitCodes: "
                  "{operator: In, values: [1]}}]"));
  auto& rules = pod.spec.containers[0].restartPolicyRules;
  rules.resize(20, rules[0]);
  rules[19].exitCodes->values.resize(255);
  EXPECT_TRUE(validate_pod(pod, {.container_restart_rules = true}).empty());
  rules.push_back(rules[0]);
  rules[19].exitCodes->values.push_back(7);
  EXPECT_EQ(validate_pod(pod, {.container_restart_rules = true}).size(), 2U);
}

TEST(ValidatePod, a_broken_volume_is_missing_for_its_mounts_too) {
  EXPECT_EQ(problems_of(with("volumeMounts: [{name: v, mountPath: /v}]",
                             "volumes: [{name: v, hostPath: {path: ''}}]")),
            "[spec.volumes[0].hostPath.path: Required value "
            "spec.containers[0].volumeMounts[0].name: Not found: \"v\"]");
}

TEST(ValidatePod, the_name_of_a_broken_volume_is_free) {
  EXPECT_EQ(problems_of(with("volumeMounts: [{name: v, mountPath: /v}]",
                             "volumes: [{name: v, hostPath: {path: ''}}, {name: v}]")),
            "[spec.volumes[0].hostPath.path: Required value]");
}

TEST(ValidatePod, a_volume_of_a_taken_name_is_a_duplicate_whatever_else_is_wrong_with_it) {
  const auto problems = [](const std::string& volumes) {
    return problems_of(with("", "volumes: [" + volumes + "]"));
  };
  EXPECT_EQ(problems("{name: a, emptyDir: {}}, {name: a, hostPath: {path: ''}}"),
            "[spec.volumes[1].hostPath.path: Required value spec.volumes[1].name: Duplicate value: "
            "\"a\"]");
  EXPECT_EQ(problems("{emptyDir: {}}, {emptyDir: {}}"),
            "[spec.volumes[0].name: Required value spec.volumes[1].name: Required value]");
  EXPECT_EQ(problems("{name: a.b, emptyDir: {}}, {name: a.b, emptyDir: {}}"),
            "[spec.volumes[0].name: Invalid value: \"a.b\": must not contain dots "
            "spec.volumes[1].name: Invalid value: \"a.b\": must not contain dots]");
}

TEST(ValidatePod, host_ports_collide_between_containers_but_not_with_sidecars) {
  EXPECT_EQ(problems_of("{containers: [{name: a, image: i, ports: [{containerPort: 1, hostPort: "
                        "8080}]}, {name: b, image: i, ports: [{containerPort: 2, hostPort: "
                        "8080}]}], initContainers: [{name: s, image: i, restartPolicy: Always, "
                        "ports: [{containerPort: 3, hostPort: 8080}]}]}"),
            "[spec.containers[1].ports[0].hostPort: Duplicate value: \"TCP//8080\"]");
}

TEST(ValidatePod, plain_init_containers_have_no_probes_and_no_hooks) {
  EXPECT_EQ(problems_of("{containers: [{name: a, image: i}], initContainers: [{name: b, image: i, "
                        "lifecycle: {}}]}"),
            "[spec.initContainers[0].lifecycle: Forbidden: may not be set for init containers "
            "without restartPolicy=Always]");
}

TEST(ValidatePod, preferred_node_affinity_takes_any_value_and_required_does_not) {
  const std::string term = "matchExpressions: [{key: k, operator: In, values: ['a b']}]";
  EXPECT_EQ(problems_of(with("",
                             "affinity: {nodeAffinity: "
                             "{preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                             "preference: {" +
                                 term + "}}]}}")),
            "[]");
  const FieldErrors errors = validate_pod(
      pod_of(with("",
                  "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                  "{nodeSelectorTerms: [{" +
                      term + "}]}}}")));
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].path,
            "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution."
            "nodeSelectorTerms[0].matchExpressions[0].values[0]");
}

TEST(ValidatePod, pod_level_resources_must_hold_the_containers) {
  const Pod pod =
      pod_of(with("resources: {requests: {cpu: 2}}", "resources: {requests: {cpu: 1}}"));
  EXPECT_EQ(kubelet_list(validate_pod(pod)),
            "[spec.resources.requests[cpu]: Invalid value: \"1\": must be greater than or equal to "
            "aggregate container requests of 2]");
  EXPECT_TRUE(validate_pod(pod, {.check_pod_resources = false}).empty());
}

TEST(ValidatePod, a_profile_annotation_must_match_the_field_even_if_it_is_empty) {
  const auto problems = [](const std::string& annotation, const std::string& value,
                           const std::string& field) {
    Pod pod = pod_of(with("securityContext: {" + field + "}"));
    pod.metadata.annotations[annotation + ".kubernetes.io/c"] = value;
    return kubelet_list(validate_pod(pod));
  };
  const std::string type = ".type: Forbidden: ";
  const std::string at = "spec.containers[0].securityContext.";
  const std::string armor = "[" + at + "appArmorProfile";
  const std::string armor_type = armor + type + "apparmor type in annotation and field must match]";
  const struct {
    std::string value;
    std::string field;
    std::string problems;
  } armors[] = {
      {"", "RuntimeDefault", armor_type},
      {"runtime/default", "RuntimeDefault", "[]"},
      {"unconfined", "RuntimeDefault", armor_type},
      {"unconfined", "Unconfined", "[]"},
      {"localhost/a", "Localhost, localhostProfile: a", "[]"},
      {"localhost/b", "Localhost, localhostProfile: a",
       armor +
           ".localhostProfile: Forbidden: apparmor profile in annotation and field must match]"},
      {"", "Bogus",
       armor + ".type: Unsupported value: \"Bogus\": supported values: \"Localhost\", "
               "\"RuntimeDefault\", \"Unconfined\"]"},
  };
  for (const auto& one : armors)
    EXPECT_EQ(problems("container.apparmor.security.beta", one.value,
                       "appArmorProfile: {type: " + one.field + "}"),
              one.problems)
        << one.value << " " << one.field;
  const auto seccomp = [&problems](const std::string& value) {
    return problems("container.seccomp.security.alpha", value,
                    "seccompProfile: {type: RuntimeDefault}");
  };
  EXPECT_EQ(seccomp("docker/default"), "[]");
  EXPECT_EQ(seccomp("unconfined"), "[" + at + "seccompProfile" + type +
                                       "seccomp type in annotation and field must match]");
}

TEST(ValidatePod, init_containers_without_a_name_are_no_duplicates_of_each_other) {
  EXPECT_EQ(problems_of(with("", "initContainers: [{image: i}, {image: i}]")),
            "[spec.initContainers[0].name: Required value "
            "spec.initContainers[1].name: Required value]");
  EXPECT_EQ(problems_of("{containers: [{image: i}], initContainers: [{image: i}]}"),
            "[spec.containers[0].name: Required value spec.initContainers[0].name: Required value "
            "spec.initContainers[0].name: Duplicate value: \"\"]")
      << "a container without a name takes the empty one";
}

TEST(ValidatePod, images_have_no_white_space_at_their_ends_in_any_kind_of_container) {
  const std::string problem =
      ".image: Invalid value: \" i\": must not have leading or trailing whitespace";
  EXPECT_EQ(problems_of("{containers: [{name: c, image: ' i'}], "
                        "initContainers: [{name: d, image: ' i'}], "
                        "ephemeralContainers: [{name: c, image: ' i'}]}"),
            "[spec.ephemeralContainers[0]" + problem +
                " spec.ephemeralContainers[0].name: Duplicate value: \"c\" spec.containers[0]" +
                problem + " spec.initContainers[0]" + problem +
                " spec.ephemeralContainers: Forbidden: cannot be set on create]");
}

TEST(ValidatePod, the_type_of_an_app_armor_profile_decides_about_its_name) {
  const auto problems = [](const std::string& profile) {
    return problems_of(with("securityContext: {appArmorProfile: {" + profile + "}}"));
  };
  const std::string at = "[spec.containers[0].securityContext.appArmorProfile.";
  const std::string missing =
      at + "localhostProfile: Required value: must be set when AppArmor type is Localhost]";
  const Case cases[] = {
      {"type: Localhost, localhostProfile: a", "[]"},
      {"type: Localhost", missing},
      {"type: Localhost, localhostProfile: ''", missing},
      {"type: Localhost, localhostProfile: '  '",
       at + "localhostProfile: Invalid value: \"  \": must not be padded with whitespace]"},
      {"type: RuntimeDefault, localhostProfile: a",
       at + "localhostProfile: Invalid value: \"a\": can only be set when AppArmor type is "
            "Localhost]"},
      {"localhostProfile: a",
       at + "type: Required value: type is required when appArmorProfile is set]"},
      {"type: Bogus, localhostProfile: a",
       at + "type: Unsupported value: \"Bogus\": supported values: \"Localhost\", "
            "\"RuntimeDefault\", \"Unconfined\"]"},
  };
  for (const Case& one : cases) EXPECT_EQ(problems(one.spec), one.problems) << one.spec;
  for (const char* padded : {"\\u00a0a", "a\\u3000", "a\\u2028"})
    EXPECT_NE(problems("type: Localhost, localhostProfile: \"" + std::string(padded) + "\"")
                  .find("must not be padded with whitespace"),
              std::string::npos)
        << padded;
}

TEST(ValidatePod, an_owner_has_a_version_and_is_no_event) {
  const auto problems = [](const std::string& version) {
    Pod pod = pod_of(with(""));
    pod.metadata.ownerReferences = {
        {.apiVersion = version, .kind = "Event", .name = "n", .uid = "u"}};
    return kubelet_list(validate_pod(pod));
  };
  for (const char* fine : {"apps/v1", "v2"}) EXPECT_EQ(problems(fine), "[]") << fine;
  for (const std::string none : {"", "/", "apps/", "a/b/c"})
    EXPECT_EQ(problems(none), "[metadata.ownerReferences.apiVersion: Invalid value: \"" + none +
                                  "\": version must not be empty]");
  for (const std::string banned : {"v1", "/v1"})
    EXPECT_EQ(problems(banned),
              "[metadata.ownerReferences: Invalid value: {\"apiVersion\":\"" + banned +
                  "\",\"kind\":\"Event\",\"name\":\"n\",\"uid\":\"u\"}: /v1, Kind=Event is "
                  "disallowed from being an owner]");
}

TEST(ValidatePod, the_manager_of_fields_has_printable_characters_only) {
  const auto problems = [](const std::string& manager) {
    Pod pod = pod_of(with(""));
    pod.metadata.managedFields = {{.manager = manager, .operation = "Apply"}};
    const FieldErrors errors = validate_pod(pod);
    return errors.empty() ? "" : errors[0].path + ": " + errors[0].detail;
  };
  const std::string path = "metadata.managedFields[0].manager: invalid character ";
  EXPECT_EQ(problems("a \"b\" \\ \u00e9 \u4e2d"), "");
  EXPECT_EQ(problems("a\n"), path + "U+000A (at position 1)");
  EXPECT_EQ(problems("a\xE2\x80\x8B"), path + "U+200B (at position 1)");
  EXPECT_EQ(problems("\xC3\xA9\xC2\xA0"), path + "U+00A0 (at position 2)");
  EXPECT_EQ(problems("\xC2\x85"), path + "U+0085 (at position 0)");
}

TEST(ValidateKinds, the_finalizers_of_a_namespace_are_standard_or_qualified) {
  Namespace object;
  object.metadata.name = "n";
  object.spec.finalizers = {"kubernetes", "orphan", "foregroundDeletion", "example.com/mine"};
  EXPECT_TRUE(validate_namespace(object).empty());
  object.spec.finalizers = {"mine"};
  EXPECT_EQ(api_list(validate_namespace(object)),
            "spec.finalizers: Invalid value: \"mine\": name is neither a standard finalizer name "
            "nor is it fully qualified");
}

TEST(ValidatePod, a_repeated_match_label_key_is_named_by_its_last_place) {
  const auto problems = [](const std::string& keys) {
    return problems_of(
        with("",
             "topologySpreadConstraints: [{maxSkew: 1, topologyKey: t, whenUnsatisfiable: "
             "DoNotSchedule, matchLabelKeys: " +
                 keys +
                 ", labelSelector: {matchLabels: {app: a}, matchExpressions: [{key: app, operator: "
                 "Exists}]}}]"));
  };
  const std::string problem =
      ": Invalid value: \"app\": exists in both matchLabelKeys and labelSelector]";
  EXPECT_EQ(problems("[app, tier]"), "[spec.topologySpreadConstraints[0][0]" + problem);
  EXPECT_EQ(problems("[app, app, tier]"), "[spec.topologySpreadConstraints[0][1]" + problem);
}

TEST(ValidatePod, old_tolerations_are_read_as_go_reads_them) {
  const auto problems = [](const std::string& text) {
    Pod pod = pod_of(with(""));
    pod.metadata.annotations["scheduler.alpha.kubernetes.io/tolerations"] = text;
    const FieldErrors errors = validate_pod(pod);
    return errors.empty() ? "" : errors[0].path;
  };
  const std::string annotations = "metadata.annotations";
  const std::string list = annotations + ".scheduler.alpha.kubernetes.io/tolerations";
  for (const char* fine : {"null", "[]", R"([{"operator": "Exists", "key": null, "x": 1}])",
                           R"([{"Operator": "Exists", "EFFECT": "NoExecute"}])",
                           R"([{"operator": "Exists", "tolerationSeconds": null}])"})
    EXPECT_EQ(problems(fine), "") << fine;
  for (const char* refused :
       {"{}", "1", "x", "[1]", R"([{"operator": "Exists", "key": 1}])",
        R"([{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": "1"}])",
        R"([{"operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 1.5}])"})
    EXPECT_EQ(problems(refused), annotations) << refused;
  EXPECT_EQ(problems(R"([{"Operator": "exists"}])"), list + "[0].operator");
  EXPECT_EQ(problems("[null]"), list + "[0].operator");
}

TEST(ValidateKinds, config_maps_and_secrets_are_bounded) {
  ConfigMap map;
  map.metadata.name = "m";
  map.metadata.namespace_ = "default";
  map.data["k"] = std::string(1048577, 'x');
  EXPECT_EQ(api_list(validate_config_map(map)), "[]: Too long: may not be more than 1048576 bytes");
  Secret secret;
  secret.metadata = map.metadata;
  secret.type = "kubernetes.io/tls";
  secret.data["a/b"] = Bytes{.data = "x"};
  const FieldErrors errors = validate_secret(secret);
  ASSERT_EQ(errors.size(), 3U);
  EXPECT_EQ(errors[1].to_string(), "data[tls.crt]: Required value");
}

TEST(ValidateKinds, budgets_take_counts_and_percentages) {
  const struct {
    IntOrString value;
    const char* problem;
  } cases[] = {
      {3, ""},
      {"0%", ""},
      {"100%", ""},
      {"101%", "must not be greater than 100%"},
      {"5",
       "a valid percent string must be a numeric string followed by an ending '%' (e.g. "
       "'1%',  or '93%', regex used for validation is '[0-9]+%')"},
      {-1, "must be greater than or equal to 0"},
  };
  for (const auto& one : cases) {
    PodDisruptionBudget budget;
    budget.metadata.name = "b";
    budget.metadata.namespace_ = "default";
    budget.spec.minAvailable = one.value;
    const FieldErrors errors = validate_pod_disruption_budget(budget);
    const std::string problem = errors.empty() ? "" : errors[0].detail;
    EXPECT_EQ(problem, one.problem) << one.value.to_string();
  }
}

TEST(ValidateNode, labels_of_kubernetes_own_domains_are_not_a_nodes_to_set) {
  const std::map<std::string, std::string> labels = {{"disk", "ssd"},
                                                     {"example.com/x", ""},
                                                     {"kubernetes.io/hostname", "n"},
                                                     {"node.kubernetes.io/anything", ""},
                                                     {"a.kubelet.kubernetes.io/x", ""},
                                                     {"node-restriction.kubernetes.io/x", ""},
                                                     {"k8s.io/x", ""},
                                                     {"notkubernetes.io/x", ""}};
  EXPECT_EQ(labels_not_allowed_on_own_node(labels),
            (std::vector<std::string>{"k8s.io/x", "node-restriction.kubernetes.io/x"}));
}

}  // namespace
}  // namespace berth::api
