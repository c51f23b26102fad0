// SPDX-License-Identifier: Apache-2.0

// The measured node: a private containerd, berthd as a program, and a manifest folder, all below
// one temporary folder. Whatever happens, the destructors leave nothing behind: no process, shim,
// mount, network namespace, bridge or cgroup.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/clock_types.hpp"
#include "tests/integration/process.hpp"

namespace berth::bench {

constexpr const char* kNodeName = "bench";

class BenchContainerd {
 public:
  // `scripts`: the folder of private-containerd and build-images.
  explicit BenchContainerd(std::filesystem::path scripts);
  BenchContainerd(const BenchContainerd&) = delete;
  BenchContainerd& operator=(const BenchContainerd&) = delete;
  ~BenchContainerd();

  [[nodiscard]] const std::filesystem::path& dir() const { return dir_; }
  [[nodiscard]] const std::string& endpoint() const { return endpoint_; }
  [[nodiscard]] const std::string& cgroup_root() const { return cgroup_root_; }

 private:
  void take_down();

  std::filesystem::path scripts_;
  std::filesystem::path dir_;
  std::string endpoint_;
  std::string cgroup_root_;
};

class BenchAgent {
 public:
  // `runtime`: the runtime's address for berthd; `dir`: where all its files are.
  BenchAgent(std::string program, const std::filesystem::path& dir, const std::string& runtime,
             const std::string& cgroup_root);

  // Further fields of the two configurations, for the next start: lines of YAML.
  void configure(const std::string& kubelet, const std::string& berth);
  // Returns the instant before the program is started.
  SteadyTime start();
  void kill();  // KILL
  void stop();  // TERM; throws if it does not end properly
  [[nodiscard]] bool running() { return process_ && process_->running(); }
  [[nodiscard]] pid_t pid() const { return process_->pid(); }
  [[nodiscard]] std::string socket() const { return dir_ / "berthd.sock"; }

  // A manifest appears as a whole; returns the instant before its rename.
  SteadyTime add(const std::string& name, const std::string& manifest);
  // Returns the instant before its removal.
  SteadyTime remove(const std::string& name);
  // Writes drafts first, then renames all at once; returns the instant before the first rename.
  SteadyTime add_all(const std::vector<std::pair<std::string, std::string>>& manifests);

  // The end of the log, for reading.
  [[nodiscard]] std::string log_end() const;

 private:
  [[nodiscard]] std::filesystem::path draft(const std::string& name) const;
  [[nodiscard]] std::filesystem::path file(const std::string& name) const;

  std::string program_;
  std::filesystem::path dir_;
  std::string runtime_;
  std::string cgroup_root_;
  std::unique_ptr<integration::Background> process_;
};

}  // namespace berth::bench
