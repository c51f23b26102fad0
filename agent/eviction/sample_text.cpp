// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/sample_text.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <boost/describe.hpp>
#include <boost/json.hpp>

#include "lifecycle/ledger/described_readings.hpp"
#include "lifecycle/ledger/record_codec.hpp"

namespace berth::agent {

namespace strict_json = lifecycle::strict_json;

struct StoredSample {
  WallTime shown_at{};
  std::size_t merged = 1;
  eviction::NodeReadings node{};
  std::vector<std::string> pods{};  // uids
  eviction::PodReadings readings{};
  std::vector<std::string> evicted{};
  std::optional<eviction::NodeReadings> after_reclaim{};
};
BOOST_DESCRIBE_STRUCT(StoredSample, (),
                      (shown_at, merged, node, pods, readings, evicted, after_reclaim))

namespace {

// Stored only while it is true, so that rows of a berthd that did not store it can be read, and so
// that such a berthd can read all others.
constexpr const char* kReclaiming = "reclaiming";

Result<boost::json::value> parsed(std::string_view text) {
  return lifecycle::parsed_part(text, "sample");
}

// Removes it, so that the rest has its original form.
bool extract_reclaiming(boost::json::value& stored) {
  boost::json::object* members = stored.if_object();
  const boost::json::value* found =
      members != nullptr ? members->if_contains(kReclaiming) : nullptr;
  if (found == nullptr || !found->is_bool() || !found->get_bool()) return false;
  members->erase(kReclaiming);
  return true;
}

template <class T>
Result<T> read_as(const boost::json::value& value) {
  T out{};
  strict_json::Reader reader;
  reader.read(value, out, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, *reader.problem());
  return out;
}

}  // namespace

std::string sample_text(const eviction::Sample& sample) {
  StoredSample stored{.shown_at = sample.shown_at,
                      .merged = sample.merged,
                      .node = sample.node,
                      .evicted = sample.evicted,
                      .after_reclaim = sample.after_reclaim};
  if (sample.pods) {
    for (const PodPtr& pod : sample.pods->pods) stored.pods.push_back(pod->metadata.uid);
    stored.readings = sample.pods->readings;
  }
  boost::json::value value = strict_json::write(stored);
  if (sample.reclaiming) value.as_object().emplace(kReclaiming, true);
  return lifecycle::json_text(value);
}

Result<eviction::Sample> read_sample(std::string_view text, const PodOfUid& pod_of) {
  auto value = parsed(text);
  if (!value) return fail(value.error());
  const bool reclaiming = extract_reclaiming(*value);
  auto stored = read_as<StoredSample>(*value);
  if (!stored) return fail(stored.error());
  eviction::Sample sample{.shown_at = stored->shown_at,
                          .node = std::move(stored->node),
                          .evicted = std::move(stored->evicted),
                          .after_reclaim = std::move(stored->after_reclaim),
                          .reclaiming = reclaiming,
                          .merged = stored->merged};
  auto seen = std::make_shared<eviction::PodsSeen>();
  for (const std::string& uid : stored->pods) {
    if (PodPtr pod = pod_of(uid)) seen->pods.push_back(std::move(pod));
  }
  seen->readings = std::move(stored->readings);
  if (!seen->pods.empty()) sample.pods = std::move(seen);
  return sample;
}

std::string pod_text(const api::Pod& pod) {
  return lifecycle::json_text(strict_json::write(pod));
}

Result<PodPtr> read_pod(std::string_view text) {
  const auto value = parsed(text);
  if (!value) return fail(value.error());
  auto pod = read_as<api::Pod>(*value);
  if (!pod) return fail(pod.error());
  return std::make_shared<const api::Pod>(std::move(*pod));
}

}  // namespace berth::agent
