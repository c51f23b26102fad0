// SPDX-License-Identifier: Apache-2.0

#include "ctl/event_row.hpp"

#include <gtest/gtest.h>

namespace berth::ctl {
namespace {

using namespace std::chrono_literals;

api::Event event_about(const std::string& kind, const std::string& name) {
  api::Event event;
  event.metadata.namespace_ = "default";
  event.involvedObject = {.kind = kind, .name = name};
  event.type = "Warning";
  event.reason = "BackOff";
  event.message = " Back-off\n";
  event.count = 1;
  event.firstTimestamp = event.lastTimestamp = api::Time::from_unix_seconds(90);
  return event;
}

TEST(EventRow, has_the_columns_of_kubectl_events) {
  EXPECT_EQ(event_header({.with_namespace = true}),
            (Row{"NAMESPACE", "LAST SEEN", "TYPE", "REASON", "OBJECT", "MESSAGE"}));
  auto event = event_about("Pod", "web");
  EXPECT_EQ(event_row(event, {}, WallTime{100s}),
            (Row{"10s", "Warning", "BackOff", "Pod/web", "Back-off"}));
  event.count = 4;
  event.firstTimestamp = api::Time::from_unix_seconds(10);
  EXPECT_EQ(event_row(event, {}, WallTime{100s}).at(0), "10s (x4 over 90s)");
}

TEST(EventRow, has_the_columns_of_kubectl_get_events) {
  auto event = event_about("Pod", "web");
  event.metadata.name = "web.1";
  event.involvedObject.fieldPath = "spec.containers{c}";
  event.source = {.component = "kubelet", .host = "n1"};
  event.count = 4;
  event.firstTimestamp = api::Time::from_unix_seconds(10);
  EXPECT_EQ(event_row(event, {.style = EventStyle::kGet, .with_namespace = true}, WallTime{100s}),
            (Row{"default", "10s", "Warning", "BackOff", "pod/web", "Back-off"}));
  EXPECT_EQ(event_header({.style = EventStyle::kGet, .wide = true}),
            (Row{"LAST SEEN", "TYPE", "REASON", "OBJECT", "SUBOBJECT", "SOURCE", "MESSAGE",
                 "FIRST SEEN", "COUNT", "NAME"}));
  EXPECT_EQ(event_row(event, {.style = EventStyle::kGet, .wide = true}, WallTime{100s}),
            (Row{"10s", "Warning", "BackOff", "pod/web", "spec.containers{c}", "kubelet, n1",
                 "Back-off", "90s", "4", "web.1"}));
}

TEST(EventRow, what_was_said_does_nothing_to_the_terminal) {
  auto event = event_about("Pod", "web");
  event.message = "\x1b[2J\rgone";
  EXPECT_EQ(format_row({event_message(event)}, {}), "^[[2J\\rgone\n");
}

TEST(EventFilter, takes_what_was_asked_for) {
  struct Case {
    const char* for_object;
    std::vector<std::string> types;
    bool pod;
    bool node;
  };
  for (const Case& one :
       {Case{"", {}, true, true}, Case{"", {"warning"}, true, true},
        Case{"", {"Normal"}, false, false}, Case{"", {"Normal", "Warning"}, true, true},
        Case{"pod/web", {}, true, false}, Case{"Node/n1", {}, false, true},
        Case{"node/n2", {}, false, false}}) {
    const auto filter = event_filter(one.for_object, one.types);
    ASSERT_TRUE(filter) << filter.error().message;
    EXPECT_EQ(filter->takes(event_about("Pod", "web")), one.pod) << one.for_object;
    EXPECT_EQ(filter->takes(event_about("Node", "n1")), one.node) << one.for_object;
  }
}

TEST(EventFilter, refuses_what_makes_no_sense) {
  EXPECT_EQ(event_filter("", {"Error"}).error().message, "valid --types are Normal or Warning");
  EXPECT_FALSE(event_filter("web", {}));
  EXPECT_FALSE(event_filter("pod/", {}));
  EXPECT_FALSE(event_filter("secret/x", {}));
}

}  // namespace
}  // namespace berth::ctl
