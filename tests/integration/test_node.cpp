// SPDX-License-Identifier: Apache-2.0

#include "tests/integration/test_node.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "api/codec.hpp"
#include "base/real_clock.hpp"
#include "lifecycle/ledger/ledger_json.hpp"
#include "lifecycle/ledger/retake_decision.hpp"
#include "tests/integration/readiness_socket.hpp"
#include "tests/ledger/expect_removals_refused.hpp"
#include "tests/test_paths.hpp"

namespace berth::integration {
namespace {

constexpr std::chrono::seconds kStartLimit{20};
constexpr std::chrono::seconds kLogLimit{10};
// More than any test causes.
constexpr std::size_t kRecordsAtMost = 20'000;

std::filesystem::path scripts() {
  return source_dir() / "tests/integration/node";
}

std::filesystem::path make_temporary_directory(const std::string& name) {
  std::string pattern = (std::filesystem::temp_directory_path() / (name + ".XXXXXX")).string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  return pattern;
}

std::string setting(const std::string& settings, const std::string& key) {
  const auto at = settings.find(key + "=");
  if (at == std::string::npos) throw std::runtime_error("private-containerd did not print " + key);
  const auto begin = at + key.size() + 1;
  return settings.substr(begin, settings.find('\n', begin) - begin);
}

std::string read_file(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// Lines of a listing, without a header.
std::vector<std::string> lines(const std::string& text) {
  std::vector<std::string> list;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) list.push_back(line);
  }
  return list;
}

std::unique_ptr<Containerd>& containerd_slot() {
  static std::unique_ptr<Containerd> slot;
  return slot;
}

}  // namespace

Containerd& Containerd::instance() {
  auto& slot = containerd_slot();
  if (!slot) slot.reset(new Containerd);
  return *slot;
}

void Containerd::take_down() {
  containerd_slot().reset();
}

Containerd::Containerd() : dir_(make_temporary_directory("berth-it")) {
  const auto up = run({(scripts() / "private-containerd").string(), "up", dir_.string()}, {},
                      std::chrono::seconds(120));
  if (up.exit_code != 0) throw std::runtime_error("no containerd: " + up.err);
  endpoint_ = setting(up.out, "BERTH_ENDPOINT");
  cgroup_root_ = setting(up.out, "BERTH_CGROUP_ROOT");
  ctr_ = setting(up.out, "BERTH_CTR");
}

Containerd::~Containerd() {
  run({(scripts() / "private-containerd").string(), "down", dir_.string()}, {},
      std::chrono::seconds(120));
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

std::vector<std::string> Containerd::ctr_command(std::vector<std::string> arguments) const {
  std::vector<std::string> command = {ctr_, "-a", (dir_ / "containerd.sock").string(), "-n",
                                      "k8s.io"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return command;
}

Finished Containerd::ctr(std::vector<std::string> arguments) const {
  return run(ctr_command(std::move(arguments)));
}

std::string Containerd::log_of(const std::string& text) const {
  std::string found;
  for (const auto& line : lines(read_file(dir_ / "containerd.log")))
    if (line.contains(text)) found += line + "\n";
  return found;
}

void Containerd::control(const std::string& verb, const std::vector<std::string>& more) const {
  std::vector<std::string> command = {(scripts() / "private-containerd").string(), verb,
                                      dir_.string()};
  command.insert(command.end(), more.begin(), more.end());
  const auto done = run(command);
  EXPECT_EQ(done.exit_code, 0) << verb << ": " << done.err;
}

void Containerd::import_images() const {
  for (const auto& image : std::filesystem::directory_iterator(dir_ / "images")) {
    const auto imported = ctr({"images", "import", image.path().string()});
    EXPECT_EQ(imported.exit_code, 0) << image.path() << ": " << imported.err;
  }
}

void Containerd::stop_daemon() const {
  control("stop");
}

void Containerd::kill_daemon() const {
  control("kill");
}

void Containerd::start_daemon() const {
  control("start");
}

void Containerd::freeze_daemon() const {
  control("freeze");
}

void Containerd::thaw_daemon() const {
  control("thaw");
}

void Containerd::reboot_machine(const std::filesystem::path& folder) const {
  control("reboot", {folder.string()});
  control("start");
}

NodeTest::NodeTest() : dir_(make_temporary_directory("berth-node")) {}

NodeTest::~NodeTest() {
  std::error_code ignored;
  std::filesystem::remove_all(dir_, ignored);
}

void NodeTest::SetUp() {
  Containerd::instance();
  std::filesystem::create_directories(manifests());
}

void NodeTest::expect_no_event_missed() const {
  EXPECT_EQ(status().at("runtime").at("missedEvents").to_number<int>(), 0) << berthd_log();
}

void NodeTest::expect_decisions_retaken() const {
  const auto printed = berthctl({"why", "--records", "--limit", std::to_string(kRecordsAtMost)});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  std::istringstream lines(printed.out);
  std::size_t records = 0;
  std::set<std::string> kinds;
  for (std::string line; std::getline(lines, line);) {
    ++records;
    const auto record = lifecycle::parse_ledger_record(line);
    ASSERT_TRUE(record) << record.error().message << "\n" << line;
    const auto retaken = lifecycle::retake_decision(*record);
    ASSERT_TRUE(retaken) << retaken.error().message << "\n" << line;
    if (*retaken && kinds.insert(record->kind).second)
      ledger_test::expect_removals_refused(*record);
  }
  EXPECT_LT(records, kRecordsAtMost) << "there may be decisions that were not looked at";
}

void NodeTest::remove_manifests() const {
  for (const auto& entry : std::filesystem::directory_iterator(manifests())) {
    std::filesystem::remove_all(entry.path());
  }
}

void NodeTest::TearDown() {
  remove_manifests();
  if (!berthd_running()) start_berthd();
  const auto deadline = RealClock{}.steady_now() + std::chrono::seconds(60);
  const auto none = [this] { return pods().empty(); };
  EXPECT_TRUE(wait_until(none, deadline))
      << "pods that did not end:\n"
      << berthctl({"get", "pods", "-A"}).out << berthctl({"describe", "pods", "-A"}).out
      << berthd_log();
  // A pod that only the runtime knew is not listed while it is being terminated.
  const auto& containerd = Containerd::instance();
  while (!containerd.ctr({"containers", "ls", "-q"}).out.empty() &&
         RealClock{}.steady_now() < deadline) {
  }
  expect_no_event_missed();
  expect_decisions_retaken();
  stop_berthd();
  expect_nothing_left();
  if (HasFailure()) std::cerr << "--- berthd's log\n" << berthd_log() << "---\n";
}

void NodeTest::expect_nothing_left() const {
  const auto& containerd = Containerd::instance();
  EXPECT_EQ(containerd.ctr({"tasks", "ls", "-q"}).out, "") << containerd.ctr({"tasks", "ls"}).out;
  for (const auto& id : lines(containerd.ctr({"containers", "ls", "-q"}).out))
    ADD_FAILURE() << "a container is left:\n"
                  << containerd.ctr({"containers", "info", id}).out << containerd.log_of(id);
  for (const auto& mount : lines(read_file("/proc/self/mountinfo"))) {
    EXPECT_EQ(mount.find(dir_.string()), std::string::npos) << mount;
    EXPECT_EQ(mount.find((containerd.dir() / "state" / "").string()), std::string::npos) << mount;
  }
  for (const auto& hierarchy : std::filesystem::directory_iterator("/sys/fs/cgroup")) {
    if (!hierarchy.is_directory() || hierarchy.is_symlink()) continue;
    const auto kubepods = hierarchy.path() / containerd.cgroup_root().substr(1) / "kubepods";
    if (!std::filesystem::exists(kubepods)) continue;
    for (const auto& group : std::filesystem::recursive_directory_iterator(kubepods)) {
      const std::string name = group.path().filename().string();
      EXPECT_FALSE(group.is_directory() && name.starts_with("pod")) << group.path();
    }
  }
  for (const char* folder : {"root/pods", "log/pods", "log/containers"}) {
    if (!std::filesystem::exists(dir_ / folder)) continue;
    EXPECT_TRUE(std::filesystem::is_empty(dir_ / folder)) << folder << " is not empty";
  }
}

void NodeTest::write_config(const std::string& more, const std::string& berth) const {
  const auto& containerd = Containerd::instance();
  std::ofstream(config_file()) << "apiVersion: kubelet.config.k8s.io/v1beta1\n"
                               << "kind: KubeletConfiguration\n"
                               << "staticPodPath: " << manifests().string() << "\n"
                               << "containerRuntimeEndpoint: " << containerd.endpoint() << "\n"
                               << "cgroupRoot: " << containerd.cgroup_root() << "\n"
                               << "podLogsDir: " << (dir_ / "log/pods").string() << "\n"
                               << more << "---\n"
                               << "apiVersion: berth.dev/v1alpha1\n"
                               << "kind: BerthConfiguration\n"
                               << "controlSocket: " << (dir_ / "berthd.sock").string() << "\n"
                               << "containerLogsDir: " << (dir_ / "log/containers").string() << "\n"
                               << berth;
}

void NodeTest::start_berthd(const std::string& more, const std::string& berth) {
  write_config(more, berth);
  ReadinessSocket readiness(dir_ / "notify");
  launch_berthd();
  ASSERT_TRUE(readiness.wait(kStartLimit)) << "berthd is not ready:\n" << berthd_log();
}

void NodeTest::launch_berthd() {
  berthd_ = std::make_unique<Background>(
      std::vector<std::string>{"env", "NOTIFY_SOCKET=" + (dir_ / "notify").string(), BERTH_AGENT,
                               "--config", config_file().string(), "--root-dir",
                               (dir_ / "root").string(), "--hostname-override", "node1"},
      (dir_ / "berthd.log").string(), false);
}

// Not a wait for anything: the moment of the crash is random.
void NodeTest::kill_berthd_after(std::chrono::milliseconds delay) {
  ::poll(nullptr, 0, static_cast<int>(delay.count()));
  kill_berthd();
}

void NodeTest::terminate_berthd_after(std::chrono::milliseconds delay) {
  ::poll(nullptr, 0, static_cast<int>(delay.count()));
  const int code = berthd_->end(SIGTERM);
  EXPECT_TRUE(code == 0 || code == 128 + SIGTERM) << code << "\n" << berthd_log();
  berthd_.reset();
}

void NodeTest::stop_berthd() {
  if (!berthd_) return;
  EXPECT_EQ(berthd_->end(SIGTERM), 0) << berthd_log();
  berthd_.reset();
}

void NodeTest::kill_berthd() {
  berthd_->end(SIGKILL);
  berthd_.reset();
}

void NodeTest::reboot_machine() {
  kill_berthd();
  Containerd::instance().reboot_machine(dir_);
  std::filesystem::remove(dir_ / "berthd.sock");
}

void NodeTest::signal_berthd(int signal) {
  ASSERT_EQ(::kill(berthd_->pid(), signal), 0);
}

bool NodeTest::berthd_running() {
  return berthd_ && berthd_->running();
}

void NodeTest::write_manifest(const std::string& file, const std::string& text) {
  const auto draft = dir_ / ("draft-" + file);
  std::ofstream(draft) << text;
  std::filesystem::rename(draft, manifests() / file);
}

void NodeTest::remove_manifest(const std::string& file) {
  std::filesystem::remove(manifests() / file);
}

api::Pod NodeTest::run_pod(const std::string& name, const std::string& text) {
  write_manifest(name + ".yaml", text);
  return wait_for(name, "ready", ready);
}

void NodeTest::end_pod(const std::string& name) {
  remove_manifest(name + ".yaml");
  wait_gone(name);
}

void NodeTest::rename_manifest(const std::string& from, const std::string& to) {
  std::filesystem::rename(manifests() / from, manifests() / to);
}

std::string NodeTest::berthctl_program() {
  return BERTH_CTL;
}

Finished NodeTest::berthctl(std::vector<std::string> arguments, const std::string& input) const {
  std::vector<std::string> command = {BERTH_CTL, "--socket", (dir_ / "berthd.sock").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command, input);
}

boost::json::value NodeTest::status() const {
  const auto printed = berthctl({"status", "-o", "json"});
  if (printed.out.empty()) throw std::runtime_error("status failed: " + printed.err);
  return boost::json::parse(printed.out);
}

std::vector<api::Pod> NodeTest::pods() const {
  const auto listed = berthctl({"get", "pods", "-A", "-o", "json"});
  std::vector<api::Pod> list;
  if (listed.exit_code != 0) throw std::runtime_error("get pods failed: " + listed.err);
  const auto parsed = boost::json::parse(listed.out);
  for (const auto& item : parsed.at("items").as_array()) {
    list.push_back(api::from_json<api::Pod>(item).value());
  }
  return list;
}

std::optional<api::Pod> NodeTest::pod(const std::string& name) const {
  for (auto& candidate : pods()) {
    if (candidate.metadata.name == full_name(name)) return std::move(candidate);
  }
  return std::nullopt;
}

api::Pod NodeTest::wait_for(const std::string& name, const std::string& what,
                            const Condition& condition, std::chrono::seconds limit) {
  const auto deadline = RealClock{}.steady_now() + limit;
  Background watch({BERTH_CTL, "--socket", (dir_ / "berthd.sock").string(), "get", "pods", "-A",
                    "-w", "-o", "json"},
                   "", true);
  std::string last = "never seen";
  while (const auto line = watch.line(deadline)) {
    auto seen = api::from_json_text<api::Pod>(*line).value();
    if (seen.metadata.name != full_name(name)) continue;
    last = *line;
    if (condition(seen)) return seen;
  }
  ADD_FAILURE() << name << " was not " << what << " within " << limit.count()
                << " s; last: " << last;
  throw std::runtime_error(name + " was not " + what);
}

void NodeTest::expect_logs(const std::vector<std::string>& arguments,
                           const std::string& text) const {
  const auto deadline = RealClock{}.steady_now() + kLogLimit;
  std::vector<std::string> command = {"logs"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  Finished printed = berthctl(command);
  while (printed.out != text && RealClock{}.steady_now() < deadline) printed = berthctl(command);
  EXPECT_EQ(printed.out, text) << printed.err;
}

// The first line, a header, means that the watch reports changes from now on; each further line is
// a change.
bool NodeTest::wait_until(const std::function<bool()>& holds, SteadyTime deadline) const {
  Background watch(
      {BERTH_CTL, "--socket", (dir_ / "berthd.sock").string(), "get", "pods", "-A", "-w"}, "",
      true);
  while (watch.line(deadline)) {
    if (holds()) return true;
  }
  return false;
}

void NodeTest::wait_gone(const std::string& name, std::chrono::seconds limit) {
  const auto gone = [this, &name] { return !pod(name); };
  EXPECT_TRUE(wait_until(gone, RealClock{}.steady_now() + limit))
      << name << " is still there after " << limit.count() << " s";
}

std::string NodeTest::berthd_log() const {
  return read_file(dir_ / "berthd.log");
}

bool soon(const std::function<bool()>& holds, std::chrono::seconds limit) {
  constexpr int kPause = 20;  // milliseconds
  const auto deadline = RealClock{}.steady_now() + limit;
  while (!holds()) {
    if (RealClock{}.steady_now() > deadline) return false;
    ::poll(nullptr, 0, kPause);
  }
  return true;
}

std::string free_port() {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof(address);
  void* generic = &address;
  ::bind(socket, static_cast<const sockaddr*>(generic), length);
  ::getsockname(socket, static_cast<sockaddr*>(generic), &length);
  ::close(socket);
  return std::to_string(ntohs(address.sin_port));
}

bool ready(const api::Pod& pod) {
  return std::ranges::any_of(pod.status.conditions, [](const api::PodCondition& condition) {
    return condition.type == "Ready" && condition.status == "True";
  });
}

const api::ContainerStatus* status_of(const api::Pod& pod, const std::string& name) {
  for (const auto* list : {&pod.status.containerStatuses, &pod.status.initContainerStatuses}) {
    const auto found = std::ranges::find(*list, name, &api::ContainerStatus::name);
    if (found != list->end()) return &*found;
  }
  return nullptr;
}

std::string waiting_reason(const api::Pod& pod, const std::string& container) {
  const auto* status = status_of(pod, container);
  return status != nullptr && status->state.waiting ? status->state.waiting->reason : "";
}

std::string waiting_message(const api::Pod& pod, const std::string& container) {
  const auto* status = status_of(pod, container);
  return status != nullptr && status->state.waiting ? status->state.waiting->message : "";
}

std::string simple_pod(const std::string& name, const std::string& command,
                       const std::string& spec) {
  return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name +
         "}\nspec:\n  containers:\n  - name: c\n    image: localhost/busybox:1\n    command: "
         "[/bin/sh, -c, " +
         boost::json::serialize(boost::json::value(command)) + "]\n" + spec;
}

}  // namespace berth::integration
