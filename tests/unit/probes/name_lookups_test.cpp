// SPDX-License-Identifier: Apache-2.0

#include "probes/name_lookups.hpp"

#include <atomic>
#include <future>
#include <map>
#include <memory>

#include "base/task_group.hpp"
#include "tests/unit/base/loop_fixture.hpp"

namespace berth::probes {
namespace {

using boost::asio::awaitable;
using namespace std::chrono_literals;

// Answers for names that begin with "slow" once it is released, and for all others at once.
struct Server {
  std::promise<void> release{};
  std::shared_future<void> released{release.get_future().share()};
  std::atomic<int> asked{0};
};

class NameLookupsTest : public LoopFixture {
 protected:
  [[nodiscard]] std::function<Addresses(const std::string&)> resolve() {
    return [server = server](const std::string& host) -> Addresses {
      ++server->asked;
      if (host.starts_with("slow")) server->released.wait();
      if (host.ends_with(".invalid")) return {};
      return {boost::asio::ip::make_address("192.0.2.1")};
    };
  }
  awaitable<void> ask(std::string host) {
    auto looking = lookups.of(host);
    const Addresses found = co_await std::move(looking);
    answers[host].push_back(found.size());
  }
  void wait_for(const std::string& host, std::size_t count) {
    while (answers[host].size() < count) loop.run_one();
  }

  std::shared_ptr<Server> server = std::make_shared<Server>();
  NameLookups lookups{clock, resolve()};
  std::map<std::string, std::vector<std::size_t>> answers{};  // addresses found, by name
};

TEST_F(NameLookupsTest, a_name_that_is_not_answered_delays_no_other) {
  spawn("slow", ask("slow"));
  spawn("quick", ask("quick"));
  spawn("unknown", ask("unknown.invalid"));
  wait_for("quick", 1);
  wait_for("unknown.invalid", 1);
  EXPECT_EQ(answers["quick"], std::vector<std::size_t>{1});
  EXPECT_EQ(answers["unknown.invalid"], std::vector<std::size_t>{0});
  EXPECT_TRUE(answers["slow"].empty());
  server->release.set_value();
  wait_for("slow", 1);
}

TEST_F(NameLookupsTest, of_one_name_at_the_same_time_are_one) {
  for (int i = 0; i < 20; ++i) spawn("slow", ask("slow"));
  drain();
  server->release.set_value();
  wait_for("slow", 20);
  EXPECT_EQ(server->asked, 1);
  spawn("again", ask("slow"));
  wait_for("slow", 21);
  EXPECT_EQ(server->asked, 2) << "an answer is not kept";
}

TEST_F(NameLookupsTest, a_caller_that_leaves_does_not_take_the_answer_from_the_next) {
  {
    TaskGroup impatient(loop.get_executor(), [](std::string_view, std::exception_ptr) {});
    impatient.spawn("impatient", ask("slow"));
    drain();
    impatient.request_stop();
    drain();
    EXPECT_EQ(impatient.size(), 0U);
  }
  EXPECT_TRUE(answers["slow"].empty());
  spawn("next", ask("slow"));
  drain();
  server->release.set_value();
  wait_for("slow", 1);
  EXPECT_EQ(server->asked, 1);
}

TEST_F(NameLookupsTest, whoever_ends_abandons_a_lookup_that_does_not_return) {
  {
    NameLookups abandoned(clock, resolve());
    spawn("slow", [](NameLookups& names) -> awaitable<void> {
      static_cast<void>(co_await names.of("slow"));
    }(abandoned));
    drain();
    tasks.request_stop();
    drain();
  }
  server->release.set_value();
}

TEST(AddressesOf, a_name_of_the_machine_is_found_and_another_is_not) {
  EXPECT_FALSE(addresses_of("localhost").empty());
  EXPECT_TRUE(addresses_of("no-such-host.invalid").empty());
}

}  // namespace
}  // namespace berth::probes
