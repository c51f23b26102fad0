// SPDX-License-Identifier: Apache-2.0

#include "node/linux_host.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <future>
#include <regex>

#include "base/real_clock.hpp"
#include "node/cgroups/cgroup_tree.hpp"
#include "node/node_object.hpp"
#include "node/pod_paths.hpp"
#include "node/read_node_facts.hpp"
#include "tests/unit/node/host_test_support.hpp"

namespace berth::node {
namespace {

mode_t mode_of(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

// A node whose files are all in a temporary directory.
class LinuxHostTest : public testing::Test {
 protected:
  LinuxHostTest() {
    config_.cgroups_per_qos = false;
    config_.paths = {.root = top_ / "root",
                     .pod_logs = top_ / "pods",
                     .container_logs = top_ / "containers",
                     .cgroup_mount = top_ / "cgroup",
                     .host_etc_hosts = top_ / "hosts",
                     .resolv_conf = ""};
    put_file(config_.paths.host_etc_hosts, "1.2.3.4 host\n");
    api::Pod pod;
    pod.metadata = {.name = "web", .namespace_ = "team", .uid = "u-1"};
    pod.spec.containers = {{.name = "c",
                            .volumeMounts = {{.name = "v", .mountPath = "/v"}},
                            .terminationMessagePath = "/dev/termination-log"}};
    pod.spec.volumes = {{.name = "v", .emptyDir = api::EmptyDirVolumeSource{}}};
    pod_ = std::make_shared<const api::Pod>(std::move(pod));
  }

  std::unique_ptr<LinuxHost> host() {
    return std::make_unique<LinuxHost>(
        pool_, clock_, std::make_shared<const NodeView>(make_node_view(config_, facts_, {})));
  }

  template <class T>
  Result<T> wait(boost::asio::awaitable<Result<T>> call) {
    return wait_for(loop_, std::move(call));
  }

  TemporaryDirectory top_;
  NodeConfig config_;
  NodeFacts facts_;
  boost::asio::io_context loop_;
  RealClock clock_;
  BlockingPool pool_{loop_.get_executor(), clock_, {}};
  PodPtr pod_;
};

TEST_F(LinuxHostTest, pod_gets_its_directories_with_the_kubelets_modes) {
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  ASSERT_TRUE(wait(host->prepare_pod(pod_)));
  ASSERT_TRUE(wait(host->prepare_pod(pod_))) << "again is fine";
  ASSERT_TRUE(wait(host->set_up_volumes(pod_, std::make_shared<Objects>())));
  EXPECT_EQ(mode_of(config_.paths.root), 0750);
  EXPECT_EQ(mode_of(config_.paths.pod_logs), 0750);
  EXPECT_EQ(mode_of(config_.paths.container_logs), 0755);
  EXPECT_EQ(mode_of(config_.paths.root + "/pods/u-1"), 0750);
  EXPECT_EQ(mode_of(config_.paths.pod_logs + "/team_web_u-1"), 0755);
  EXPECT_EQ(mode_of(config_.paths.root + "/pods/u-1/volumes/kubernetes.io~empty-dir/v"), 0777);
  EXPECT_EQ(*wait(host->leftover_pods()), (std::vector<std::string>{"u-1"}));
}

boost::asio::awaitable<void> hang(BlockingPool& pool, std::shared_future<void> until) {
  std::function<bool()> work = [until] {
    until.wait();
    return true;
  };
  co_await pool.run("hanging", std::move(work), BlockingPool::Files::kForeign);
}

boost::asio::awaitable<void> note_volumes(LinuxHost& host, PodPtr pod, std::string* log) {
  const auto objects = std::make_shared<Objects>();
  const auto done = co_await host.set_up_volumes(pod, objects);
  *log += done ? pod->metadata.name + " " : "failed ";
}

TEST_F(LinuxHostTest, only_pods_with_paths_of_the_node_wait_behind_those_whose_disks_hang) {
  std::promise<void> go;
  BlockingPool pool(loop_.get_executor(), clock_, {.threads = 2});
  LinuxHost host(pool, clock_,
                 std::make_shared<const NodeView>(make_node_view(config_, facts_, {})));
  ASSERT_TRUE(wait(host.prepare_pod(pod_)));
  api::Pod reaching = *pod_;
  reaching.metadata = {.name = "reaching", .namespace_ = "team", .uid = "u-2"};
  reaching.spec.volumes = {{.name = "v", .hostPath = api::HostPathVolumeSource{.path = "/"}}};
  TaskGroup tasks(loop_.get_executor(), [](std::string_view, std::exception_ptr failure) {
    std::rethrow_exception(failure);
  });
  std::string log;
  tasks.spawn("hanging", hang(pool, go.get_future().share()));
  tasks.spawn("reaching",
              note_volumes(host, std::make_shared<const api::Pod>(std::move(reaching)), &log));
  tasks.spawn("own", note_volumes(host, pod_, &log));
  loop_.restart();
  while (log.empty()) loop_.run_one();
  EXPECT_EQ(log, "web ");
  go.set_value();
  loop_.run();
  EXPECT_EQ(log, "web reaching ");
}

TEST_F(LinuxHostTest, name_servers_are_those_of_the_moment_or_else_the_last_that_were_read) {
  const auto none = wait_for(loop_, host()->read_dns());
  EXPECT_EQ(none.config, cri::DnsConfig{}) << "no file is configured";
  EXPECT_EQ(none.problem, "");
  config_.paths.resolv_conf = top_ / "resolv.conf";
  put_file(config_.paths.resolv_conf, "nameserver 192.0.2.1\n");
  const auto host = this->host();
  const auto servers = [&] { return wait_for(loop_, host->read_dns()).config.servers; };
  EXPECT_EQ(servers(), std::vector<std::string>{"192.0.2.1"});
  put_file(config_.paths.resolv_conf, "nameserver 192.0.2.2\n");
  EXPECT_EQ(servers(), std::vector<std::string>{"192.0.2.2"});
  ASSERT_TRUE(remove_file(config_.paths.resolv_conf));
  const auto missing = wait_for(loop_, host->read_dns());
  EXPECT_EQ(missing.config.servers, std::vector<std::string>{"192.0.2.2"});
  EXPECT_TRUE(missing.problem.contains(config_.paths.resolv_conf)) << missing.problem;
}

TEST_F(LinuxHostTest, each_instance_of_a_container_gets_files_of_its_own) {
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_pod(pod_)));
  const auto first = wait(host->prepare_container(pod_, "c", 0, {"10.0.0.5"}));
  const auto second = wait(host->prepare_container(pod_, "c", 1, {"10.0.0.6"}));
  ASSERT_TRUE(first);
  ASSERT_TRUE(second);
  EXPECT_NE(first->termination_log, second->termination_log);
  EXPECT_TRUE(
      std::regex_match(first->termination_log, std::regex(".*/pods/u-1/containers/c/[0-9a-f]{8}")));
  EXPECT_EQ(mode_of(first->termination_log), 0666);
  EXPECT_EQ(first->log_directory, config_.paths.pod_logs + "/team_web_u-1/c");
  EXPECT_EQ(mode_of(first->log_directory), 0755);
  EXPECT_EQ(mode_of(second->etc_hosts), 0644);
  EXPECT_NE(read_file(second->etc_hosts)->find("10.0.0.6\tweb\n"), std::string::npos);
  EXPECT_EQ(wait(host->prepare_container(pod_, "c", 2, {}))->etc_hosts, "");
  EXPECT_FALSE(wait(host->prepare_container(pod_, "other", 0, {})));
}

TEST_F(LinuxHostTest, last_words_are_the_end_of_the_message_file_or_of_the_log) {
  const auto host = this->host();
  const std::string file = top_ / "message";
  const std::string log = top_ / "0.log";
  put_file(log, "t stdout F from the log\n");
  cri::ContainerStatus status{
      .exit_code = 1,
      .annotations = {{cri::kAnnotationTerminationMessagePath, "/t"},
                      {cri::kAnnotationTerminationMessagePolicy, "FallbackToLogsOnError"}},
      .mounts = {{.container_path = "/t", .host_path = file}}};
  EXPECT_EQ(*wait(host->termination_message(status, log)), "from the log\n");
  put_file(file, std::string(5000, 'x') + "end");
  const auto message = wait(host->termination_message(status, log));
  EXPECT_EQ(message->size(), 4096U);
  EXPECT_TRUE(message->ends_with("xend"));
  ASSERT_TRUE(remove_file(file));
  std::filesystem::create_symlink("/etc/passwd", file);
  EXPECT_TRUE(
      wait(host->termination_message(status, log))->starts_with("Error on reading termination log"))
      << "a container cannot have another file of the host shown";
}

TEST_F(LinuxHostTest, logs_are_linked_found_and_removed) {
  const auto host = this->host();
  const cri::ContainerId id("0123456789abcdef");
  const std::string directory = config_.paths.pod_logs + "/team_web_u-1/c";
  const std::string log = directory + "/2.log";
  const std::string link = config_.paths.container_logs + "/web_team_c-0123456789abcdef.log";
  EXPECT_EQ(*wait(host->last_logged_attempt(pod_, "c")), -1);
  ASSERT_TRUE(wait(host->link_container_log(pod_, "c", id, log)));
  EXPECT_FALSE(std::filesystem::is_symlink(link)) << "no log file yet";
  put_file(log, "");
  put_file(log + ".20260102-030405", "");
  put_file(directory + "/12.log", "");
  EXPECT_EQ(*wait(host->last_logged_attempt(pod_, "c")), 12);
  ASSERT_TRUE(wait(host->link_container_log(pod_, "c", id, log)));
  ASSERT_TRUE(wait(host->link_container_log(pod_, "c", id, log)));
  EXPECT_EQ(std::filesystem::read_symlink(link).string(), log);

  ASSERT_TRUE(wait(host->remove_container_log(pod_, "c", id, log)));
  EXPECT_FALSE(std::filesystem::is_symlink(link));
  EXPECT_EQ(*list_directory(directory), (std::vector<std::string>{"12.log"}));
  EXPECT_FALSE(wait(host->remove_container_log(pod_, "c", id, "/etc/passwd")));
}

TEST_F(LinuxHostTest, cleanup_leaves_nothing_and_touches_nothing_else) {
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  ASSERT_TRUE(wait(host->prepare_pod(pod_)));
  const std::string log = config_.paths.pod_logs + "/team_web_u-1/c/0.log";
  put_file(log, "");
  put_file(config_.paths.pod_logs + "/team_other_u-2/c/0.log", "");
  put_file(config_.paths.pod_logs + "/team_web_x_u-1/c/0.log", "");
  put_file(top_ / "outside/kept", "");
  std::filesystem::create_symlink(top_ / "outside", config_.paths.root + "/pods/u-1/link");
  ASSERT_TRUE(wait(host->link_container_log(pod_, "c", cri::ContainerId("0123456789"), log)));

  ASSERT_TRUE(wait(host->cleanup_pod(pod_, false)));
  EXPECT_FALSE(path_exists(config_.paths.root + "/pods/u-1"));
  EXPECT_TRUE(path_exists(log));
  ASSERT_TRUE(wait(host->cleanup_pod(pod_, true)));
  EXPECT_EQ(*list_directory(config_.paths.pod_logs),
            (std::vector<std::string>{"team_other_u-2", "team_web_x_u-1"}));
  EXPECT_TRUE(list_directory(config_.paths.container_logs)->empty());
  EXPECT_TRUE(path_exists(top_ / "outside/kept"));
}

TEST_F(LinuxHostTest, without_a_folder_for_them_no_links_are_made_and_nothing_else_fails) {
  config_.paths.container_logs.clear();
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  ASSERT_TRUE(wait(host->prepare_pod(pod_)));
  const std::string log = config_.paths.pod_logs + "/team_web_u-1/c/0.log";
  put_file(log, "");
  const cri::ContainerId id("0123456789");
  EXPECT_TRUE(wait(host->link_container_log(pod_, "c", id, log)));
  EXPECT_TRUE(wait(host->remove_container_log(pod_, "c", id, log)));
  EXPECT_TRUE(wait(host->cleanup_pod(pod_, true)));
}

TEST_F(LinuxHostTest, odd_uids_never_become_paths) {
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  put_file(config_.paths.root + "/pods/kept/file", "");
  for (const char* uid : {"", ".", "..", "a/b", "../x"}) {
    api::Pod pod = *pod_;
    pod.metadata.uid = uid;
    const auto odd = std::make_shared<const api::Pod>(pod);
    EXPECT_FALSE(wait(host->prepare_pod(odd))) << uid;
    EXPECT_FALSE(wait(host->cleanup_pod(odd, true))) << uid;
  }
  EXPECT_TRUE(path_exists(config_.paths.root + "/pods/kept/file"));
}

TEST_F(LinuxHostTest, volumes_that_cannot_be_set_up_are_reported) {
  const auto host = this->host();
  api::Pod pod = *pod_;
  pod.spec.volumes = {
      {.name = "v", .hostPath = api::HostPathVolumeSource{.path = top_ / "no", .type = "Socket"}}};
  const auto failures = wait(
      host->set_up_volumes(std::make_shared<const api::Pod>(pod), std::make_shared<Objects>()));
  ASSERT_TRUE(failures);
  ASSERT_EQ(failures->size(), 1U);
  EXPECT_EQ(failures->front().message,
            "MountVolume.SetUp failed for volume \"v\" : hostPath type check failed: " +
                (top_ / "no") + " is not a socket file");
}

TEST_F(LinuxHostTest, config_maps_reach_the_volumes_and_sub_paths_the_containers) {
  const auto host = this->host();
  api::Pod pod = *pod_;
  pod.spec.volumes = {{.name = "v", .configMap = api::ConfigMapVolumeSource{.name = "settings"}}};
  const auto shared = std::make_shared<const api::Pod>(pod);
  const auto objects = make_objects(
      {{.metadata = {.name = "settings", .namespace_ = "team"}, .data = {{"key", "1"}}}}, {});
  const auto failures = wait(host->set_up_volumes(shared, objects));
  ASSERT_TRUE(failures);
  EXPECT_EQ(*failures, (std::vector<VolumeFailure>{}));
  EXPECT_EQ(
      *read_file(volume_directory(config_.paths, pod.metadata.uid, pod.spec.volumes[0]) + "/key"),
      "1");
  EXPECT_FALSE(wait(host->mount_sub_paths(shared, "other", {{0, "key"}})));
  EXPECT_FALSE(wait(host->mount_sub_paths(shared, "c", {{0, "../x"}})));
  ASSERT_TRUE(wait(host->cleanup_pod(shared, true)));
  EXPECT_FALSE(path_exists(config_.paths.root + "/pods/u-1"));
}

TEST_F(LinuxHostTest, facts_of_this_machine_are_read) {
  NodePaths paths = config_.paths;
  paths.cgroup_mount = "/sys/fs/cgroup";
  const auto facts = read_node_facts(paths);
  ASSERT_TRUE(facts) << facts.error().message;
  EXPECT_GT(facts->cpus, 0);
  EXPECT_GT(facts->memory, 0);
  EXPECT_GT(facts->ephemeral_storage, 0);
  EXPECT_FALSE(facts->boot_id.empty());
  EXPECT_FALSE(facts->kernel_version.empty());
  EXPECT_TRUE(facts->cgroup_version == 1 || facts->cgroup_version == 2);
  paths.cgroup_mount = top_ / "none";
  EXPECT_FALSE(read_node_facts(paths));
}

TEST_F(LinuxHostTest, what_the_kernel_confines_with_is_read_as_runtimes_do) {
  const std::string enabled = top_ / "sys/module/apparmor/parameters/enabled";
  const auto read = [this] { return read_host_confinement(top_.path()); };
  EXPECT_EQ(read(), HostConfinement{});
  put_file(enabled, "Y\n");
  EXPECT_FALSE(read().apparmor) << "securityfs is not mounted";
  std::filesystem::create_directories(top_ / "sys/kernel/security/apparmor");
  EXPECT_TRUE(read().apparmor);
  put_file(enabled, "N\n");
  EXPECT_FALSE(read().apparmor);
  put_file(top_ / "sys/fs/selinux/enforce", "1");
  EXPECT_TRUE(read().selinux);
  put_file(top_ / "proc/self/attr/current", "kernel");
  EXPECT_FALSE(read().selinux) << "no policy is loaded";
}

// Uses the machine's own cgroups, below one that the test creates; needs root and writable cgroups.
class RealCgroupsTest : public LinuxHostTest {
 protected:
  void SetUp() override {
    config_.paths.cgroup_mount = "/sys/fs/cgroup";
    auto facts = read_node_facts(config_.paths);
    if (!facts) GTEST_SKIP() << facts.error().message;
    facts_ = *facts;
    root_ = "berthtest" + std::to_string(::getpid());
    tree_ = std::make_unique<CgroupTree>("/sys/fs/cgroup", facts_.cgroup_version,
                                         std::vector<std::int64_t>{});
    if (auto made = tree_->create({root_}); !made) GTEST_SKIP() << made.error().message;
    config_.cgroups_per_qos = true;
    config_.cgroup_root = "/" + root_;
    config_.pod_pids_limit = 64;
  }
  void TearDown() override {
    if (tree_ == nullptr) return;
    EXPECT_TRUE(tree_->remove({root_}));
  }

  std::string value(const CgroupName& name, const std::string& v1, const std::string& v2) {
    for (const auto& directory : tree_->directories(name)) {
      const auto text = read_file(directory + "/" + (facts_.cgroup_version == 2 ? v2 : v1));
      if (text) return text->substr(0, text->find('\n'));
    }
    return "(missing)";
  }

  // Starts a process that runs until it is killed.
  void start_in(const CgroupName& name, pid_t& child) {
    child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (;;) ::pause();
    }
    for (const auto& directory : tree_->directories(name)) {
      ASSERT_TRUE(write_existing(directory + "/cgroup.procs", std::to_string(child))) << directory;
    }
  }

  std::string root_;
  std::unique_ptr<CgroupTree> tree_;
};

TEST_F(RealCgroupsTest, pods_cgroup_holds_what_it_asks_for_and_goes_with_its_processes) {
  const auto host = this->host();
  const auto ready = wait(host->prepare_node());
  ASSERT_TRUE(ready) << ready.error().message;
  api::Pod pod = *pod_;
  auto& resources = pod.spec.containers[0].resources;
  resources.requests = {{"cpu", *api::Quantity::parse("250m")}};
  resources.limits = {{"cpu", *api::Quantity::parse("500m")},
                      {"memory", *api::Quantity::parse("64Mi")}};
  const auto shared = std::make_shared<const api::Pod>(pod);
  const auto prepared = wait(host->prepare_pod(shared));
  ASSERT_TRUE(prepared) << prepared.error().message;

  const CgroupName tier = {root_, "kubepods", "burstable"};
  CgroupName name = tier;
  name.emplace_back("podu-1");
  EXPECT_TRUE(tree_->exists(name));
  EXPECT_EQ(value(tier, "cpu.shares", "cpu.weight"), facts_.cgroup_version == 2 ? "10" : "256");
  EXPECT_EQ(value(name, "memory.limit_in_bytes", "memory.max"), "67108864");
  EXPECT_EQ(value(name, "cpu.cfs_quota_us", "cpu.max"),
            facts_.cgroup_version == 2 ? "50000 100000" : "50000");
  EXPECT_EQ(value(name, "pids.max", "pids.max"), "64");

  pid_t child = 0;
  ASSERT_NO_FATAL_FAILURE(start_in(name, child));
  EXPECT_EQ(tree_->processes(name), (std::vector<pid_t>{child}));

  const auto cleaned = wait(host->cleanup_pod(shared, true));
  EXPECT_TRUE(cleaned) << cleaned.error().message;
  EXPECT_FALSE(tree_->exists(name));
  EXPECT_EQ(value(tier, "cpu.shares", "cpu.weight"), facts_.cgroup_version == 2 ? "1" : "2");
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

TEST_F(RealCgroupsTest, pods_of_an_earlier_berthd_keep_their_share_when_another_pod_goes) {
  api::Pod pod = *pod_;
  pod.spec.containers[0].resources.requests = {{"cpu", *api::Quantity::parse("250m")}};
  const auto burstable = std::make_shared<const api::Pod>(pod);
  pod = *pod_;
  pod.metadata.uid = "u-2";
  const auto other = std::make_shared<const api::Pod>(pod);
  {
    const auto earlier = this->host();
    ASSERT_TRUE(wait(earlier->prepare_node()));
    ASSERT_TRUE(wait(earlier->prepare_pod(burstable)));
  }
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  host->know_pod(burstable);
  ASSERT_TRUE(wait(host->prepare_pod(other)));
  ASSERT_TRUE(wait(host->cleanup_pod(other, true)));
  EXPECT_EQ(value({root_, "kubepods", "burstable"}, "cpu.shares", "cpu.weight"),
            facts_.cgroup_version == 2 ? "10" : "256");
  EXPECT_TRUE(wait(host->cleanup_pod(burstable, true)));
}

TEST_F(RealCgroupsTest, what_a_killed_runtime_left_frozen_ends_with_its_pod) {
  const auto host = this->host();
  ASSERT_TRUE(wait(host->prepare_node()));
  ASSERT_TRUE(wait(host->prepare_pod(pod_)));
  const CgroupName name = {root_, "kubepods", "besteffort", "podu-1"};
  ASSERT_TRUE(tree_->exists(name));
  const CgroupName container = {root_, "kubepods", "besteffort", "podu-1", "c"};
  ASSERT_TRUE(tree_->create(container));
  pid_t child = 0;
  ASSERT_NO_FATAL_FAILURE(start_in(container, child));
  const auto set_state = [&](const char* version_1, const char* version_2) {
    bool any = false;
    for (const auto& directory : tree_->directories(container)) {
      any |= write_existing(directory + "/freezer.state", version_1).has_value();
      any |= write_existing(directory + "/cgroup.freeze", version_2).has_value();
    }
    return any;
  };
  ASSERT_TRUE(set_state("FROZEN", "1"));

  const auto cleaned = wait(host->cleanup_pod(pod_, true));
  set_state("THAWED", "0");  // nothing is left to be thawed if all went well
  EXPECT_TRUE(cleaned) << cleaned.error().message;
  EXPECT_FALSE(tree_->exists(name));
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

}  // namespace
}  // namespace berth::node
