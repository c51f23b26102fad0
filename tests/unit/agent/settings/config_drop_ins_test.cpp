// SPDX-License-Identifier: Apache-2.0

// Files that apply on top of the main configuration: how they are merged, and which are read.

#include <sys/stat.h>

#include <filesystem>

#include <gtest/gtest.h>

#include "agent/settings/config_files.hpp"
#include "agent/settings/config_text.hpp"
#include "agent/settings/options.hpp"
#include "tests/unit/agent/temporary_folder.hpp"

namespace berth::agent {
namespace {

const std::string kKubelet =
    "apiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n";
const std::string kBerth = "apiVersion: berth.dev/v1alpha1\nkind: BerthConfiguration\n";

ParsedConfiguration merged(const std::vector<std::string>& texts) {
  std::vector<ConfigText> files;
  for (const auto& text : texts)
    files.push_back({.file = std::to_string(files.size()) + ".yaml",
                     .text = text,
                     .role = files.empty() ? ConfigRole::kMain : ConfigRole::kDropIn});
  return parse_configuration(files);
}

// Expects no problems.
ConfigDocuments documents(const std::vector<std::string>& texts) {
  auto parsed = merged(texts);
  for (const auto& problem : parsed.problems) ADD_FAILURE() << problem.to_string();
  return std::move(parsed.documents);
}

std::vector<std::string> problems_of(const std::vector<std::string>& texts) {
  auto parsed = merged(texts);
  static_cast<void>(resolve_settings(parsed.documents, {}, "host1", parsed.problems));
  std::vector<std::string> out;
  for (const auto& problem : parsed.problems) out.push_back(problem.to_string());
  return out;
}

using Values = std::map<std::string, std::string>;

TEST(ConfigDropIns, the_last_file_that_states_a_field_decides) {
  const auto out =
      documents({kKubelet + "maxPods: 1\nreadOnlyPort: 2\n",
                 kKubelet + "maxPods: 3\npodPidsLimit: 4\n", kKubelet + "maxPods: 5\n"});
  EXPECT_EQ(out.kubelet.maxPods, 5);
  EXPECT_EQ(out.kubelet.readOnlyPort, 2);
  EXPECT_EQ(out.kubelet.podPidsLimit, 4);
  EXPECT_EQ(out.file, "0.yaml");
  EXPECT_EQ(out.drop_ins, (std::vector<std::string>{"1.yaml", "2.yaml"}));
  const std::vector<std::string> fields = {"apiVersion", "kind", "maxPods", "readOnlyPort",
                                           "podPidsLimit"};
  EXPECT_EQ(out.kubelet_fields, fields);
}

TEST(ConfigDropIns, the_keys_of_a_map_are_merged_and_null_takes_one_away) {
  const auto out = documents({kBerth + "nodeLabels: {zone: a, rack: r, row: '1'}\n",
                              kBerth + "nodeLabels: {zone: b, rack: null, disk: ssd}\n"});
  EXPECT_EQ(out.berth.nodeLabels, (Values{{"zone", "b"}, {"row", "1"}, {"disk", "ssd"}}));
}

TEST(ConfigDropIns, null_gives_a_field_its_default_back) {
  const auto out = documents({kKubelet + "maxPods: 1\nkubeReserved: {cpu: '1'}\n",
                              kKubelet + "maxPods: null\nkubeReserved:\n"});
  EXPECT_FALSE(out.kubelet.maxPods);
  EXPECT_FALSE(out.kubelet.kubeReserved);
  EXPECT_FALSE(out.places.contains("maxPods"));
  EXPECT_FALSE(out.places.contains("kubeReserved.cpu"));
}

TEST(ConfigDropIns, null_in_a_map_that_nobody_else_states_is_nothing) {
  const auto out = documents(
      {kKubelet + "kubeReserved: null\n", kKubelet + "systemReserved: {cpu: null, memory: 1Gi}\n"
                                                     "kubeReserved: {cpu: null}\n"});
  EXPECT_EQ(out.kubelet.systemReserved, (Values{{"memory", "1Gi"}}));
  EXPECT_EQ(out.kubelet.kubeReserved, Values());
}

TEST(ConfigDropIns, a_list_takes_the_place_of_the_earlier_one) {
  const auto out = documents(
      {kKubelet + "clusterDNS: [10.0.0.1, 10.0.0.2]\n", kKubelet + "clusterDNS: [10.0.0.3]\n"});
  EXPECT_EQ(out.kubelet.clusterDNS, std::vector<std::string>{"10.0.0.3"});
}

TEST(ConfigDropIns, a_kind_that_the_main_file_lacks_is_added) {
  const auto out = documents({kKubelet + "maxPods: 1\n", kBerth + "manifestRules: Kubelet\n"});
  EXPECT_EQ(out.kubelet.maxPods, 1);
  EXPECT_EQ(out.berth.manifestRules, "Kubelet");
}

TEST(ConfigDropIns, the_schedulers_configuration_is_taken_as_a_whole) {
  const std::string head =
      "apiVersion: kubescheduler.config.k8s.io/v1\n"
      "kind: KubeSchedulerConfiguration\nprofiles:\n";
  const auto out = documents({head + "- schedulerName: first\n- schedulerName: second\n",
                              head + "- schedulerName: third\n"});
  ASSERT_EQ(out.scheduler.profiles.size(), 1U);
  EXPECT_EQ(out.scheduler.profiles[0].schedulerName, "third");
}

// The kubelet's defaults are already set when it merges: only the main file's map replaces them.
TEST(ConfigDropIns, entries_of_evictionHard_leave_the_other_defaults_in_force) {
  const auto out = documents({kKubelet, kKubelet + "evictionHard: {memory.available: 1Gi}\n"});
  EXPECT_EQ(out.kubelet.evictionHard, (Values{{"imagefs.available", "15%"},
                                              {"imagefs.inodesFree", "5%"},
                                              {"memory.available", "1Gi"},
                                              {"nodefs.available", "10%"},
                                              {"nodefs.inodesFree", "5%"}}));
}

TEST(ConfigDropIns, entries_of_evictionHard_add_to_those_of_the_main_file) {
  const auto out = documents({kKubelet + "evictionHard: {memory.available: 200Mi}\n",
                              kKubelet + "evictionHard: {nodefs.available: 7%}\n"});
  EXPECT_EQ(out.kubelet.evictionHard,
            (Values{{"memory.available", "200Mi"}, {"nodefs.available", "7%"}}));
  const auto none = documents(
      {kKubelet + "evictionHard: {}\n", kKubelet + "evictionHard: {nodefs.available: 7%}\n"});
  EXPECT_EQ(none.kubelet.evictionHard, (Values{{"nodefs.available", "7%"}}));
}

TEST(ConfigDropIns, whether_defaults_are_merged_is_asked_of_the_main_file_alone) {
  const std::string main = kKubelet + "evictionHard: {memory.available: 200Mi}\n";
  const auto out = documents({main, kKubelet + "mergeDefaultEvictionSettings: true\n"});
  EXPECT_FALSE(out.kubelet.mergeDefaultEvictionSettings);
  EXPECT_EQ(out.warnings,
            std::vector<std::string>{"1.yaml: mergeDefaultEvictionSettings has no effect in a "
                                     "drop-in, as in a kubelet; state it in the main file"});
  const auto merging = documents({main + "mergeDefaultEvictionSettings: true\n",
                                  kKubelet + "evictionHard: {memory.available: 1Gi}\n"});
  EXPECT_EQ(merging.kubelet.evictionHard->size(), 5U);
  EXPECT_EQ(merging.kubelet.evictionHard->at("memory.available"), "1Gi");
}

TEST(ConfigDropIns, a_default_that_the_main_file_merged_can_be_taken_away) {
  const auto out = documents({kKubelet + "evictionHard: {memory.available: 200Mi}\n"
                                         "mergeDefaultEvictionSettings: true\n",
                              kKubelet + "evictionHard: {memory.available: null}\n",
                              kKubelet + "evictionHard: {nodefs.available: null}\n"});
  EXPECT_EQ(out.kubelet.evictionHard, (Values{{"imagefs.available", "15%"},
                                              {"imagefs.inodesFree", "5%"},
                                              {"nodefs.inodesFree", "5%"}}));
  EXPECT_FALSE(out.kubelet.mergeDefaultEvictionSettings) << "they would be merged again";
}

TEST(ConfigDropIns, every_problem_names_the_file_that_states_the_value) {
  const std::vector<std::string> expected = {
      "1.yaml:3:1: maxPodz: ",
      "2.yaml:3:15: readOnlyPort: ",
      "1.yaml:4:1: maxPods: ",
      "0.yaml:3:1: podsPerCore: ",
      "2.yaml:4:16: evictionHard[memory.available]: ",
      "0.yaml:5:16: evictionHard[nodefs.available]: ",
      "3.yaml:3:1: nodeLabels: ",
  };
  const auto lines = problems_of({kKubelet + "podsPerCore: -1\nmaxPods: 1\n"
                                             "evictionHard: {nodefs.available: z}\n",
                                  kKubelet + "maxPodz: 1\nmaxPods: -1\n",
                                  kKubelet + "readOnlyPort: many\n"
                                             "evictionHard: {memory.available: x}\n",
                                  kBerth + "nodeLabels: {a b: c}\n"});
  for (const auto& start : expected) {
    EXPECT_TRUE(std::ranges::any_of(
        lines, [&start](const std::string& line) { return line.starts_with(start); }))
        << start << "\n"
        << ::testing::PrintToString(lines);
  }
}

TEST(ConfigDropIns, a_mistyped_field_of_one_file_leaves_the_others_as_they_are) {
  const auto parsed = merged(
      {kKubelet + "maxPods: 1\n", kKubelet + "maxPods: many\n", kKubelet + "podsPerCore: 2\n"});
  EXPECT_EQ(parsed.problems.size(), 1U);
  EXPECT_EQ(parsed.documents.kubelet.maxPods, 1);
  EXPECT_EQ(parsed.documents.kubelet.podsPerCore, 2);
}

class ConfigFilesTest : public ::testing::Test {
 protected:
  void drop_in(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(main_ + ".d");
    folder_.write("config.yaml.d/" + name, text);
  }
  [[nodiscard]] std::string path_of(const std::string& name) const { return main_ + ".d/" + name; }

  TemporaryFolder folder_;
  const std::string main_ = folder_.path("config.yaml");
};

TEST_F(ConfigFilesTest, drop_ins_are_read_in_the_order_of_their_names_with_or_without_a_main_file) {
  drop_in("20-b.yaml", kKubelet + "maxPods: 2\n");
  drop_in("10-a.yaml", kKubelet + "maxPods: 1\n");
  drop_in("30-c.yaml", kKubelet + "podPidsLimit: 9\n");
  drop_in(".hidden.yaml", "[");
  drop_in("30-c.yaml.dpkg-old", "[");
  std::filesystem::create_directories(path_of(".git"));
  auto files = read_config_files(main_, MainFile::kIfItExists);
  ASSERT_EQ(files.texts.size(), 3U);
  EXPECT_EQ(files.texts[0].file, path_of("10-a.yaml"));
  EXPECT_EQ(files.texts[1].file, path_of("20-b.yaml"));
  EXPECT_EQ(files.texts[2].file, path_of("30-c.yaml"));
  EXPECT_TRUE(files.problems.empty());
  EXPECT_TRUE(files.warnings.empty());

  folder_.write("config.yaml", kKubelet + "podsPerCore: 3\n");
  const auto loaded = load_settings({.config_file = main_});
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->pods.max_pods, 2);
  EXPECT_EQ(loaded->pods.pods_per_core, 3);
  EXPECT_EQ(loaded->config_file, main_);
  EXPECT_EQ(loaded->drop_ins, (std::vector<std::string>{path_of("10-a.yaml"), path_of("20-b.yaml"),
                                                        path_of("30-c.yaml")}));
}

TEST_F(ConfigFilesTest, drop_ins_alone_leave_the_main_file_unread) {
  folder_.write("config.yaml", kKubelet);
  drop_in("10.yaml", kKubelet);
  const auto files = read_drop_ins(main_);
  ASSERT_EQ(files.texts.size(), 1U);
  EXPECT_EQ(files.texts[0].file, path_of("10.yaml"));
  EXPECT_EQ(files.texts[0].role, ConfigRole::kDropIn);
  EXPECT_TRUE(read_drop_ins(main_ + ".bak").texts.empty());
}

TEST_F(ConfigFilesTest, a_name_that_one_could_take_for_a_drop_in_is_reported) {
  drop_in("a.conf", kKubelet);
  drop_in("b.yml", kKubelet);
  std::filesystem::create_directories(path_of("more"));
  EXPECT_EQ(read_config_files(main_, MainFile::kIfItExists).warnings,
            (std::vector<std::string>{
                path_of("a.conf") + " is not read: the name of a drop-in ends in .yaml",
                path_of("b.yml") + " is not read: the name of a drop-in ends in .yaml",
                path_of("more") + " is not read: drop-ins lie in no folder below"}));
}

TEST_F(ConfigFilesTest, what_cannot_be_read_is_refused_with_its_name) {
  const auto problems = [this] {
    std::vector<std::string> out;
    for (const auto& problem : read_config_files(main_, MainFile::kIfItExists).problems)
      out.push_back(problem.to_string());
    return out;
  };
  const std::string nothing = ": cannot be read: No such file or directory";
  const std::string irregular = ": cannot be read: it is no regular file";
  EXPECT_EQ(problems(), std::vector<std::string>());
  std::filesystem::create_symlink("nowhere", main_);
  std::filesystem::create_symlink("nowhere", main_ + ".d");
  EXPECT_EQ(problems(), (std::vector<std::string>{main_ + nothing, main_ + ".d" + nothing}));
  std::filesystem::remove(main_);
  std::filesystem::remove(main_ + ".d");

  ASSERT_EQ(::mkfifo(main_.c_str(), 0600), 0);
  std::filesystem::create_directories(path_of("10-folder.yaml"));
  std::filesystem::create_symlink("nowhere", path_of("20-link.yaml"));
  ASSERT_EQ(::mkfifo(path_of("30-fifo.yaml").c_str(), 0600), 0);
  // A regular file, but reading its beginning fails: no memory of the process is mapped there.
  std::filesystem::create_symlink("/proc/self/mem", path_of("40-broken.yaml"));
  drop_in("50-large.yaml", std::string(api::kManifestBytesLimit + 1, '#'));
  EXPECT_EQ(problems(), (std::vector<std::string>{
                            main_ + irregular, path_of("10-folder.yaml") + irregular,
                            path_of("20-link.yaml") + nothing, path_of("30-fifo.yaml") + irregular,
                            path_of("40-broken.yaml") + ": cannot be read: Input/output error",
                            path_of("50-large.yaml") +
                                ": cannot be read: it is larger than a manifest may be, 10 MiB"}));
}

}  // namespace
}  // namespace berth::agent
