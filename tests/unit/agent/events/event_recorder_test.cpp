// SPDX-License-Identifier: Apache-2.0

#include "agent/events/event_recorder.hpp"

#include <malloc.h>

#include <gtest/gtest.h>
#include <boost/asio/io_context.hpp>

#include "base/virtual_clock.hpp"
#include "tests/unit/agent/recorded_log.hpp"

namespace berth::agent {
namespace {

using namespace std::chrono_literals;

const WallTime kStart{1'700'000'000s};

struct Kept final : EventSink {
  void keep(EventPtr event) override { events.push_back(std::move(event)); }
  std::vector<EventPtr> events{};
};

struct Recording {
  boost::asio::io_context loop{};
  VirtualClock clock{loop, kStart};
  RecordedLog log{};
  EventRecorder recorder{loop.get_executor(), clock, log, "n1"};
};

TEST(EventRecorder, works_without_a_sink) {
  Recording run;
  run.recorder.record_node(false, "Starting", "m");
  EXPECT_EQ(run.recorder.store().list().size(), 1U);
}

TEST(EventRecorder, keeps_every_event_and_goes_on_after_a_restart) {
  Kept kept;
  {
    Recording first;
    first.recorder.continue_from({}, kept);
    first.recorder.record_node(true, "NodeNotReady", "m");
    first.recorder.record_node(true, "NodeNotReady", "m");
  }
  ASSERT_EQ(kept.events.size(), 2U);
  EXPECT_EQ(kept.events[0]->metadata.name, kept.events[1]->metadata.name);
  Recording second;
  second.recorder.continue_from({kept.events[1]}, kept);
  EXPECT_EQ(kept.events.size(), 2U) << "what was recalled is there already";
  second.recorder.record_node(true, "NodeNotReady", "m");
  ASSERT_EQ(kept.events.size(), 3U);
  EXPECT_EQ(kept.events[2]->count, 3);
}

TEST(EventRecorder, who_no_longer_watches_takes_no_memory) {
  Recording run;
  run.recorder.watch().reset();
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 10'000; ++i) run.recorder.watch().reset();
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

}  // namespace
}  // namespace berth::agent
