// SPDX-License-Identifier: Apache-2.0

// What pods see of their node as text: names, resolver, hosts file, log lines, termination
// messages.
#include <gtest/gtest.h>

#include "node/dns.hpp"
#include "node/etc_hosts.hpp"
#include "node/hostname.hpp"
#include "node/log_lines.hpp"
#include "node/path_segment.hpp"
#include "node/pod_paths.hpp"
#include "node/termination_message.hpp"

namespace berth::node {
namespace {

api::Pod pod_named(const std::string& name) {
  api::Pod pod;
  pod.metadata.name = name;
  pod.metadata.namespace_ = "team";
  pod.metadata.uid = "u-1";
  return pod;
}

TEST(PathSegment, of_a_plain_name_is_that_name) {
  for (const std::string name : {"web", "00000000-0000-4000-8000-00000000000a", "a_b.c", "3.log"}) {
    EXPECT_EQ(PathSegment(name).str(), name);
    EXPECT_TRUE(is_path_segment(name));
  }
}

TEST(PathSegment, never_leaves_its_folder) {
  const std::pair<std::string, std::string> rows[] = {
      {"", "%"},
      {".", "%2e"},
      {"..", "%2e."},
      {"../../etc", "%2e.%2f..%2fetc"},
      {"/etc", "%2fetc"},
      {std::string("a\0b", 3), "a%00b"},
      {"a\nb\x1b", "a%0ab%1b"},
      {"100%", "100%25"},
      {std::string(400, 'a'), std::string(255, 'a')},
  };
  for (const auto& [text, segment] : rows) {
    EXPECT_EQ(PathSegment(text).str(), segment);
    EXPECT_FALSE(is_path_segment(text)) << text;
  }
  EXPECT_EQ(std::string("/var/lib") / PathSegment("../x"), "/var/lib/%2e.%2fx");
}

TEST(PodPaths, of_a_hostile_pod_stay_below_their_folders) {
  const NodePaths paths;
  api::Pod pod = pod_named("web");
  pod.metadata.uid = "../../../../etc";
  pod.metadata.namespace_ = "../team";
  for (const std::string& path :
       {pod_directory(paths, pod.metadata.uid), container_directory(paths, "u", "../../x"),
        empty_dir_path(paths, "u", "../../x"), pod_log_directory(paths, pod),
        container_log_link(paths, pod, "../../x", cri::ContainerId("c")),
        sub_path_target(paths, "u", "../v", "../c", 0), container_log_path("../c", 0)})
    EXPECT_EQ(path.find("/../"), std::string::npos) << path;
}

TEST(PodPaths, of_logs_name_the_uid) {
  api::Pod pod = pod_named("web");
  pod.metadata.uid = "a_b";
  for (const std::string& name : {std::string("web"), std::string(253, 'w')}) {
    pod.metadata.name = name;
    const std::string directory = pod_log_directory({.pod_logs = "/l"}, pod);
    EXPECT_EQ(pod_uid_of_logs(directory.substr(3)), "a_b");
    EXPECT_LE(directory.size(), 3 + kLongestFileName);
  }
  EXPECT_EQ(pod_uid_of_logs("lost+found"), "");
  EXPECT_EQ(pod_uid_of_logs("one_two"), "");
}

TEST(Hostname, is_cut_to_a_label_without_a_trailing_dash) {
  const std::string name = std::string(62, 'a') + "-tail";
  EXPECT_EQ(pod_hostname(pod_named(name), "")->host, std::string(62, 'a'));
}

TEST(Hostname, spec_wins_and_subdomain_makes_a_domain) {
  api::Pod pod = pod_named("web-node1");
  pod.spec.hostname = "web";
  pod.spec.subdomain = "apps";
  EXPECT_EQ(*pod_hostname(pod, "cluster.local"),
            (PodHostname{.host = "web", .domain = "apps.team.svc.cluster.local"}));
  EXPECT_EQ(*sandbox_hostname(pod, "cluster.local"), "web");
  pod.spec.setHostnameAsFQDN = true;
  EXPECT_EQ(*sandbox_hostname(pod, "cluster.local"), "web.apps.team.svc.cluster.local");
  EXPECT_FALSE(sandbox_hostname(pod, std::string(60, 'd')));
  pod.spec.hostNetwork = true;
  EXPECT_EQ(*sandbox_hostname(pod, "cluster.local"), "");
}

TEST(Hostname, illegal_label_is_refused) {
  api::Pod pod = pod_named("web");
  pod.spec.hostname = "Not_A_Label";
  const auto name = pod_hostname(pod, "");
  ASSERT_FALSE(name);
  EXPECT_NE(name.error().message.find("Not_A_Label"), std::string::npos);
}

TEST(ResolvConf, last_search_line_counts_and_options_merge) {
  const auto config = parse_resolv_conf(
      "# comment\n; other\nnameserver 10.0.0.1\nnameserver 10.0.0.2 extra\nsearch old.example\n"
      "search a.example. . b.example\noptions ndots:2 rotate\noptions ndots:3\n");
  EXPECT_EQ(config.servers, (std::vector<std::string>{"10.0.0.1", "10.0.0.2"}));
  EXPECT_EQ(config.searches, (std::vector<std::string>{"a.example", "b.example"}));
  EXPECT_EQ(config.options, (std::vector<std::string>{"ndots:3", "rotate"}));
}

const cri::DnsConfig kHostDns = {
    .servers = {"192.0.2.1"}, .searches = {"lab.example"}, .options = {"rotate"}};

NodeView dns_node() {
  NodeView node;
  node.config.cluster_domain = "cluster.local";
  node.config.cluster_dns = {"10.96.0.10"};
  return node;
}

TEST(PodDns, policies_choose_the_base) {
  struct Case {
    const char* policy;
    bool host_network;
    std::vector<std::string> servers;
    std::vector<std::string> options;
  };
  const Case cases[] = {
      {"ClusterFirst", false, {"10.96.0.10"}, {"ndots:5"}},
      {"", false, {"10.96.0.10"}, {"ndots:5"}},
      {"ClusterFirst", true, {"192.0.2.1"}, {"rotate"}},
      {"ClusterFirstWithHostNet", true, {"10.96.0.10"}, {"ndots:5"}},
      {"Default", false, {"192.0.2.1"}, {"rotate"}},
      {"None", false, {}, {}},
  };
  for (const auto& c : cases) {
    api::Pod pod = pod_named("web");
    pod.spec.dnsPolicy = c.policy;
    pod.spec.hostNetwork = c.host_network;
    const auto dns = pod_dns(dns_node(), pod, kHostDns);
    EXPECT_EQ(dns.config.servers, c.servers) << c.policy;
    EXPECT_EQ(dns.config.options, c.options) << c.policy;
  }
}

TEST(PodDns, cluster_searches_come_before_the_hosts) {
  EXPECT_EQ(pod_dns(dns_node(), pod_named("web"), kHostDns).config.searches,
            (std::vector<std::string>{"team.svc.cluster.local", "svc.cluster.local",
                                      "cluster.local", "lab.example"}));
}

TEST(PodDns, own_settings_are_added_within_limits) {
  api::Pod pod = pod_named("web");
  pod.spec.dnsPolicy = "Default";
  pod.spec.dnsConfig = api::PodDNSConfig{.nameservers = {"1.1.1.1", "2.2.2.2", "3.3.3.3"},
                                         .searches = {"lab.example", "own.example"},
                                         .options = {{.name = "ndots", .value = "1"}}};
  const auto dns = pod_dns(dns_node(), pod, kHostDns);
  EXPECT_EQ(dns.config.servers, (std::vector<std::string>{"192.0.2.1", "1.1.1.1", "2.2.2.2"}));
  EXPECT_EQ(dns.config.searches, (std::vector<std::string>{"lab.example", "own.example"}));
  EXPECT_EQ(dns.config.options, (std::vector<std::string>{"rotate", "ndots:1"}));
  ASSERT_EQ(dns.warnings.size(), 1U);
  EXPECT_EQ(dns.warnings[0],
            "Nameserver limits were exceeded, some nameservers have been omitted, the applied "
            "nameserver line is: 192.0.2.1 1.1.1.1 2.2.2.2");
}

TEST(PodDns, an_option_that_would_begin_a_line_of_its_own_is_omitted) {
  api::Pod pod = pod_named("web");
  pod.spec.dnsPolicy = "Default";
  pod.spec.dnsConfig = api::PodDNSConfig{
      .options = {{.name = "ndots", .value = "2\nnameserver 203.0.113.1"}, {.name = "edns0"}}};
  const auto dns = pod_dns(dns_node(), pod, kHostDns);
  EXPECT_EQ(dns.config.options, (std::vector<std::string>{"rotate", "edns0"}));
  ASSERT_EQ(dns.warnings.size(), 1U);
  EXPECT_TRUE(dns.warnings[0].contains("control character")) << dns.warnings[0];
}

TEST(PodDns, missing_cluster_dns_falls_back_and_says_so) {
  NodeView node = dns_node();
  node.config.cluster_dns.clear();
  api::Pod pod = pod_named("web");
  for (const char* policy : {"ClusterFirst", "ClusterFirstWithHostNet"}) {
    pod.spec.dnsPolicy = policy;
    const auto dns = pod_dns(node, pod, kHostDns);
    EXPECT_EQ(dns.config.servers, kHostDns.servers);
    EXPECT_EQ(dns.missing_cluster_dns,
              "kubelet does not have ClusterDNS IP configured and cannot create Pod using "
              "\"ClusterFirst\" policy. Falling back to \"Default\" policy.");
  }
}

TEST(EtcHosts, has_a_line_for_each_address_and_alias) {
  api::Pod pod = pod_named("web");
  pod.spec.hostAliases = {{.ip = "10.9.8.7", .hostnames = {"db", "db.example"}}};
  const auto text =
      etc_hosts_text(pod, {.host = "web", .domain = "d"}, {"10.0.0.5", "fd00::5"}, "");
  EXPECT_EQ(text,
            "# Kubernetes-managed hosts file.\n"
            "127.0.0.1\tlocalhost\n"
            "::1\tlocalhost ip6-localhost ip6-loopback\n"
            "fe00::0\tip6-localnet\n"
            "fe00::0\tip6-mcastprefix\n"
            "fe00::1\tip6-allnodes\n"
            "fe00::2\tip6-allrouters\n"
            "10.0.0.5\tweb.d\tweb\n"
            "fd00::5\tweb.d\tweb\n"
            "\n# Entries added by HostAliases.\n"
            "10.9.8.7\tdb\tdb.example\n");
}

TEST(EtcHosts, host_network_pods_get_the_hosts_file) {
  api::Pod pod = pod_named("web");
  pod.spec.hostNetwork = true;
  EXPECT_EQ(etc_hosts_text(pod, {.host = "h"}, {}, "1.2.3.4 me\n"),
            "# Kubernetes-managed hosts file (host network).\n1.2.3.4 me\n");
}

TEST(EtcHosts, is_left_alone_where_the_container_mounts_its_own) {
  api::Pod pod = pod_named("web");
  api::Container container{.name = "c"};
  EXPECT_FALSE(wants_etc_hosts(pod, container, {}));
  EXPECT_TRUE(wants_etc_hosts(pod, container, {"10.0.0.5"}));
  container.volumeMounts = {{.name = "v", .mountPath = "/etc/hosts"}};
  EXPECT_FALSE(wants_etc_hosts(pod, container, {"10.0.0.5"}));
}

TEST(LogLines, are_parsed_or_refused) {
  const auto line = parse_log_line("2026-01-02T03:04:05.000000006Z stderr P half a line\n");
  ASSERT_TRUE(line);
  EXPECT_EQ(*line, (LogLine{.time = "2026-01-02T03:04:05.000000006Z",
                            .stream = "stderr",
                            .content = "half a line",
                            .partial = true}));
  EXPECT_EQ(parse_log_line("t stdout F ")->content, "");
  EXPECT_EQ(parse_log_line("t stdout F")->content, "");
  EXPECT_EQ(parse_log_line("t stdout F:x  two")->content, " two");
  for (const char* bad : {"", "t", "t stdout", "t other F x", "t stdout X x"}) {
    EXPECT_FALSE(parse_log_line(bad)) << bad;
  }
}

TEST(LogLines, tail_joins_partial_lines_and_keeps_the_end) {
  const std::string log = "t stdout F one\nt stdout P tw\nt stdout F o\nt stderr F three\n";
  EXPECT_EQ(log_tail(log, 80, 2048), "one\ntwo\nthree\n");
  EXPECT_EQ(log_tail(log, 1, 2048), "three\n");
  EXPECT_EQ(log_tail(log, 80, 4), "ree\n");
  EXPECT_EQ(log_tail("cut off\n" + log, 80, 2048), "one\ntwo\nthree\n");
}

cri::ContainerStatus dead_container() {
  return {.exit_code = 1,
          .reason = "Error",
          .annotations = {{cri::kAnnotationTerminationMessagePath, "/dev/termination-log"},
                          {cri::kAnnotationTerminationMessagePolicy, "FallbackToLogsOnError"}},
          .mounts = {{.container_path = "/x", .host_path = "/h/x"},
                     {.container_path = "/dev/termination-log", .host_path = "/h/message"}}};
}

TEST(TerminationMessage, file_is_the_mount_at_the_annotated_path) {
  auto status = dead_container();
  EXPECT_EQ(termination_file(status), "/h/message");
  status.mounts.clear();
  EXPECT_EQ(termination_file(status), "");
}

TEST(TerminationMessage, log_is_used_only_for_failures_without_a_message) {
  auto status = dead_container();
  EXPECT_TRUE(falls_back_to_logs(status, ""));
  EXPECT_FALSE(falls_back_to_logs(status, "said"));
  status.reason = "ContainerCannotRun";
  EXPECT_FALSE(falls_back_to_logs(status, ""));
  status = dead_container();
  status.exit_code = 0;
  EXPECT_FALSE(falls_back_to_logs(status, ""));
  status = dead_container();
  status.annotations[cri::kAnnotationTerminationMessagePolicy] = "File";
  EXPECT_FALSE(falls_back_to_logs(status, ""));
}

TEST(TerminationMessage, is_joined_to_the_runtimes) {
  EXPECT_EQ(join_termination_message("oci failed", "bye"), "oci failed: bye");
  EXPECT_EQ(join_termination_message("", "bye"), "bye");
  EXPECT_EQ(join_termination_message("oci failed", ""), "oci failed");
}

TEST(PodPaths, log_link_is_cut_to_a_file_name) {
  const auto link =
      container_log_link({}, pod_named(std::string(250, 'p')), "c", cri::ContainerId("abc"));
  EXPECT_EQ(link, "/var/log/containers/" + std::string(250, 'p') + "_.log");
  EXPECT_EQ(container_log_link({}, pod_named("p"), "c", cri::ContainerId("abc")),
            "/var/log/containers/p_team_c-abc.log");
}

TEST(PodPaths, log_files_name_their_attempt) {
  EXPECT_EQ(log_file_attempt("3.log"), 3);
  EXPECT_EQ(log_file_attempt("12.log.20260102-030405"), 12);
  EXPECT_EQ(log_file_attempt("7.log.20260102-030405.gz"), 7);
  for (const char* other : {"a.log", ".log", "3", "3.logs", "-1.log", "3x.log", ""}) {
    EXPECT_EQ(log_file_attempt(other), -1) << other;
  }
}

}  // namespace
}  // namespace berth::node
