// SPDX-License-Identifier: Apache-2.0

// AppArmor's admission in the kubelet's words, which profile a container gets, and what is reported
// about settings that this machine cannot enforce.
#include "node/confinement.hpp"

#include <gtest/gtest.h>

#include "node/admission.hpp"
#include "node/container/container_config.hpp"
#include "node/container/security_context.hpp"

namespace berth::node {
namespace {

constexpr const char* kAnnotation = "container.apparmor.security.beta.kubernetes.io/";
constexpr HostConfinement kWithAppArmor{.apparmor = true};
constexpr HostConfinement kWithNothing{};

api::Pod pod_of(const std::string& annotation = "") {
  api::Pod pod;
  pod.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1"};
  if (!annotation.empty()) pod.metadata.annotations[std::string(kAnnotation) + "c"] = annotation;
  pod.spec.containers = {{.name = "c"}};
  return pod;
}

api::Pod pod_with_field(api::AppArmorProfile profile, const std::string& annotation = "") {
  api::Pod pod = pod_of(annotation);
  pod.spec.securityContext = api::PodSecurityContext{.appArmorProfile = std::move(profile)};
  return pod;
}

api::Pod container_with_field(api::AppArmorProfile profile, const std::string& annotation = "") {
  api::Pod pod = pod_of(annotation);
  pod.spec.containers[0].securityContext =
      api::SecurityContext{.appArmorProfile = std::move(profile)};
  return pod;
}

const api::AppArmorProfile kLocal{.type = "Localhost", .localhostProfile = "k8s-deny"};
const api::AppArmorProfile kRuntimes{.type = "RuntimeDefault"};
const api::AppArmorProfile kNone{.type = "Unconfined"};

api::Node roomy_node() {
  api::Node node;
  node.metadata.name = "node1";
  node.status.allocatable["pods"] = api::Quantity::from_int(10);
  return node;
}

Admission admitted_on(const HostConfinement& host, const api::Pod& pod) {
  return admit_pod({}, host, roomy_node(), {}, pod);
}

TEST(AppArmor, a_pod_that_asks_for_it_is_refused_where_the_host_has_none) {
  api::Pod init_asks = pod_of();
  init_asks.spec.initContainers = {
      {.name = "i", .securityContext = api::SecurityContext{.appArmorProfile = kRuntimes}}};
  for (const api::Pod& pod :
       {pod_of("localhost/k8s-deny"), pod_of("runtime/default"), pod_with_field(kLocal),
        pod_with_field(kRuntimes), container_with_field(kLocal), init_asks}) {
    const Admission refused = admitted_on(kWithNothing, pod);
    EXPECT_FALSE(refused.admitted);
    EXPECT_EQ(refused.reason, "AppArmor");
    EXPECT_EQ(refused.message, "Cannot enforce AppArmor: AppArmor is not enabled on the host");
    EXPECT_TRUE(admitted_on(kWithAppArmor, pod).admitted);
  }
}

TEST(AppArmor, who_asks_for_none_or_for_unconfined_is_admitted_anywhere) {
  for (const api::Pod& pod :
       {pod_of(), pod_of("unconfined"), pod_with_field(kNone), container_with_field(kNone)}) {
    EXPECT_TRUE(admitted_on(kWithNothing, pod).admitted);
  }
}

TEST(AppArmor, a_profile_without_a_name_is_refused) {
  const Admission refused = admitted_on(kWithAppArmor, pod_of("localhost/ "));
  EXPECT_EQ(refused.reason, "AppArmor");
  EXPECT_EQ(refused.message,
            "Cannot enforce AppArmor: invalid empty AppArmor profile name of container \"c\"");
}

TEST(AppArmor, is_asked_for_after_everything_else) {
  api::Pod pod = pod_of("localhost/k8s-deny");
  pod.spec.nodeName = "elsewhere";
  EXPECT_EQ(admitted_on(kWithNothing, pod).reason, "NodeName");
}

TEST(AppArmor, the_containers_field_goes_before_the_annotation_and_that_before_the_pods_field) {
  using cri::ProfileType;
  using cri::SecurityProfile;
  const SecurityProfile local{.profile_type = ProfileType::kLocalhost, .localhost_ref = "k8s-deny"};
  const SecurityProfile unconfined{.profile_type = ProfileType::kUnconfined};
  struct Row {
    api::Pod pod;
    std::optional<SecurityProfile> sent;
  };
  const Row rows[] = {
      {pod_of(), std::nullopt},
      {pod_of("localhost/k8s-deny"), local},
      {pod_of("unconfined"), unconfined},
      {pod_of("runtime/default"), SecurityProfile{}},
      {pod_with_field(kLocal), local},
      {pod_with_field(kLocal, "unconfined"), unconfined},
      {container_with_field(kLocal, "unconfined"), local},
      {container_with_field(kNone, "localhost/k8s-deny"), unconfined},
  };
  for (const Row& row : rows) {
    const auto context = container_security_context({}, row.pod, row.pod.spec.containers[0], {});
    ASSERT_TRUE(context) << context.error().message;
    EXPECT_EQ(context->apparmor, row.sent);
  }
}

TEST(Profiles, one_that_cannot_be_passed_to_the_runtime_is_no_unconfined_one) {
  const auto error_of = [](const api::Pod& pod) {
    const auto context = container_security_context({}, pod, pod.spec.containers[0], {});
    return context ? "no error" : context.error().message;
  };
  const auto with_seccomp = [](api::SeccompProfile profile) {
    api::Pod pod = pod_of();
    pod.spec.securityContext = api::PodSecurityContext{.seccompProfile = std::move(profile)};
    return pod;
  };
  const std::string no_name = "localhostProfile must be set if seccompProfile type is Localhost.";
  EXPECT_EQ(error_of(with_seccomp({.type = "Localhost"})), no_name);
  EXPECT_EQ(error_of(with_seccomp({.type = "Localhost", .localhostProfile = ""})), no_name);
  EXPECT_EQ(error_of(with_seccomp({.type = "Strict"})), "unknown seccomp profile type: \"Strict\"");
  EXPECT_EQ(error_of(with_seccomp({.type = "Unconfined"})), "no error");
  EXPECT_EQ(error_of(pod_with_field({.type = "Localhost"})),
            "missing localhost apparmor profile name");
  EXPECT_EQ(error_of(pod_with_field({.type = "Strict"})),
            "unknown apparmor profile type: \"Strict\"");
}

TEST(Unenforced, each_setting_without_effect_is_named_by_its_field) {
  api::Pod pod = pod_of();
  pod.metadata.annotations = {{"seccomp.security.alpha.kubernetes.io/pod", "runtime/default"},
                              {"container.seccomp.security.alpha.kubernetes.io/c", "unconfined"}};
  pod.spec.securityContext =
      api::PodSecurityContext{.seLinuxOptions = api::SELinuxOptions{.level = "s0:c1"},
                              .windowsOptions = api::WindowsSecurityContextOptions{}};
  pod.spec.containers[0].securityContext =
      api::SecurityContext{.seLinuxOptions = api::SELinuxOptions{.type = "web_t"}};
  const std::string no_selinux =
      ".seLinuxOptions: SELinux is not enabled on the host; the labels have no effect here";
  const std::string removed =
      ": non-functional in v1.27+; use the \"seccompProfile\" field instead";
  const std::vector<std::string> expected = {
      "spec.securityContext" + no_selinux,
      "spec.securityContext.windowsOptions: the node runs Linux; they have no effect here",
      "metadata.annotations[seccomp.security.alpha.kubernetes.io/pod]" + removed,
      "spec.containers[0].securityContext" + no_selinux,
      "metadata.annotations[container.seccomp.security.alpha.kubernetes.io/c]" + removed,
  };
  EXPECT_EQ(unenforced_settings(kWithNothing, pod), expected);
}

TEST(Unenforced, what_is_enforced_is_not_reported) {
  api::Pod pod = pod_with_field(kLocal);
  pod.metadata.annotations["seccomp.security.alpha.kubernetes.io/pod"] = "runtime/default";
  pod.spec.securityContext->seccompProfile = api::SeccompProfile{.type = "RuntimeDefault"};
  pod.spec.securityContext->seLinuxOptions = api::SELinuxOptions{.level = "s0:c1"};
  EXPECT_TRUE(unenforced_settings({.apparmor = true, .selinux = true}, pod).empty());
}

TEST(SelinuxRelabel, is_asked_for_what_the_node_made_and_only_where_there_is_selinux) {
  api::Pod pod = pod_of();
  pod.spec.volumes = {{.name = "own", .emptyDir = api::EmptyDirVolumeSource{}},
                      {.name = "hosts", .hostPath = api::HostPathVolumeSource{.path = "/srv"}}};
  pod.spec.containers[0].volumeMounts = {{.name = "own", .mountPath = "/own"},
                                         {.name = "hosts", .mountPath = "/srv"}};
  pod.spec.containers[0].terminationMessagePath = "/dev/termination-log";
  ContainerRequest request;
  request.files.etc_hosts = "/pods/u-1/etc-hosts";
  request.files.termination_log = "/pods/u-1/containers/c/0";
  for (const bool selinux : {true, false}) {
    NodeView node;
    node.facts.confinement.selinux = selinux;
    const auto mounts = container_mounts(node, pod, pod.spec.containers[0], request);
    ASSERT_TRUE(mounts);
    std::vector<bool> relabelled;
    for (const cri::Mount& mount : *mounts) relabelled.push_back(mount.selinux_relabel);
    EXPECT_EQ(relabelled, (std::vector<bool>{selinux, false, selinux, selinux}));
  }
}

}  // namespace
}  // namespace berth::node
