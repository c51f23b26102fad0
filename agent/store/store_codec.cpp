// SPDX-License-Identifier: Apache-2.0

// The codec of the store's contents, compiled once.
#include <boost/describe.hpp>

#include "agent/events/event_json.hpp"
#include "agent/store/stored_memory.hpp"
#include "api/codec/affinity_describe.hpp"
#include "api/codec/codec_generic.hpp"
#include "api/codec/container_describe.hpp"
#include "api/codec/container_status_describe.hpp"
#include "api/codec/event_describe.hpp"
#include "api/codec/handlers_describe.hpp"
#include "api/codec/json_text.hpp"
#include "api/codec/meta_describe.hpp"
#include "api/codec/pod_describe.hpp"
#include "api/codec/references_describe.hpp"
#include "api/codec/resources_describe.hpp"
#include "api/codec/security_describe.hpp"
#include "api/codec/volume_describe.hpp"

namespace berth::agent {

BOOST_DESCRIBE_STRUCT(StoredStop, (), (begunAt, killAt, preStop))
BOOST_DESCRIBE_STRUCT(StoredStart, (), (containerId, lastExit, at))
BOOST_DESCRIBE_STRUCT(StoredFailure, (), (reason, message, disruption))
BOOST_DESCRIBE_STRUCT(StoredEnd, (),
                      (cause, graceOverrideSeconds, requestedAt, graceSeconds, forced, failure))
BOOST_DESCRIBE_STRUCT(StoredRestart, (), (window, lastStart))
BOOST_DESCRIBE_STRUCT(StoredPull, (), (uid, image, window, lastFailure, reason, message))
BOOST_DESCRIBE_STRUCT(StoredProbes, (), (liveness, readiness, startup))
BOOST_DESCRIBE_STRUCT(StoredMemory, (),
                      (uid, incarnation, pod, verdict, status, end, kept, stops, startAgain,
                       nextAttempts, pendingStarts, restarts, pulls, deadlineExceeded, probes,
                       sandboxes))

namespace {

// Reading gives back what was written, except for invalid UTF-8 in strings.
template <class T>
std::string lossless(const T& object) {
  namespace codec = api::codec;
  return api::compact_json(codec::write(codec::kType<T>, &object, codec::Times::kNanoseconds));
}

}  // namespace

std::string stored_text(const StoredMemory& memory) {
  return lossless(memory);
}

Result<StoredMemory> read_stored(std::string_view text) {
  return api::from_json_text<StoredMemory>(text);
}

std::string event_text(const api::Event& event) {
  return lossless(event);
}

Result<api::Event> read_event(std::string_view text) {
  return api::from_json_text<api::Event>(text);
}

}  // namespace berth::agent
