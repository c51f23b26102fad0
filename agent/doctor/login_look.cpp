// SPDX-License-Identifier: Apache-2.0

#include "agent/doctor/login_look.hpp"

#include <exception>
#include <utility>

#include <boost/asio/io_context.hpp>

#include "base/real_clock.hpp"
#include "base/task_group.hpp"

namespace berth::agent {

systemd::LoginState look_at_login(Nanoseconds limit, systemd::OpenBus open) {
  boost::asio::io_context loop{1};
  RealClock clock;
  systemd::Logind logind(loop.get_executor(), clock, {.who = "berthd", .why = "a look"},
                         std::move(open));
  std::exception_ptr failure;
  TaskGroup tasks(loop.get_executor(), [&failure](std::string_view, std::exception_ptr thrown) {
    failure = std::move(thrown);
  });
  tasks.spawn("logind", logind.run());
  const SteadyTime until = clock.steady_now() + limit;
  const auto silent = [&logind] {
    return !logind.state().connected && logind.state().error.empty();
  };
  while (!failure && silent() && clock.steady_now() < until)
    loop.run_one_for(until - clock.steady_now());
  systemd::LoginState state = logind.state();
  if (silent()) state.error = "systemd-logind does not answer";
  tasks.request_stop();
  while (tasks.size() > 0) loop.run_one();
  if (failure) std::rethrow_exception(failure);
  return state;
}

}  // namespace berth::agent
