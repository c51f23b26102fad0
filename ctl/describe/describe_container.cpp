// SPDX-License-Identifier: Apache-2.0

#include "ctl/describe/describe_container.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ctl/describe/describe_sections.hpp"
#include "ctl/describe/describe_settings.hpp"
#include "ctl/table.hpp"

namespace berth::ctl {
namespace {

std::string yes_no(bool value) {
  return value ? "True" : "False";
}

// "80/TCP (http), 443/TCP"; "<none>" without ports.
std::string ports(const api::Container& container, bool host) {
  std::string text;
  for (const auto& port : container.ports) {
    text +=
        fmt::format("{}{}/{}", text.empty() ? "" : ", ", host ? port.hostPort : port.containerPort,
                    port.protocol.empty() ? "TCP" : port.protocol);
    if (!port.name.empty()) text += fmt::format(" ({})", port.name);
  }
  return text.empty() ? "<none>" : text;
}

// Termination messages mostly end with a meaningless line feed.
std::string without_last_breaks(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

void describe_state(DescribeText& out, std::string_view key, const api::ContainerState& state) {
  if (state.running) {
    out.field(key, "Running");
    out.field("  Started", describe_time(state.running->startedAt));
  } else if (state.terminated) {
    const auto& ended = *state.terminated;
    out.field(key, "Terminated");
    if (!ended.reason.empty()) out.field("  Reason", ended.reason);
    if (!ended.message.empty()) out.field("  Message", without_last_breaks(ended.message));
    out.field("  Exit Code", fmt::format("{}", ended.exitCode));
    if (ended.signal > 0) out.field("  Signal", fmt::format("{}", ended.signal));
    out.field("  Started", describe_time(ended.startedAt));
    out.field("  Finished", describe_time(ended.finishedAt));
  } else {
    out.field(key, "Waiting");
    if (state.waiting && !state.waiting->reason.empty()) {
      out.field("  Reason", state.waiting->reason);
    }
    if (state.waiting && !state.waiting->message.empty()) {
      out.field("  Message", without_last_breaks(state.waiting->message));
    }
  }
}

void describe_words(DescribeText& out, std::string_view key,
                    const std::vector<std::string>& words) {
  if (words.empty()) return;
  out.enter(key);
  for (const auto& word : words) {
    for (std::size_t begin = 0; begin <= word.size();) {
      const std::size_t end = std::min(word.find('\n', begin), word.size());
      out.line(word.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  out.leave();
}

}  // namespace

void describe_container(DescribeText& out, const api::Pod& pod, const api::Container& container,
                        const api::ContainerStatus* status) {
  out.enter(container.name);
  if (status != nullptr) out.field("Container ID", status->containerID);
  out.field("Image", container.image);
  if (status != nullptr) out.field("Image ID", status->imageID);
  const bool several = container.ports.size() > 1;
  out.field(several ? "Ports" : "Port", ports(container, false));
  out.field(several ? "Host Ports" : "Host Port", ports(container, true));
  if (container.securityContext && container.securityContext->seccompProfile)
    describe_seccomp(out, *container.securityContext->seccompProfile);
  describe_words(out, "Command", container.command);
  describe_words(out, "Args", container.args);
  if (status != nullptr) {
    describe_state(out, "State", status->state);
    if (status->lastState.terminated) describe_state(out, "Last State", status->lastState);
    out.field("Ready", yes_no(status->ready));
    out.field("Restart Count", fmt::format("{}", status->restartCount));
  }
  describe_settings(out, pod, container);
  out.leave();
}

void describe_seccomp(DescribeText& out, const api::SeccompProfile& profile) {
  out.field("SeccompProfile", profile.type);
  if (profile.type == "Localhost")
    out.field("LocalhostProfile", profile.localhostProfile.value_or(""));
}

}  // namespace berth::ctl
