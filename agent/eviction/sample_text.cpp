// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/sample_text.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <boost/describe.hpp>

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

template <class T>
Result<T> read_as(std::string_view text) {
  const auto value = lifecycle::parsed_part(text, "sample");
  if (!value) return fail(value.error());
  T out{};
  strict_json::Reader reader;
  reader.read(*value, out, "");
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
  return lifecycle::json_text(strict_json::write(stored));
}

Result<eviction::Sample> read_sample(std::string_view text, const PodOfUid& pod_of) {
  auto stored = read_as<StoredSample>(text);
  if (!stored) return fail(stored.error());
  eviction::Sample sample{.shown_at = stored->shown_at,
                          .node = std::move(stored->node),
                          .evicted = std::move(stored->evicted),
                          .after_reclaim = std::move(stored->after_reclaim),
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
  auto pod = read_as<api::Pod>(text);
  if (!pod) return fail(pod.error());
  return std::make_shared<const api::Pod>(std::move(*pod));
}

}  // namespace berth::agent
