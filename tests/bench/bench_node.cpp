// SPDX-License-Identifier: Apache-2.0

#include "tests/bench/bench_node.hpp"

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include "base/real_clock.hpp"

namespace berth::bench {
namespace {

namespace fs = std::filesystem;

// Separate sessions: the bench handles Ctrl-C itself and then ends them in order.
std::vector<std::string> in_own_session(std::vector<std::string> command) {
  command.insert(command.begin(), {"setsid", "--wait"});
  return command;
}

std::string setting(const std::string& settings, const std::string& key) {
  std::istringstream lines(settings);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(key + "=")) return line.substr(key.size() + 1);
  }
  throw std::runtime_error("private-containerd did not print " + key);
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream out(file);
  out << text;
  if (!out.flush()) throw std::runtime_error("cannot write " + file.string());
}

}  // namespace

BenchContainerd::BenchContainerd(fs::path scripts) : scripts_(std::move(scripts)) {
  std::string pattern = (fs::temp_directory_path() / "berth-bench.XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make " + pattern);
  dir_ = pattern;
  const auto up =
      integration::run(in_own_session({scripts_ / "private-containerd", "up", dir_ / "containerd"}),
                       {}, std::chrono::seconds(120));
  if (up.exit_code != 0) {
    take_down();
    throw std::runtime_error("no private containerd: " + up.err);
  }
  endpoint_ = setting(up.out, "BERTH_ENDPOINT");
  cgroup_root_ = setting(up.out, "BERTH_CGROUP_ROOT");
}

BenchContainerd::~BenchContainerd() {
  take_down();
}

void BenchContainerd::take_down() {
  const auto down = integration::run(
      in_own_session({scripts_ / "private-containerd", "down", dir_ / "containerd"}), {},
      std::chrono::seconds(120));
  if (down.exit_code != 0) std::cerr << "taking containerd down failed: " << down.err << "\n";
  std::error_code failed;
  fs::remove_all(dir_, failed);
  if (failed) std::cerr << "left behind: " << dir_ << ": " << failed.message() << "\n";
}

BenchAgent::BenchAgent(std::string program, const fs::path& dir, const std::string& runtime,
                       const std::string& cgroup_root)
    : program_(std::move(program)), dir_(dir), runtime_(runtime), cgroup_root_(cgroup_root) {
  for (const char* folder : {"manifests", "drafts", "root", "log"}) {
    fs::create_directories(dir_ / folder);
  }
  configure("", "");
}

void BenchAgent::configure(const std::string& kubelet, const std::string& berth) {
  write(dir_ / "config.yaml",
        "apiVersion: kubelet.config.k8s.io/v1beta1\n"
        "kind: KubeletConfiguration\n"
        "staticPodPath: " +
            (dir_ / "manifests").string() + "\n" + "containerRuntimeEndpoint: " + runtime_ + "\n" +
            "cgroupRoot: " + cgroup_root_ + "\n" + "podLogsDir: " + (dir_ / "log/pods").string() +
            "\n" + kubelet +
            "---\n"
            "apiVersion: berth.dev/v1alpha1\n"
            "kind: BerthConfiguration\n"
            "controlSocket: " +
            socket() + "\n" + "containerLogsDir: " + (dir_ / "log/containers").string() + "\n" +
            berth);
}

SteadyTime BenchAgent::start() {
  const std::vector<std::string> command = {"setsid",
                                            program_,
                                            "--config",
                                            dir_ / "config.yaml",
                                            "--root-dir",
                                            (dir_ / "root").string(),
                                            "--hostname-override",
                                            kNodeName};
  const SteadyTime before = RealClock{}.steady_now();
  process_ = std::make_unique<integration::Background>(command, dir_ / "berthd.log", false);
  return before;
}

void BenchAgent::kill() {
  process_->end(SIGKILL);
  process_.reset();
}

void BenchAgent::stop() {
  const int code = process_->end(SIGTERM);
  process_.reset();
  if (code != 0) throw std::runtime_error("berthd ended with " + std::to_string(code));
}

SteadyTime BenchAgent::add(const std::string& name, const std::string& manifest) {
  return add_all({{name, manifest}});
}

SteadyTime BenchAgent::add_all(const std::vector<std::pair<std::string, std::string>>& manifests) {
  for (const auto& [name, text] : manifests) write(draft(name), text);
  const SteadyTime before = RealClock{}.steady_now();
  for (const auto& [name, text] : manifests) fs::rename(draft(name), file(name));
  return before;
}

SteadyTime BenchAgent::remove(const std::string& name) {
  const SteadyTime before = RealClock{}.steady_now();
  fs::remove(file(name));
  return before;
}

std::string BenchAgent::log_end() const {
  std::ifstream in(dir_ / "berthd.log");
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  constexpr std::size_t kLines = 30;
  std::string text;
  for (std::size_t at = lines.size() > kLines ? lines.size() - kLines : 0; at < lines.size();
       ++at) {
    text += lines[at] + "\n";
  }
  return text;
}

fs::path BenchAgent::draft(const std::string& name) const {
  return dir_ / "drafts" / (name + ".yaml");
}

fs::path BenchAgent::file(const std::string& name) const {
  return dir_ / "manifests" / (name + ".yaml");
}

}  // namespace berth::bench
