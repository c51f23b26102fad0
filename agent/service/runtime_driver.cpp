// SPDX-License-Identifier: Apache-2.0

#include "agent/service/runtime_driver.hpp"

#include <chrono>
#include <utility>

#include <boost/asio/executor_work_guard.hpp>

#include "agent/node_settings.hpp"
#include "cri/client.hpp"

namespace berth::agent {
namespace {

// The runtime answers from memory; a missing one refuses at once.
constexpr auto kAnswerWithin = std::chrono::seconds(2);

}  // namespace

Result<node::CgroupDriver> RuntimeDriver::choose(boost::asio::io_context& loop,
                                                 const TaskGroup::FailureHandler& on_failure) {
  TaskGroup tasks(loop.get_executor(), on_failure);
  const auto asking = [](RuntimeDriver& self) -> boost::asio::awaitable<void> {
    auto answer = self.ask();
    self.choice_ = co_await std::move(answer);
  };
  tasks.spawn("cgroup driver", asking(*this));
  {
    const auto work = boost::asio::make_work_guard(loop);
    while (tasks.size() > 0) loop.run_one();
  }
  loop.restart();  // without work it has stopped
  if (!choice_.refusal.empty()) return fail(ErrorCode::kUnavailable, choice_.refusal);
  if (!choice_.overridden.empty()) log_.warn("CgroupDriver", choice_.overridden);
  return choice_.driver;
}

boost::asio::awaitable<Result<bool>> RuntimeDriver::confirmed() {
  if (!choice_.provisional) co_return true;
  auto answer = ask();
  auto choice = co_await std::move(answer);
  // The runtime has stopped answering again. Until it answers nothing is started; if its driver
  // differs then, pods wait for a restart of berthd.
  if (choice.provisional) co_return true;
  if (!choice.refusal.empty()) co_return fail(ErrorCode::kUnavailable, choice.refusal);
  choice_.provisional = false;
  co_return choice.driver == choice_.driver;
}

boost::asio::awaitable<node::DriverChoice> RuntimeDriver::ask() const {
  auto detection = cri::detect_features(connection_, kAnswerWithin);
  auto features = co_await std::move(detection);
  node::DriverQuestion question{
      .configured = node_config(settings_).cgroup_driver,
      .systemd_manages_services = systemd_manages_services_,
      .config_file = settings_.config_file.empty() ? kDefaultConfigFile : settings_.config_file};
  if (features) question.runtime = std::move(*features);
  co_return node::choose_cgroup_driver(question);
}

}  // namespace berth::agent
