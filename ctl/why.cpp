// SPDX-License-Identifier: Apache-2.0

// berthctl why pod/NAME [--records | --decision ID]
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

// As many as berthd gives at most: the journal may be older than the newest thousand.
constexpr std::uint32_t kSearched = 10'000;

// The id comes first in a record's line.
bool is_record(std::string_view line, std::string_view id) {
  return line.starts_with("{\"id\":\"" + std::string(id) + "\"");
}

// `decision`: the id of the record that is told alone.
Outcome tell_one(Connection& agent, const control::v1::WhyRequest& request,
                 const std::string& decision) {
  std::size_t found = 0;
  auto stream = agent.stream<control::v1::WhyReply>(
      Patience::kEachReply,
      [&](grpc::ClientContext* call) { return agent.stub().Why(call, request); });
  control::v1::WhyReply reply;
  while (stream.read(reply)) {
    if (!decision.empty() && !is_record(reply.record_json(), decision)) continue;
    ++found;
    const std::string text =
        request.records() ? reply.record_json() + "\n" : why_text(story_of(reply), now());
    print(text);
  }
  const auto ended = stream.finish();
  if (!ended) return std::unexpected(ended.error());
  if (!decision.empty() && found == 0)
    return fail(ErrorCode::kNotFound, "the ledger has no record " + decision +
                                          " (any more): it keeps the newest ones alone");
  return 0;
}

}  // namespace

Outcome tell_why(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 const WhyOptions& why) {
  control::v1::WhyRequest request;
  request.set_namespace_(chosen_namespace(options));
  const bool records = why.records || !why.decision.empty();
  request.set_records(records);
  request.set_limit(why.limit == 0 && !why.decision.empty() ? kSearched : why.limit);
  if (names.empty()) return tell_one(agent, request, why.decision);
  bool first = true;
  for (const auto& name : names) {
    if (!first && !records) print("\n");
    first = false;
    request.set_name(name);
    const auto told = tell_one(agent, request, why.decision);
    if (!told) return told;
  }
  return 0;
}

}  // namespace berth::ctl
