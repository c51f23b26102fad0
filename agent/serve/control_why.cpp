// SPDX-License-Identifier: Apache-2.0

// Why: a pod's history, or the node's, from the ledger and its present status.
#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "agent/node_settings.hpp"
#include "agent/serve/control_calls.hpp"
#include "agent/serve/control_streams.hpp"
#include "api/time.hpp"
#include "control/pod_name.hpp"
#include "lifecycle/ledger/kinds.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/why.hpp"
#include "lifecycle/ledger/why_node.hpp"

namespace berth::agent {
namespace {

using Records = std::vector<lifecycle::LedgerRecord>;

// Covers days of an ordinary pod; each record is read and rendered on every request, some 100 µs
// each.
constexpr std::size_t kStoryRecords = 300;
// Raw records may be many; each is some kilobytes.
constexpr std::size_t kRawRecords = 1000;
// All of them are in memory until the last is sent.
constexpr std::size_t kMostRecords = 10'000;

// The requested pod, and the names under which its records may be.
struct Wanted {
  lifecycle::PodPtr pod{};  // null if it no longer exists
  std::string namespace_{};
  std::vector<std::string> names{};  // empty: every pod
};

Result<Wanted> wanted_pod(ControlSources& from, const wire::WhyRequest& request) {
  if (request.records() && request.name().empty()) return Wanted{};
  const auto found = find_pod(from, request.namespace_(), request.name());
  if (found) {
    const auto& meta = (*found)->metadata;
    return Wanted{.pod = *found, .namespace_ = meta.namespace_, .names = {meta.name}};
  }
  // Records exist whether the pod still does or not.
  const bool may_be_gone =
      found.error().code == ErrorCode::kNotFound || (request.records() && !from.known.yet());
  if (!may_be_gone) return fail(found.error());
  const auto typed = control::typed_pod_name(request.namespace_(), request.name());
  return Wanted{.namespace_ = typed.namespace_,
                .names = {typed.name, typed.name + "-" + from.settings.node_name}};
}

// Why the pod is held up by others; a pod that is no longer listed is found by name.
std::vector<lifecycle::HeldPod> held_of(const ControlSources& from, const Wanted& wanted) {
  auto held = from.pods.held();
  std::erase_if(held, [&wanted](const lifecycle::HeldPod& one) {
    const auto& meta = one.pod->metadata;
    if (wanted.pod) return meta.uid != wanted.pod->metadata.uid;
    return meta.namespace_ != wanted.namespace_ ||
           std::ranges::find(wanted.names, meta.name) == wanted.names.end();
  });
  return held;
}

// The records of the first of its names that has any; the whole ledger without a name. `but_kind`:
// as in LedgerQuery.
boost::asio::awaitable<Result<Records>> records_of(LedgerReader& ledger, Wanted wanted,
                                                   std::string but_kind, std::size_t limit) {
  if (wanted.names.empty()) wanted.names.emplace_back();
  for (const auto& name : wanted.names) {
    LedgerQuery query{
        .namespace_ = wanted.namespace_, .pod = name, .but_kind = but_kind, .limit = limit};
    auto records = co_await ledger.read_ledger(std::move(query));
    if (!records || !records->empty()) co_return records;
  }
  co_return Records{};
}

// The records with this id; mostly one.
boost::asio::awaitable<Result<Records>> records_with(LedgerReader& ledger, std::string id) {
  const auto place = lifecycle::record_place(id);
  if (!place) {
    co_return fail(ErrorCode::kInvalid,
                   "\"" + id +
                       "\" is no record's id: expected KIND-NANOSECONDS-UID, as the journal has it "
                       "in BERTH_DECISION");
  }
  LedgerQuery query{.uid = place->uid, .at = place->at, .limit = kRawRecords};
  auto records = co_await ledger.read_ledger(std::move(query));
  if (!records) co_return records;
  std::erase_if(*records, [&id](const lifecycle::LedgerRecord& record) {
    return lifecycle::record_id(record) != id;
  });
  if (records->empty()) {
    co_return fail(ErrorCode::kNotFound, "the ledger has no record " + id +
                                             " any more, or never had: only the newest are kept");
  }
  co_return records;
}

boost::asio::awaitable<Result<Ended>> send_records(std::shared_ptr<const Records> records,
                                                   StreamPtr<wire::WhyReply> stream) {
  for (const auto& record : *records) {
    wire::WhyReply reply;
    reply.set_record_json(lifecycle::ledger_record_json(record));
    const bool sent = co_await stream->write(std::move(reply));
    if (!sent) break;
  }
  co_return Ended{};
}

wire::WhyReply story_reply(const lifecycle::Why& story) {
  wire::WhyReply reply;
  reply.set_present(story.present);
  for (const auto& line : story.happened) {
    auto& out = *reply.add_happened();
    out.set_time(api::Time{line.at}.to_string());
    out.set_container(line.container);
    out.set_text(line.text);
    out.set_times(static_cast<std::uint32_t>(line.times));
    out.set_first_time(api::Time{line.first_at}.to_string());
  }
  for (const auto& sentence : story.coming) reply.add_coming(sentence);
  return reply;
}

boost::asio::awaitable<Result<Ended>> stream_decision(LedgerReader& ledger, std::string id,
                                                      StreamPtr<wire::WhyReply> stream) {
  auto found = co_await records_with(ledger, std::move(id));
  if (!found) co_return fail(found.error());
  auto records = std::make_shared<const Records>(std::move(*found));
  auto ended = co_await send_records(std::move(records), stream);
  co_return ended;
}

std::size_t limit_of(const wire::WhyRequest& request) {
  if (request.limit() != 0) return std::min<std::size_t>(request.limit(), kMostRecords);
  return request.records() ? kRawRecords : kStoryRecords;
}

// What was decided for the node as a whole.
boost::asio::awaitable<Result<Ended>> stream_why_node(ControlSources& from,
                                                      wire::WhyRequest request,
                                                      StreamPtr<wire::WhyReply> stream) {
  const std::string& name = from.settings.node_name;
  if (!request.name().empty() && request.name() != name)
    co_return fail(ErrorCode::kNotFound, "node \"" + request.name() +
                                             "\" not found; this node is called \"" + name + "\"");
  LedgerQuery query{.uid = lifecycle::node_uid(name), .limit = limit_of(request)};
  auto read = co_await from.ledger->read_ledger(std::move(query));
  if (!read) co_return fail(wrap("reading the ledger", read.error()));
  const auto records = std::make_shared<const Records>(std::move(*read));
  if (request.records()) {
    auto ended = co_await send_records(records, stream);
    co_return ended;
  }
  std::function<lifecycle::Why()> compose = [records, node = from.node.node(),
                                             now = from.clock.wall_now(),
                                             images = image_gc_policy(from.settings),
                                             period = from.settings.images.period] {
    return lifecycle::why_node(
        {.records = *records, .node = node, .now = now, .images = images, .image_period = period});
  };
  const auto story = co_await from.pool.run("telling what was decided", std::move(compose));
  auto reply = story_reply(story);
  reply.set_name(name);
  co_await stream->write(std::move(reply));
  co_return Ended{};
}

}  // namespace

boost::asio::awaitable<Result<Ended>> stream_why(ControlSources& from, wire::WhyRequest request,
                                                 StreamPtr<wire::WhyReply> stream) {
  if (from.ledger == nullptr) {
    co_return fail(ErrorCode::kUnimplemented, "this berthd has no ledger: it runs without a store");
  }
  if (!request.decision().empty()) {
    auto ended = co_await stream_decision(*from.ledger, request.decision(), stream);
    co_return ended;
  }
  if (request.node()) {
    auto ended = co_await stream_why_node(from, std::move(request), stream);
    co_return ended;
  }
  if (!request.records()) co_await until_known(from);
  const auto wanted = wanted_pod(from, request);
  if (!wanted) co_return fail(wanted.error());
  std::string left_out(request.records() ? "" : lifecycle::kLedgerContainers);
  auto read = co_await records_of(*from.ledger, *wanted, std::move(left_out), limit_of(request));
  if (!read) co_return fail(wrap("reading the ledger", read.error()));
  const auto records = std::make_shared<const Records>(std::move(*read));
  if (!wanted->pod && records->empty() && !wanted->names.empty()) {
    co_return fail(ErrorCode::kNotFound, "pod \"" + wanted->names.front() +
                                             "\" not found in namespace \"" + wanted->namespace_ +
                                             "\", and nothing was recorded of one that is gone; " +
                                             "`berthctl get pods -A` lists all pods");
  }
  if (request.records()) {
    auto ended = co_await send_records(records, stream);
    co_return ended;
  }
  // Decoding a long history takes time: not on the loop.
  const auto pod = wanted->pod;
  const WallTime now = from.clock.wall_now();
  std::string refused_today;
  if (pod) {
    const RefusalsToday refusals = refusals_today(from);
    const auto refused = refusals.find(pod->metadata.uid);
    if (refused != refusals.end()) refused_today = refused->second;
  }
  auto held = held_of(from, *wanted);
  const lifecycle::RuntimeSocket socket{.endpoint = from.settings.runtime.endpoint};
  const bool recreates = from.settings.eviction.recreate == RecreateEvicted::kWhenPressureClears;
  std::function<lifecycle::Why()> compose = [records, pod, now, refused_today, held, socket,
                                             recreates] {
    return lifecycle::why({.records = *records,
                           .pod = pod.get(),
                           .refused_today = refused_today,
                           .now = now,
                           .held = held,
                           .socket = socket,
                           .recreates_evicted = recreates});
  };
  const auto story = co_await from.pool.run("telling what was decided", std::move(compose));
  auto reply = story_reply(story);
  reply.set_namespace_(wanted->namespace_);
  reply.set_name(records->empty() ? wanted->names.front() : records->back().pod);
  if (pod) reply.set_uid(pod->metadata.uid);
  co_await stream->write(std::move(reply));
  co_return Ended{};
}

}  // namespace berth::agent
