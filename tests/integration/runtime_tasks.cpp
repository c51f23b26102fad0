// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/runtime_tasks.hpp"

#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/time.hpp"

namespace berth::integration {
namespace {

// A time is a string in containerd 1.6, and seconds and nanoseconds since 1970 from 1.7 on.
std::optional<WallTime> time_in(const boost::json::value& value) {
  if (const auto* text = value.if_string()) {
    const auto parsed = api::Time::parse(std::string_view(*text));
    return parsed ? std::optional(parsed->at) : std::nullopt;
  }
  const auto* parts = value.if_object();
  if (parts == nullptr) return std::nullopt;
  const auto part = [parts](const char* name) {
    const auto* found = parts->if_contains(name);
    return found == nullptr ? 0 : found->to_number<std::int64_t>();
  };
  const std::int64_t seconds = part("seconds");
  if (seconds < 0) return std::nullopt;  // Go's zero time: containerd knows none
  return WallTime{std::chrono::seconds{seconds} + Nanoseconds{part("nanos")}};
}

}  // namespace

std::vector<RuntimeTask> parse_tasks(const std::string& listed) {
  std::vector<RuntimeTask> tasks;
  std::istringstream lines(listed);
  std::string line;
  std::getline(lines, line);  // skips the header
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    RuntimeTask task;
    if (words >> task.id >> task.pid >> task.status) tasks.push_back(std::move(task));
  }
  return tasks;
}

std::optional<ContainerExit> parse_exit(const std::string& line) {
  const auto topic = line.find(" /tasks/exit ");
  const auto begin = line.find('{');
  if (topic == std::string::npos || begin == std::string::npos) return std::nullopt;
  const auto value = boost::json::parse(line.substr(begin));
  const auto& event = value.as_object();
  if (event.at("id") != event.at("container_id")) return std::nullopt;
  const auto at = time_in(event.at("exited_at"));
  if (!at) return std::nullopt;
  const auto* code = event.if_contains("exit_status");  // left out when 0
  return ContainerExit{.id = std::string(event.at("id").as_string()),
                       .code = code == nullptr ? 0 : code->to_number<int>(),
                       .at = *at};
}

std::set<std::string> refused_deletions(const std::string& log) {
  constexpr std::string_view kRefusal = "cannot delete running task ";
  constexpr std::size_t kIdLength = 64;
  std::set<std::string> ids;
  for (auto at = log.find(kRefusal); at != std::string::npos; at = log.find(kRefusal, at + 1))
    ids.insert(log.substr(at + kRefusal.size(), kIdLength));
  return ids;
}

bool removed_by_word_alone(const std::string& containerd_log, const std::string& id) {
  const auto refused = containerd_log.find("cannot delete running task " + id);
  const std::string removed = "RemovePodSandbox \\\"" + id + "\\\" returns successfully";
  return refused != std::string::npos && containerd_log.find(removed, refused) != std::string::npos;
}

std::optional<WallTime> kill_sent(const std::string& containerd_log, const std::string& id) {
  const std::string sent = fmt::format(R"(msg="Kill container \"{}\"")", id);
  std::istringstream lines(containerd_log);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kTime = "time=\"";
    if (!line.starts_with(kTime) || !line.contains(sent)) continue;
    const std::string at = line.substr(kTime.size(), line.find('"', kTime.size()) - kTime.size());
    if (const auto time = api::Time::parse(at)) return time->at;
  }
  return std::nullopt;
}

bool is_alive(pid_t pid) {
  return std::filesystem::exists("/proc/" + std::to_string(pid));
}

}  // namespace berth::integration
