// SPDX-License-Identifier: Apache-2.0

#include "agent/eviction/pressure_store.hpp"

#include <cstddef>
#include <memory>
#include <utility>

namespace berth::agent {
namespace {

// The approximate memory of a waiting sample: half a kilobyte for each pod's readings
// (eviction/history.hpp); the pods themselves are shared with the history.
std::size_t size_of(const eviction::Sample& sample) {
  constexpr std::size_t kPod = 512;
  return sizeof(eviction::Sample) + (sample.pods ? sample.pods->readings.size() * kPod : 0);
}

}  // namespace

void PressureStore::remember(const eviction::Sample& sample) {
  if (auto minute = minutes_.add(sample)) keep(std::move(*minute));
}

void PressureStore::flush() {
  if (auto minute = minutes_.rest()) keep(std::move(*minute));
}

void PressureStore::keep(eviction::Sample minute) {
  const std::size_t size = size_of(minute);
  store_.append([minute = std::make_shared<const eviction::Sample>(std::move(minute))](
                    StoreFile& file) { return put_pressure(file, *minute); },
                size);
}

boost::asio::awaitable<Result<PressureRows>> PressureStore::recall() {
  auto found = std::make_shared<PressureRows>();
  auto reading = store_.look([found](StoreFile& file) -> Result<bool> {
    auto rows = read_pressure(file);
    if (!rows) return fail(rows.error());
    *found = std::move(*rows);
    return true;
  });
  const auto read = co_await std::move(reading);
  if (!read) co_return fail(read.error());
  found->samples =
      rebased_samples(std::move(found->samples), clock_.steady_now(), clock_.wall_now());
  co_return std::move(*found);
}

}  // namespace berth::agent
