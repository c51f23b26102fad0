// SPDX-License-Identifier: Apache-2.0

// berthctl version: this program's, the agent's and the runtime's.
#include <optional>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "base/version.hpp"
#include "ctl/command.hpp"
#include "ctl/describe/describe_text.hpp"
#include "ctl/exit_code.hpp"
#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

Result<control::v1::VersionReply> ask(const Options& options) {
  auto agent = Connection::open(options.socket, options.request_timeout);
  if (!agent) return std::unexpected(agent.error());
  control::v1::VersionReply reply;
  const auto context = agent->context();
  const grpc::Status status = agent->stub().Version(context.get(), {}, &reply);
  if (!status.ok()) return fail(agent->explain(status));
  return reply;
}

std::string version_text(const control::v1::VersionReply* agent) {
  DescribeText out;
  out.field("berthctl", std::string(build_version()));
  if (agent == nullptr) return out.text();
  out.field("berthd", agent->berth());
  out.field("Runtime", agent->runtime_name().empty()
                           ? "not connected"
                           : fmt::format("{} {} (CRI {})", agent->runtime_name(),
                                         agent->runtime_version(), agent->cri()));
  out.field("Kernel", agent->kernel());
  return out.text();
}

// `build`: "0.1.0 (commit 2fdd4d8c01ab)".
boost::json::object version_json(const std::string& build) {
  return {{"gitVersion", build.substr(0, build.find(' '))}, {"build", build}};
}

// As `kubectl version -o json`, extended with CRI's VersionResponse and a Node's nodeInfo.
boost::json::value version_value(const control::v1::VersionReply* agent) {
  boost::json::object value = {{"clientVersion", version_json(std::string(build_version()))}};
  if (agent == nullptr) return value;
  value["serverVersion"] = version_json(agent->berth());
  value["nodeInfo"] = {{"kernelVersion", agent->kernel()}};
  if (!agent->runtime_name().empty())
    value["runtime"] = {{"runtimeName", agent->runtime_name()},
                        {"runtimeVersion", agent->runtime_version()},
                        {"runtimeApiVersion", agent->cri()}};
  return value;
}

}  // namespace

// berthctl's own version is known without an agent, and always printed.
Outcome show_version(const Options& options, bool client_only) {
  std::optional<Result<control::v1::VersionReply>> asked;
  if (!client_only) asked = ask(options);
  const auto* agent = asked && *asked ? &**asked : nullptr;
  print(options.output == Output::kTable ? version_text(agent)
                                         : value_text(version_value(agent), options.output));
  if (asked && !*asked) return fail(asked->error());
  return kOk;
}

}  // namespace berth::ctl
