// SPDX-License-Identifier: Apache-2.0

#include "probes/target.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

const std::vector<api::ContainerPort> kPorts = {
    {.name = "web", .containerPort = 8080},
    {.name = "bad", .containerPort = 0},
};

TEST(TargetTest, ports_are_resolved_among_the_containers_own) {
  struct Case {
    api::IntOrString port;
    std::string expected;
  };
  for (const auto& [port, expected] : {
           Case{80, "80"},
           Case{"web", "8080"},
           Case{"9090", "9090"},
           Case{"+9090", "9090"},
           Case{0, "invalid port number: 0"},
           Case{65536, "invalid port number: 65536"},
           Case{"-1", "invalid port number: -1"},
           Case{"bad", "invalid port number: 0"},
           Case{"none", "strconv.Atoi: parsing \"none\": invalid syntax"},
           Case{"", "strconv.Atoi: parsing \"\": invalid syntax"},
           Case{"+-5", "strconv.Atoi: parsing \"+-5\": invalid syntax"},
           Case{"99999999999999999999",
                "strconv.Atoi: parsing \"99999999999999999999\": value out of range"},
       }) {
    const auto resolved = resolve_port(port, kPorts);
    EXPECT_EQ(resolved ? std::to_string(*resolved) : resolved.error().message, expected);
  }
}

TEST(TargetTest, http_goes_to_the_pod_unless_a_host_is_named) {
  const api::HTTPGetAction action{.path = "/ok?x=1", .port = "web"};
  EXPECT_EQ(http_target(action, kPorts, "10.0.0.5", kProbeUserAgent)->url.str(),
            "http://10.0.0.5:8080/ok?x=1");
  EXPECT_EQ(http_target(action, kPorts, "fd00::5", kProbeUserAgent)->url.str(),
            "http://[fd00::5]:8080/ok?x=1");
  const api::HTTPGetAction elsewhere{.path = "/", .port = 1, .host = "web", .scheme = "HTTPS"};
  EXPECT_EQ(http_target(elsewhere, kPorts, "10.0.0.5", kProbeUserAgent)->url.str(),
            "https://web:1/");
}

TEST(TargetTest, a_path_that_is_no_url_goes_along_as_it_is) {
  const api::HTTPGetAction action{.path = "/50%?x", .port = 80};
  EXPECT_EQ(http_target(action, {}, "10.0.0.5", kProbeUserAgent)->url.str(),
            "http://10.0.0.5:80/50%25%3Fx");
}

std::vector<std::string> lines(const HttpTarget& target) {
  std::vector<std::string> out;
  for (const auto& [name, value] : target.headers) out.push_back(name + ": " + value);
  return out;
}

TEST(TargetTest, headers_are_the_configured_ones_and_two_defaults) {
  using Lines = std::vector<std::string>;
  using Headers = std::vector<api::HTTPHeader>;
  const auto with = [](Headers headers) {
    return *http_target({.path = "/", .port = 80, .httpHeaders = std::move(headers)}, {},
                        "10.0.0.5", kProbeUserAgent);
  };
  EXPECT_EQ(lines(with({})), (Lines{"Accept: */*", "User-Agent: kube-probe/1.34"}));
  EXPECT_EQ(lines(with({{"x-b", "2"}, {"X-A", "1"}, {"X-B", "1"}})),
            (Lines{"Accept: */*", "User-Agent: kube-probe/1.34", "X-A: 1", "X-B: 2", "X-B: 1"}));
  EXPECT_EQ(lines(with({{"user-agent", "me"}, {"ACCEPT", "text/plain"}})),
            (Lines{"Accept: text/plain", "User-Agent: me"}));
  EXPECT_EQ(lines(with({{"User-Agent", ""}, {"Accept", ""}})), Lines{});
  const HttpTarget hosted = with({{"host", "web.example"}});
  EXPECT_EQ(hosted.host_header, "web.example");
  EXPECT_EQ(hosted.url.hostname(), "10.0.0.5") << "the connection does not go by the header";
}

TEST(TargetTest, each_probe_mechanism_has_its_target) {
  const cri::ContainerId id{"c1"};
  const std::vector<std::string> command = {"check", "x"};
  const ProbedContainer container{id, kPorts, "10.0.0.5", command};
  EXPECT_EQ(*probe_target({.exec = api::ExecAction{{"check", "$(A)"}}}, container),
            Target(ExecTarget{id, command}));
  EXPECT_EQ(*probe_target({.tcpSocket = api::TCPSocketAction{.port = "web"}}, container),
            Target(TcpTarget{"10.0.0.5", 8080}));
  EXPECT_EQ(*probe_target({.tcpSocket = api::TCPSocketAction{.port = 1, .host = "h"}}, container),
            Target(TcpTarget{"h", 1}));
  EXPECT_EQ(*probe_target({.grpc = api::GRPCAction{.port = 9, .service = "s"}}, container),
            Target(GrpcTarget{"10.0.0.5", 9, "s"}));
  const auto unknown = probe_target({.tcpSocket = api::TCPSocketAction{.port = "no"}}, container);
  ASSERT_FALSE(unknown);
  const Attempt attempt = errored_attempt(unknown.error());
  EXPECT_TRUE(attempt.errored);
  EXPECT_EQ(attempt.outcome, Outcome::kUnknown);
}

TEST(TargetTest, a_hook_needs_an_address_and_says_who_it_is) {
  const api::HTTPGetAction action{.path = "/stop", .port = 80};
  EXPECT_EQ(lines(*http_hook_target(action, {}, "10.0.0.5")).back(),
            "User-Agent: kube-lifecycle/1.34");
  const auto homeless = http_hook_target(action, {}, "");
  ASSERT_FALSE(homeless);
  EXPECT_TRUE(homeless.error().message.starts_with("failed to find networking container: "));
}

TEST(TargetTest, the_plain_http_fallback_drops_the_credentials) {
  const api::HTTPGetAction action{
      .path = "/stop", .port = 80, .scheme = "HTTPS", .httpHeaders = {{"authorization", "secret"}}};
  const HttpTarget fallback = plain_http_fallback(*http_hook_target(action, {}, "10.0.0.5"));
  EXPECT_EQ(fallback.url.str(), "http://10.0.0.5:80/stop");
  EXPECT_EQ(lines(fallback),
            (std::vector<std::string>{"Accept: */*", "User-Agent: kube-lifecycle/1.34"}));
}

}  // namespace
}  // namespace berth::probes
