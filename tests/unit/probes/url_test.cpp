// SPDX-License-Identifier: Apache-2.0

#include "probes/url.hpp"

#include <gtest/gtest.h>

namespace berth::probes {
namespace {

TEST(UrlTest, is_read_as_the_kubelets_client_reads_it) {
  struct Case {
    std::string text, host, path, query;
  };
  for (const auto& [text, host, path, query] : {
           Case{"/healthz", "", "/healthz", ""},
           Case{"/a?b=1&c=2#part", "", "/a", "b=1&c=2"},
           Case{"http://web:81/x", "web:81", "/x", ""},
           Case{"//other/x", "other", "/x", ""},
           Case{"HTTPS://u:p@[fd00::1]:8443/", "[fd00::1]:8443", "/", ""},
           Case{"/a b", "", "/a%20b", ""},
           Case{"/a%20b", "", "/a%20b", ""},
           Case{"/\xC3\xA9", "", "/%C3%A9", ""},
           Case{"/%41 ", "", "/A%20", ""},
           Case{"healthz", "", "healthz", ""},
           Case{"/x[1]?a|b c", "", "/x[1]", "a|b c"},
           Case{"///x", "", "///x", ""},
           Case{"http:///x", "", "/x", ""},
       }) {
    const auto url = parse_url(text);
    ASSERT_TRUE(url) << text;
    EXPECT_EQ(url->authority, host) << text;
    EXPECT_EQ(url->path, path) << text;
    EXPECT_EQ(url->query, query) << text;
  }
}

TEST(UrlTest, what_is_no_url_is_refused) {
  for (const std::string text : {"/a%zz", "/a%4", "/a\nb", ":x", "a:b", "http://[::1/",
                                 "http://h:p/", "/x#%zz", "1http://x/"}) {
    EXPECT_FALSE(parse_url(text)) << text;
  }
}

TEST(UrlTest, a_query_is_taken_apart_and_decoded) {
  using Values = std::vector<std::pair<std::string, std::string>>;
  const std::vector<std::pair<std::string, Values>> cases = {
      {"/", {}},
      {"/?", {}},
      {"/?verbose", {{"verbose", ""}}},
      {"/?exclude=log&exclude=%70ing", {{"exclude", "log"}, {"exclude", "ping"}}},
      {"/?a=b+c%2B&=x&&d=e=f", {{"a", "b c+"}, {"", "x"}, {"d", "e=f"}}},
      {"/?a=%zz&b=1;c=2&d=3", {{"d", "3"}}},
  };
  for (const auto& [text, values] : cases)
    EXPECT_EQ(query_values(*parse_url(text)), values) << text;
}

TEST(UrlTest, a_path_without_a_slash_gets_one_on_the_wire) {
  Url url{
      .scheme = "http", .authority = "10.0.0.5:80", .path = "x", .query = "", .has_query = true};
  EXPECT_EQ(url.request_target(), "/x?");
  EXPECT_EQ(url.str(), "http://10.0.0.5:80/x?");
}

TEST(UrlTest, references_are_joined_with_what_they_are_relative_to) {
  const Url base = *parse_url("http://web:81/a/b?q");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/x", "http://web:81/x"},       {"x", "http://web:81/a/x"},
      {"../x", "http://web:81/x"},     {"../../../x", "http://web:81/x"},
      {"?y", "http://web:81/a/b?y"},   {"./", "http://web:81/a/"},
      {"//other/x", "http://other/x"}, {"https://web/x", "https://web/x"},
      {"", "http://web:81/a/b?q"},     {"/a/./b/..", "http://web:81/a/"},
  };
  for (const auto& [reference, expected] : cases) {
    EXPECT_EQ(resolve_reference(base, *parse_url(reference)).str(), expected) << reference;
  }
}

TEST(UrlTest, host_and_port_are_separated) {
  EXPECT_EQ(parse_url("http://[fd00::1]:81/")->hostname(), "fd00::1");
  EXPECT_EQ(parse_url("http://[fd00::1]:81/")->port(), "81");
  EXPECT_EQ(parse_url("https://[fd00::1]/")->port(), "443");
  EXPECT_EQ(parse_url("http://web/")->port(), "80");
  EXPECT_EQ(parse_url("http://web:/")->hostname(), "web");
  EXPECT_EQ(join_host_port("fd00::1", "81"), "[fd00::1]:81");
}

}  // namespace
}  // namespace berth::probes
