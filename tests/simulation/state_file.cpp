// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/state_file.hpp"

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <utility>

#include "agent/store/memory_json.hpp"
#include "agent/store/store_open.hpp"
#include "agent/store/store_tables.hpp"

namespace berth::simulation {
namespace {

template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error("the state file: " + result.error().message);
  return std::move(*result);
}

}  // namespace

StateFile::StateFile(WallTime now) : file_(std::move(must(agent::open_store(path(), now)).file)) {}

void StateFile::put(const lifecycle::StoreBatch& batch, WallTime now) {
  must(file_.begin(agent::Durability::kNormal));
  must(agent::put_batch(file_, batch, now));
  must(file_.commit());
}

std::map<std::string, lifecycle::PodMemoryPtr> StateFile::read_again(WallTime now) {
  file_ = {};
  auto opened = must(agent::open_store(path(), now));
  file_ = std::move(opened.file);
  std::map<std::string, lifecycle::PodMemoryPtr> rows;
  for (const auto& row : opened.pods) rows.emplace(row.uid, must(agent::read_memory(row.memory)));
  return rows;
}

void StateFile::lose() {
  file_ = {};
  for (const char* part : {"", "-wal", "-shm"}) std::filesystem::remove(path() + part);
}

void StateFile::damage() {
  file_ = {};
  constexpr int kHeader = 100;
  std::fstream(path(), std::ios::in | std::ios::out | std::ios::binary)
      << std::string(kHeader, 'x');
}

}  // namespace berth::simulation
