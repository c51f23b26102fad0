// SPDX-License-Identifier: Apache-2.0

// berthctl why pod/NAME [--records], why node, and why --decision ID
#include "ctl/command.hpp"
#include "ctl/why_text.hpp"

namespace berth::ctl {
namespace {

WhyStory story_of(const control::v1::WhyReply& reply) {
  WhyStory story{
      .namespace_ = reply.namespace_(), .name = reply.name(), .present = reply.present()};
  for (const auto& line : reply.happened()) {
    story.happened.push_back({.time = line.time(), .text = line.text()});
  }
  story.coming.assign(reply.coming().begin(), reply.coming().end());
  return story;
}

Outcome print_one(Connection& agent, const control::v1::WhyRequest& request) {
  auto stream = agent.stream<control::v1::WhyReply>(
      Patience::kEachReply,
      [&](grpc::ClientContext* call) { return agent.stub().Why(call, request); });
  control::v1::WhyReply reply;
  while (stream.read(reply)) {
    const std::string text =
        reply.record_json().empty() ? why_text(story_of(reply), now()) : reply.record_json() + "\n";
    print(text);
  }
  const auto ended = stream.finish();
  if (!ended) return std::unexpected(ended.error());
  return 0;
}

}  // namespace

Outcome show_why(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 const WhyOptions& why) {
  control::v1::WhyRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_records(why.records);
  request.set_limit(why.limit);
  request.set_decision(why.decision);
  request.set_node(why.node);
  if (names.empty()) return print_one(agent, request);
  bool first = true;
  for (const auto& name : names) {
    if (!first && !why.records) print("\n");
    first = false;
    request.set_name(name);
    const auto printed = print_one(agent, request);
    if (!printed) return printed;
  }
  return 0;
}

}  // namespace berth::ctl
