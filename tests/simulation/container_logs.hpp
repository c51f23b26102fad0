// SPDX-License-Identifier: Apache-2.0

// What containers write, in real files that berthd rotates: no line is missing from what is kept,
// and no more is kept than the policy allows.
//
// As with a real runtime, a container's log stays open under whatever name it has, until the
// runtime is asked to reopen it.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "node/log_rotation.hpp"
#include "tests/simulation/invariants/check.hpp"
#include "tests/simulation/random.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::simulation {

class Invariants;

class ContainerLogs final : public Check {
 public:
  explicit ContainerLogs(Invariants& invariants) : invariants_(invariants) {}

  // Small, so that there is something to rotate.
  [[nodiscard]] static node::LogRotationPolicy policy() {
    return {.max_bytes = 2000, .max_files = 3};
  }
  [[nodiscard]] std::string folder() const { return folder_.path(); }

  void sandbox_created(const SandboxRecord& sandbox) override;
  void started(const Instance& instance) override;
  void exited(const Instance& instance) override;
  void log_reopened(const Instance& instance) override;

  // Every container that runs writes some lines, or none.
  void write(Random& random);

 private:
  struct OpenLog {
    std::string directory{};
    std::string file{};
    std::ofstream stream{};
    std::int64_t lines = 0;
    std::string container{};  // its name in the trace
  };

  void check_kept(const OpenLog& log);

  Invariants& invariants_;
  agent::TemporaryFolder folder_{};
  std::map<std::string, std::string> directories_{};  // by sandbox id
  std::map<std::string, OpenLog> open_{};             // by container id
};

}  // namespace berth::simulation
