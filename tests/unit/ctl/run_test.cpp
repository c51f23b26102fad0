// SPDX-License-Identifier: Apache-2.0

// berthctl as a whole, from its command line to its output and exit code.
#include "ctl/run.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>

#include <gtest/gtest.h>

#include "fake_agent.hpp"
#include "ran.hpp"

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

std::string pod_json(const std::string& name) {
  return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","namespace":"default"},"spec":{"containers":[{"name":"c"}]},"status":{"phase":"Pending"}})";
}

std::string event_json(const std::string& name, const std::string& reason) {
  return R"({"kind":"Event","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","namespace":"default"},"involvedObject":{"kind":"Pod","name":"web-n1"},"reason":")" +
         reason + R"(","message":"m","type":"Normal","count":1})";
}

std::string node_json(const std::string& ready) {
  return R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"n1"},"status":{"conditions":)"
         R"([{"type":"Ready","status":")" +
         ready + R"("}],"nodeInfo":{"kubeletVersion":"v1.34.0"}}})";
}

class Run : public testing::Test {
 protected:
  [[nodiscard]] Ran berthctl(std::vector<std::string> words) const {
    words.insert(words.begin(), {"--socket", agent.socket()});
    return ran(words);
  }

  FakeAgent agent;
};

TEST(RunWithoutAgent, version_and_help_are_answers_not_errors) {
  const auto version = ran({"--version"});
  EXPECT_EQ(version.exit_code, 0);
  EXPECT_TRUE(version.out.starts_with("berthctl ")) << version.out;
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"help"}, {"--help"}, {"-h"}}) {
    const auto help = ran(words);
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_NE(help.out.find("Subcommands:"), std::string::npos) << help.out;
    EXPECT_EQ(help.err, "");
  }
  const auto of_logs = ran({"help", "logs"});
  EXPECT_EQ(of_logs.exit_code, 0);
  EXPECT_NE(of_logs.out.find("--limit-bytes"), std::string::npos) << of_logs.out;
  EXPECT_EQ(of_logs.out, ran({"logs", "--help"}).out);
  EXPECT_EQ(ran({"help", "lgos"}).exit_code, 2);
  const auto client = ran({"version", "--client", "-o", "json", "--socket", "/nowhere"});
  EXPECT_EQ(client.exit_code, 0);
  EXPECT_NE(client.out.find("\"clientVersion\""), std::string::npos) << client.out;
}

TEST(RunWithoutAgent, status_says_that_it_does_not_run_as_systemctl_does) {
  const auto status = ran({"status", "--socket", "/nowhere"});
  EXPECT_EQ(status.exit_code, 3);
  EXPECT_TRUE(status.err.starts_with("error: cannot reach berthd at /nowhere: ")) << status.err;
  EXPECT_EQ(ran({"get", "pods", "--socket", "/nowhere"}).exit_code, 4);
}

TEST(RunWithoutAgent, an_argument_that_is_not_text_is_named_and_not_sent) {
  const auto refused = ran({"exec", "web", "--socket", "/nowhere", "--", "echo", "a\xff"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_TRUE(refused.err.starts_with("error: argument 7 (\"a\\xff\") is not UTF-8"))
      << refused.err;
}

TEST(RunWithoutAgent, what_stands_in_the_place_of_the_socket_is_named) {
  const auto refused = ran({"get", "pods", "--socket", "/dev/null"});
  EXPECT_EQ(refused.exit_code, 4);
  EXPECT_TRUE(refused.err.starts_with("error: cannot reach berthd: /dev/null is no socket"))
      << refused.err;
}

TEST(RunWithoutAgent, what_makes_no_sense_is_refused_with_two) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"get"},
        {"get", "pds"},
        {"gt", "pods"},
        {"get", "pods", "-o", "jsno"},
        {"get", "pod/a", "node/b"},
        {"get", "pods", "web", "-A"},
        {"get", "pods", "a", "b", "-w"},
        {"status", "-o", "name"},
        {"status", "--no-headers"},
        {"get", "pods", "--request-timeout", "-1s"},
        {"get", "pods", "--request-timeout", "soon"},
        {"logs"},
        {"logs", "web", "a", "b"},
        {"logs", "web", "a", "-c", "b"},
        {"logs", "web", "--since", "1m", "--since-time", "2006-01-02T15:04:05Z"},
        {"logs", "web", "--since-time", "yesterday"},
        {"logs", "web", "--tail=-2"},
        {"logs", "web", "--limit-bytes=-1"},
        {"exec", "web", "ls"}}) {
    const auto refused = ran(words);
    EXPECT_EQ(refused.exit_code, 2) << words.back();
    EXPECT_EQ(refused.out, "");
    EXPECT_TRUE(refused.err.starts_with("error: ")) << refused.err;
  }
}

TEST(RunWithoutBerthd, doctor_looks_by_itself) {
  const auto doctor =
      ran({"doctor", "--socket", "/nowhere/berthd.sock", "--config", "/nowhere/config.yaml"});
  EXPECT_EQ(doctor.exit_code, 1) << doctor.err;
  EXPECT_TRUE(doctor.out.starts_with("berthd:\n  trouble  ")) << doctor.out;
  for (const char* part : {"cannot reach berthd at /nowhere/berthd.sock",
                           "/nowhere/config.yaml: ", "state.db: not checked"})
    EXPECT_NE(doctor.out.find(part), std::string::npos) << part << "\n" << doctor.out;
  const auto pods = ran({"get", "pods", "--socket", "/nowhere/berthd.sock"});
  EXPECT_EQ(pods.exit_code, 4) << "nobody else knows";
}

TEST_F(Run, the_socket_may_be_named_by_the_environment) {
  agent.pods = {pod_json("web-n1")};
  ::setenv("BERTH_SOCKET", agent.socket().c_str(), 1);
  EXPECT_EQ(ran({"get", "pods", "-o", "name"}).out, "pod/web-n1\n");
  EXPECT_EQ(ran({"get", "pods", "--socket", "/nowhere"}).exit_code, 4) << "the option wins";
  ::unsetenv("BERTH_SOCKET");
}

TEST_F(Run, who_does_not_answer_is_waited_for_no_longer_than_its_timeout) {
  agent.silent = true;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"get", "pods"},
                                                {"get", "pods", "-w"},
                                                {"logs", "web"},
                                                {"logs", "-f", "web"},
                                                {"exec", "web", "--", "true"}}) {
    auto limited = words;
    limited.insert(limited.begin(), {"--request-timeout", "0.2"});
    const auto late = berthctl(limited);
    EXPECT_EQ(late.exit_code, 124) << words.front();
    EXPECT_EQ(late.err, "error: berthd did not answer within 200ms (--request-timeout)\n");
  }
}

TEST_F(Run, a_stream_may_last_longer_than_an_answer_is_waited_for) {
  agent.log = {"a\n", "b\n", "c\n", "d\n"};
  agent.pause_once_taken = 700ms;
  const auto whole = berthctl({"logs", "web", "--request-timeout", "2"});
  EXPECT_EQ(whole.exit_code, 0) << whole.err;
  EXPECT_EQ(whole.out, "a\nb\nc\nd\n");
}

TEST_F(Run, a_follower_waits_for_ever_for_what_may_never_be_written) {
  agent.log = {"a\n"};
  agent.pause_once_taken = 2500ms;
  const auto followed = berthctl({"logs", "-f", "web", "--request-timeout", "1.5"});
  EXPECT_EQ(followed.exit_code, 0) << followed.err;
  EXPECT_EQ(followed.out, "a\n");
}

TEST_F(Run, a_command_may_run_longer_than_an_answer_is_waited_for) {
  agent.pause_once_taken = 2500ms;
  const auto done = berthctl({"--request-timeout", "1.5", "exec", "web", "--", "slow"});
  EXPECT_EQ(done.exit_code, 7) << done.err;
}

TEST_F(Run, an_older_berthd_that_does_not_report_a_command_as_taken_gets_its_input_at_once) {
  agent.older = true;
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  ASSERT_EQ(::write(pipe[1], "said", 4), 4);
  ::close(pipe[1]);
  const int kept = ::dup(0);
  ::dup2(pipe[0], 0);
  const auto done = berthctl({"exec", "-i", "web", "--", "cat"});
  ::dup2(kept, 0);
  ::close(kept);
  ::close(pipe[0]);
  EXPECT_EQ(done.exit_code, 0) << done.err;
  EXPECT_EQ(done.out, "said");
}

TEST_F(Run, what_berthd_has_waited_for_itself_is_reported_in_its_words) {
  agent.refusal = {grpc::StatusCode::DEADLINE_EXCEEDED, "the runtime did not answer within 2m0s"};
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"get", "pods"}, {"exec", "web", "--", "true"}}) {
    const auto late = berthctl(words);
    EXPECT_EQ(late.exit_code, 124) << words.front();
    EXPECT_EQ(late.err, "error: the runtime did not answer within 2m0s\n");
  }
}

TEST_F(Run, pods_that_nobody_knows_of_yet_are_not_said_to_be_none) {
  agent.refusal = {grpc::StatusCode::UNAVAILABLE, "berthd does not know yet what runs here"};
  for (const std::vector<std::string>& words : {std::vector<std::string>{"get", "pods"},
                                                {"get", "pods", "-o", "json"},
                                                {"describe", "pod"}}) {
    const auto printed = berthctl(words);
    EXPECT_EQ(printed.exit_code, 4);
    EXPECT_EQ(printed.out, "");
    EXPECT_EQ(printed.err, "error: berthd does not know yet what runs here\n");
  }
}

TEST_F(Run, a_watch_says_what_it_waits_for_beside_what_it_prints) {
  agent.notice = "waits for the runtime";
  agent.pods = {pod_json("web-n1")};
  const auto watched = berthctl({"get", "pods", "-w", "-o", "name"});
  EXPECT_EQ(watched.out, "pod/web-n1\n");
  EXPECT_EQ(watched.err, "waits for the runtime\n");
}

TEST_F(Run, logs_passes_on_all_that_limits_them) {
  EXPECT_EQ(berthctl({"logs", "web", "app", "-n", "shop", "--tail", "-1", "--limit-bytes", "7",
                      "--since-time", "2006-01-02T15:04:05Z", "-p"})
                .exit_code,
            0);
  ASSERT_TRUE(agent.logs_request);
  EXPECT_EQ(agent.logs_request->container(), "app");
  EXPECT_EQ(agent.logs_request->namespace_(), "shop");
  EXPECT_FALSE(agent.logs_request->has_tail_lines()) << "-1 is all";
  EXPECT_EQ(agent.logs_request->limit_bytes(), 7);
  EXPECT_EQ(agent.logs_request->since_time(), "2006-01-02T15:04:05Z");
  EXPECT_TRUE(agent.logs_request->previous());
  EXPECT_EQ(
      berthctl({"logs", "pod/web", "--since", "500ms", "--tail=3", "--limit-bytes=0"}).exit_code,
      0);
  EXPECT_EQ(agent.logs_request->since_seconds(), 1) << "never more than was asked for";
  EXPECT_EQ(agent.logs_request->tail_lines(), 3);
  EXPECT_FALSE(agent.logs_request->has_limit_bytes());
}

TEST_F(Run, options_may_stand_where_kubectl_takes_them) {
  agent.pods = {pod_json("web-n1")};
  EXPECT_EQ(berthctl({"-n", "shop", "get", "po", "-o=name"}).out, "pod/web-n1\n");
  EXPECT_EQ(agent.list_request->namespace_(), "shop");
  EXPECT_EQ(berthctl({"get", "po", "-n=cart", "-oname"}).out, "pod/web-n1\n");
  EXPECT_EQ(agent.list_request->namespace_(), "cart");
}

TEST_F(Run, pods_that_are_there_are_shown_beside_the_word_that_others_are_not) {
  agent.pods = {pod_json("a"), pod_json("c")};
  const auto some = berthctl({"get", "pods", "a", "b", "c", "-o", "name"});
  EXPECT_EQ(some.out, "pod/a\npod/c\n");
  EXPECT_EQ(some.err, "error: pod \"b\" not found\n");
  EXPECT_EQ(some.exit_code, 3);
  EXPECT_EQ(berthctl({"get", "pod", "b", "-w"}).exit_code, 3);
  EXPECT_EQ(berthctl({"get", "pod", "pod/a", "-w", "-o", "name"}).exit_code, 3);
  EXPECT_EQ(berthctl({"get", "pod/a", "-w", "-o", "name"}).exit_code, 0);
  EXPECT_EQ(agent.watch_request->name(), "a");
  agent.pods.clear();
  EXPECT_EQ(berthctl({"get", "pods"}).err, "No resources found in default namespace.\n");
  EXPECT_EQ(berthctl({"get", "pods", "-A"}).err, "No resources found\n");
}

TEST_F(Run, probes_and_use_are_asked_for_by_every_form_of_a_name_and_missing_pods_are_named) {
  agent.pods = {pod_json("a"), pod_json("c")};
  const auto probes = berthctl({"get", "probes", "shop/a", "pod/b", "c", "-o", "name"});
  EXPECT_EQ(probes.out, "a//\nc//\n");
  EXPECT_EQ(probes.err, "error: pod \"b\" not found\n");
  EXPECT_EQ(probes.exit_code, 3);
  ASSERT_EQ(agent.probes_requests.size(), 3U);
  EXPECT_EQ(agent.probes_requests[0].namespace_(), "shop");
  EXPECT_EQ(agent.probes_requests[0].name(), "a");
  EXPECT_EQ(agent.probes_requests[1].namespace_(), "default");
  EXPECT_EQ(agent.probes_requests[1].name(), "b");
  const auto none = berthctl({"get", "probes", "typo", "-o", "json"});
  EXPECT_EQ(none.out, "");
  EXPECT_EQ(none.err, "error: pod \"typo\" not found\n");
  EXPECT_EQ(none.exit_code, 3);

  const auto use = berthctl({"top", "pods", "shop/a", "pod/b", "-n", "cart", "--no-headers"});
  EXPECT_TRUE(use.out.starts_with("a ")) << use.out;
  EXPECT_EQ(use.err, "error: pod \"b\" not found\n");
  EXPECT_EQ(use.exit_code, 3);
  ASSERT_EQ(agent.top_requests.size(), 2U);
  EXPECT_EQ(agent.top_requests[0].namespace_(), "shop");
  EXPECT_EQ(agent.top_requests[0].name(), "a");
  EXPECT_EQ(agent.top_requests[1].namespace_(), "cart");
}

TEST_F(Run, evict_goes_on_after_a_pod_that_is_not_there_and_stops_where_berthd_cannot_be_asked) {
  agent.pods = {pod_json("a"), pod_json("c")};
  const auto some = berthctl({"evict", "pod", "a", "b", "c"});
  EXPECT_EQ(some.out, "pod/a evicted: no budget selects it\npod/c evicted: no budget selects it\n");
  EXPECT_EQ(some.err, "error: pod \"b\" not found\n");
  EXPECT_EQ(some.exit_code, 3);
  agent.evict_requests.clear();
  agent.refusal = {grpc::StatusCode::UNAVAILABLE, "berthd does not know yet what runs here"};
  const auto none = berthctl({"evict", "pod", "a", "b", "c"});
  EXPECT_EQ(agent.evict_requests.size(), 1U);
  EXPECT_EQ(none.err, "error: berthd does not know yet what runs here\n");
  EXPECT_EQ(none.exit_code, 4);
}

TEST_F(Run, events_are_printed_in_every_format_watched_or_not) {
  agent.events = {event_json("web-n1.1", "Pulled"), event_json("web-n1.2", "Started")};
  EXPECT_EQ(berthctl({"events", "-o", "name"}).out, "event/web-n1.1\nevent/web-n1.2\n");
  EXPECT_EQ(berthctl({"events", "-w", "-o", "name"}).out, "event/web-n1.1\nevent/web-n1.2\n");
  EXPECT_EQ(berthctl({"events", "-w", "-o", "json"}).out,
            agent.events[0] + "\n" + agent.events[1] + "\n");
  const auto yaml = berthctl({"events", "-w", "-o", "yaml"}).out;
  EXPECT_TRUE(yaml.starts_with("apiVersion: v1\n")) << yaml;
  EXPECT_EQ(yaml.find("---\n"), yaml.rfind("---\n")) << "between the two documents";
  EXPECT_NE(yaml.find("reason: Started\n"), std::string::npos) << yaml;
  EXPECT_TRUE(berthctl({"events", "-o", "yaml"}).out.starts_with("apiVersion: v1\nitems:\n"));
  EXPECT_TRUE(berthctl({"events", "-w"}).out.starts_with("LAST SEEN"));
}

TEST_F(Run, an_event_is_got_by_its_name) {
  agent.events = {event_json("web-n1.1", "Pulled"), event_json("web-n1.2", "Started")};
  EXPECT_EQ(berthctl({"get", "events", "web-n1.2", "-o", "name"}).out, "event/web-n1.2\n");
  EXPECT_EQ(berthctl({"get", "event/web-n1.2", "-w", "-o", "name"}).out, "event/web-n1.2\n");
  EXPECT_TRUE(berthctl({"get", "events", "web-n1.2", "-o", "yaml"})
                  .out.starts_with("apiVersion: v1\ncount: 1\n"))
      << "itself, not a list";
  const auto none = berthctl({"get", "events", "web"});
  EXPECT_EQ(none.exit_code, 3);
  EXPECT_NE(none.err.find("event \"web\" not found"), std::string::npos) << none.err;
  agent.events.clear();
  EXPECT_EQ(berthctl({"get", "events"}).err, "No resources found in default namespace.\n");
  EXPECT_EQ(berthctl({"events", "-A"}).err, "No events found\n");
}

TEST_F(Run, the_node_is_got_by_its_name_and_watched) {
  agent.nodes = {node_json("True"), node_json("False")};
  EXPECT_EQ(berthctl({"get", "node", "n1", "-o", "name"}).out, "node/n1\n");
  EXPECT_TRUE(berthctl({"get", "nodes", "-o", "yaml"}).out.starts_with("apiVersion: v1\nitems:\n"));
  EXPECT_NE(berthctl({"get", "node/n1", "-o", "yaml"}).out.find("\nkind: Node\n"),
            std::string::npos);
  const auto other = berthctl({"get", "node", "n2"});
  EXPECT_EQ(other.exit_code, 3);
  EXPECT_EQ(other.err, "error: node \"n2\" not found; this one is \"n1\"\n");
  EXPECT_EQ(berthctl({"get", "node", "-w"}).out,
            "NAME   STATUS   ROLES    AGE         VERSION   PRESSURE\n"
            "n1     Ready    <none>   <unknown>   v1.34.0   None\n"
            "n1     NotReady   <none>   <unknown>   v1.34.0   None\n");
  EXPECT_EQ(berthctl({"get", "node", "-w", "-o", "name"}).out, "node/n1\nnode/n1\n");
  EXPECT_EQ(berthctl({"get", "node", "n2", "-w"}).exit_code, 3);
}

TEST_F(Run, the_node_is_described_with_its_pods_events_and_pressure) {
  agent.nodes = {node_json("True")};
  agent.pods = {pod_json("web-n1")};
  std::string of_node = event_json("e2", "NodeHasDiskPressure");
  of_node.replace(of_node.find("\"kind\":\"Pod\",\"name\":\"web-n1\""),
                  std::string_view("\"kind\":\"Pod\",\"name\":\"web-n1\"").size(),
                  "\"kind\":\"Node\",\"name\":\"n1\"");
  agent.events = {event_json("e1", "Pulled"), of_node};
  auto& signal = *agent.evictions.add_signals();
  signal.set_name("memory.available");
  signal.set_value("104857600");
  auto& threshold = *signal.add_thresholds();
  threshold.set_limit("50Mi");
  threshold.set_standing("NotMet");
  threshold.set_headroom("50.0Mi");
  const auto printed = berthctl({"describe", "node", "n1", "-n", "shop"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_TRUE(agent.list_request->all_namespaces());
  for (const char* part : {"(1 in total)\n", "NodeHasDiskPressure",
                           "  memory.available   100Mi   50Mi        hard   NotMet     50.0Mi\n"})
    EXPECT_NE(printed.out.find(part), std::string::npos) << part << " is missing in\n"
                                                         << printed.out;
  EXPECT_EQ(printed.out.find("Pulled"), std::string::npos) << "a pod's event: " << printed.out;
  EXPECT_EQ(berthctl({"describe", "node", "n2"}).exit_code, 3);
  EXPECT_EQ(berthctl({"describe", "events"}).exit_code, 2);
}

TEST_F(Run, status_says_that_probes_are_closed_by_reset_and_why) {
  agent.status.set_ready(true);
  EXPECT_EQ(berthctl({"status"}).out.find("Probes:"), std::string::npos) << "in ordinary numbers";
  agent.status.mutable_connection_tracking()->set_resets("600 connections a second are reset");
  agent.status.mutable_connection_tracking()->set_limit(262'144);
  const auto shown = berthctl({"status"});
  EXPECT_NE(shown.out.find("Probes:"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("600 connections a second are reset"), std::string::npos) << shown.out;
  const auto json = berthctl({"status", "-o", "json"});
  EXPECT_NE(json.out.find("\"limit\": 262144"), std::string::npos) << json.out;
}

wire::SettingChange change(const char* field, const char* after, bool needs_restart) {
  wire::SettingChange out;
  out.set_field(field);
  out.set_before("old");
  out.set_after(after);
  out.set_needs_restart(needs_restart);
  return out;
}

TEST_F(Run, reload_says_what_changed_and_what_waits_for_a_restart) {
  EXPECT_EQ(berthctl({"reload"}).out, "nothing has changed\n");
  *agent.reload.add_changes() = change("logLevel", "new", false);
  *agent.reload.add_changes() = change("maxPods", "new", true);
  const auto shown = berthctl({"reload"});
  EXPECT_EQ(shown.exit_code, 0);
  EXPECT_EQ(shown.out, "logLevel: old -> new\nmaxPods: old -> new, once berthd is restarted\n");
  const auto quiet = berthctl({"reload", "-q"});
  EXPECT_EQ(quiet.out + quiet.err, "");
  const auto json = berthctl({"reload", "-o", "json"});
  EXPECT_NE(json.out.find("\"accepted\": true"), std::string::npos) << json.out;
}

TEST_F(Run, reload_fails_with_every_problem_of_a_configuration_that_is_refused) {
  agent.reload.add_problems("c.yaml:1:1: a: is wrong");
  agent.reload.add_problems("c.yaml:2:1: b: is wrong");
  const auto refused = berthctl({"reload"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_EQ(refused.out, "");
  EXPECT_EQ(refused.err,
            "error: c.yaml:1:1: a: is wrong\nerror: c.yaml:2:1: b: is wrong\n"
            "the configuration in force stays; nothing has changed\n");
  const auto quiet = berthctl({"reload", "--quiet"});
  EXPECT_EQ(quiet.exit_code, 1);
  EXPECT_EQ(quiet.out + quiet.err, "");
}

TEST_F(Run, status_lists_what_waits_for_a_restart) {
  *agent.status.add_pending_restart() = change("maxPods", "new", true);
  const auto shown = berthctl({"status"});
  EXPECT_NE(shown.out.find("Pending Restart:"), std::string::npos) << shown.out;
  EXPECT_NE(shown.out.find("maxPods: old -> new"), std::string::npos) << shown.out;
  EXPECT_NE(berthctl({"status", "-o", "json"}).out.find("\"needsRestart\": true"),
            std::string::npos);
}

TEST_F(Run, reports_have_a_form_for_programs) {
  agent.status.set_ready(true);
  agent.status.set_node_name("n1");
  const auto status = berthctl({"status", "-o", "yaml"});
  EXPECT_EQ(status.exit_code, 0);
  EXPECT_TRUE(status.out.starts_with("apiVersion: berth.dev/v1alpha1\n")) << status.out;
  for (const char* part : {"\nkind: AgentStatus\n", "\nnodeName: n1\n", "\nready: true\n"})
    EXPECT_NE(status.out.find(part), std::string::npos) << part << status.out;

  auto& finding = *agent.doctor.add_findings();
  finding.set_severity(wire::TROUBLE);
  finding.set_area("store");
  finding.set_text("it is full");
  finding.set_advice("make room");
  const auto doctor = berthctl({"doctor", "-o", "yaml"});
  EXPECT_EQ(doctor.exit_code, 1);
  EXPECT_EQ(doctor.out,
            "apiVersion: berth.dev/v1alpha1\nfindings:\n- advice: make room\n  area: store\n"
            "  message: it is full\n  severity: trouble\n  subject: \"\"\nkind: DoctorReport\n");
  EXPECT_NE(berthctl({"doctor", "-o", "json"}).out.find("\"kind\": \"DoctorReport\""),
            std::string::npos);

  agent.version.set_berth("9.9 (commit 2fdd4d8c01ab)");
  agent.version.set_kernel("6.1");
  agent.version.set_runtime_name("containerd");
  agent.version.set_runtime_version("1.6");
  agent.version.set_cri("v1");
  const auto version = berthctl({"version", "-o", "yaml"});
  for (const char* part :
       {"clientVersion:\n  build: ", "nodeInfo:\n  kernelVersion: \"6.1\"",
        "runtime:\n  runtimeApiVersion: v1\n  runtimeName: containerd\n",
        "serverVersion:\n  build: 9.9 (commit 2fdd4d8c01ab)\n  gitVersion: \"9.9\"\n"})
    EXPECT_NE(version.out.find(part), std::string::npos) << part << version.out;
}

TEST_F(Run, what_could_not_be_written_is_not_done) {
  agent.pods = {pod_json("web-n1")};
  std::fflush(stdout);
  const int before = ::dup(1);
  const int full = ::open("/dev/full", O_WRONLY | O_CLOEXEC);
  ASSERT_GE(full, 0);
  ::dup2(full, 1);
  testing::internal::CaptureStderr();
  const int exit_code = run({"--socket", agent.socket(), "get", "pods"});
  const std::string err = testing::internal::GetCapturedStderr();
  ::dup2(before, 1);
  ::close(before);
  ::close(full);
  std::clearerr(stdout);
  EXPECT_EQ(exit_code, 1);
  EXPECT_EQ(err, "error: writing the output: No space left on device\n");
}

}  // namespace
}  // namespace berth::ctl
