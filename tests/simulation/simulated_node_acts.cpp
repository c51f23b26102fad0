// SPDX-License-Identifier: Apache-2.0

// The random events on the node: which one is next; manifests, deletions, disk and clock.
#include <algorithm>
#include <ranges>
#include <utility>

#include <fmt/core.h>

#include "api/codec.hpp"
#include "api/config_map.hpp"
#include "api/priority_class.hpp"
#include "api/secret.hpp"
#include "tests/simulation/generator.hpp"
#include "tests/simulation/simulated_node.hpp"

namespace berth::simulation {

using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

constexpr std::size_t kFilesAtMost = 6;
constexpr const char* kSecretFile = "secret.json";
// How far the wall clock may be off.
constexpr seconds kFarthestJump{200};

}  // namespace

void SimulatedNode::mend_what_is_due() {
  const auto now = clock_.steady_now();
  if (now >= runtime_returns_) {
    runtime_.come_up();
    runtime_.wake_up();
  }
  if (now >= stream_returns_ && stream_is_silent_) {
    stream_is_silent_ = false;
    runtime_.speak_again();
    disturbances().trouble();
  }
  if (now >= disk_returns_ && !store_.calm({})) {
    say("the disk is well again");
    store_.mend();
  }
}

void SimulatedNode::act() {
  mend_what_is_due();
  if (!agent_ && clock_.steady_now() >= agent_returns_) {
    begin_life();
    if (random_.chance(200)) crash_soon();
    return;
  }
  disrupt();
  if (over()) return;
  using Act = void (SimulatedNode::*)();
  struct Choice {
    int weight;
    Act act;
    bool trouble = false;
  };
  static constexpr Choice kChoices[] = {{20, &SimulatedNode::write_new},
                                        {14, &SimulatedNode::edit},
                                        {10, &SimulatedNode::remove},
                                        {14, &SimulatedNode::break_file},
                                        {5, &SimulatedNode::rename},
                                        {6, &SimulatedNode::write_again},
                                        {16, &SimulatedNode::delete_pod},
                                        {6, &SimulatedNode::delete_again},
                                        {5, &SimulatedNode::delete_in_haste},
                                        {10, &SimulatedNode::set_condition},
                                        {6, &SimulatedNode::hurt_sandbox},
                                        {8, &SimulatedNode::end_container},
                                        {5, &SimulatedNode::refuse_stop},
                                        {6, &SimulatedNode::records_vanish},
                                        {4, &SimulatedNode::runtime_goes_down, true},
                                        {2, &SimulatedNode::runtime_hangs, true},
                                        {4, &SimulatedNode::stream_falls_silent, true},
                                        {3, &SimulatedNode::disk_fills, true},
                                        {5, &SimulatedNode::pod_ends_on_full_disk, true},
                                        {3, &SimulatedNode::disk_slows, true},
                                        {25, &SimulatedNode::wall_clock_jumps, true},
                                        {8, &SimulatedNode::change_settings},
                                        {14, &SimulatedNode::agent_goes},
                                        {6, &SimulatedNode::crash_at_restart},
                                        {5, &SimulatedNode::machine_reboots, true},
                                        {4, &SimulatedNode::create_comes_late},
                                        {4, &SimulatedNode::state_is_lost, true},
                                        {4, &SimulatedNode::image_vanishes},
                                        {40, &SimulatedNode::containers_write}};
  const auto possible = [this](const Choice& choice) {
    if (choice.act == &SimulatedNode::wall_clock_jumps) return clock_may_jump_;
    if (choice.act == &SimulatedNode::containers_write) return extras_.logs.has_value();
    return !calm_ || !choice.trouble;
  };
  int total = 0;
  for (const auto& choice : kChoices | std::views::filter(possible)) total += choice.weight;
  auto drawn = random_.between(0, total - 1);
  for (const auto& choice : kChoices | std::views::filter(possible)) {
    drawn -= choice.weight;
    if (drawn >= 0) continue;
    (this->*choice.act)();
    break;
  }
  if (!over() && random_.chance(120)) crash_soon();
}

std::string SimulatedNode::pick_file() {
  const auto last = static_cast<std::int64_t>(manifests_.size()) - 1;
  return std::next(manifests_.begin(), random_.between(0, last))->first;
}

void SimulatedNode::write(const std::string& file, const api::Pod& pod) {
  file_is_good(file);
  manifests_[file] = pod;
  folder_.files[file + ".json"] = api::to_json_text(pod);
}

void SimulatedNode::write_new() {
  if (manifests_.size() >= kFilesAtMost) return;
  const auto name = fmt::format("pod{}", ++names_);
  say("manifest " + name + " is written");
  auto pod = random_pod(random_, name);
  if (extras_.resources) extras_.resources->add_needs(pod);
  if (random_.chance(250)) pod.metadata.uid = "uid-of-" + name;
  write(name, pod);
  folder_changed();
}

void SimulatedNode::edit() {
  if (manifests_.empty()) return;
  const auto file = pick_file();
  say("manifest " + file + " is edited");
  write(file, edited(random_, manifests_.at(file)));
  folder_changed();
}

void SimulatedNode::remove() {
  if (!manifests_.empty()) remove(pick_file());
}

void SimulatedNode::remove(const std::string& file) {
  say("manifest " + file + " is removed");
  removed_files_.emplace_back(file, manifests_.at(file));
  file_is_good(file);
  manifests_.erase(file);
  folder_.files.erase(file + ".json");
  folder_changed();
}

// Another file with the same content: another uid, and the same name.
void SimulatedNode::rename() {
  if (manifests_.empty()) return;
  const auto [file, manifest] = *manifests_.begin();
  const auto to = file + "r";
  say(fmt::format("manifest {} is renamed to {}", file, to));
  file_is_good(file);
  manifests_.erase(file);
  folder_.files.erase(file + ".json");
  write(to, manifest);
  folder_changed();
}

void SimulatedNode::containers_write() {
  extras_.logs->write(random_);
}

// No postStart hook hangs for ever: containers whose hook hangs are ended, and later hooks return.
void SimulatedNode::hooks_are_let_go() {
  runtime_.hooks_return_within(seconds(120));
  for (const auto& instance : runtime_.instances()) {
    if (!instance.live() ||
        !invariants().hooks().post_start_ends_after(instance, clock_.steady_now() + seconds(120)))
      continue;
    say("somebody ends a container whose postStart hook hangs");
    runtime_.container_ends(instance.id, 137);
  }
}

// Another client removes images that no container uses.
void SimulatedNode::image_vanishes() {
  disturbances().trouble();  // a start that has already found one fails
  runtime_.forget_images();
}

// The file is half written, or has a mistake: its pod continues from the previous content.
void SimulatedNode::break_file() {
  if (manifests_.empty()) return;
  const auto file = pick_file();
  if (random_.chance(400) && broken_.contains(file)) return mend_file(file);
  const auto name = fmt::format("{}-{}", manifests_.at(file).metadata.name, kNodeName);
  if (!invariants().stays_desired(name) || !folder_.has_been_read(file + ".json")) return;
  say("manifest " + file + " is broken");
  auto& text = folder_.files.at(file + ".json");
  if (random_.chance(500))
    text = text.substr(0, text.size() / 2);
  else
    text.insert(1, "\"nonsense\":1,");
  broken_.insert(file);
  invariants().file_is_broken(name, true);
  folder_changed();
}

// Nothing was written, removed or broken since the last berthd looked.
bool SimulatedNode::folder_is_as_read() const {
  return folder_.nothing_is_gone_unread() &&
         std::ranges::all_of(manifests_, [this](const auto& manifest) {
           return broken_.contains(manifest.first) ||
                  folder_.has_been_read(manifest.first + ".json");
         });
}

void SimulatedNode::mend_file(const std::string& file) {
  say("manifest " + file + " is good again");
  write(file, api::Pod(manifests_.at(file)));
  folder_changed();
}

void SimulatedNode::file_is_good(const std::string& file) {
  if (broken_.erase(file) > 0)
    invariants().file_is_broken(fmt::format("{}-{}", manifests_.at(file).metadata.name, kNodeName),
                                false);
}

void SimulatedNode::write_again() {
  if (removed_files_.empty() || manifests_.size() >= kFilesAtMost) return;
  const auto [file, manifest] = random_.pick(removed_files_);
  if (manifests_.contains(file)) return;
  say("manifest " + file + " is written again as it was");
  write(file, manifest);
  folder_changed();
}

void SimulatedNode::change_settings() {
  if (random_.chance(250) && folder_.files.erase(kSettingsFile) > 0) {
    say("the ConfigMap is removed, and the Secret");
    folder_.files.erase(kSecretFile);
    folder_changed();
  } else {
    write_settings();
  }
}

void SimulatedNode::write_settings() {
  api::ConfigMap map{.kind = "ConfigMap", .apiVersion = "v1"};
  map.metadata = {.name = kSettings, .namespace_ = "default"};
  map.data[kSettingsKey] = std::to_string(++settings_);
  say(fmt::format("the ConfigMap is written, version {}", settings_));
  folder_.files[kSettingsFile] = api::to_json_text(map);
  api::Secret secret{.kind = "Secret", .apiVersion = "v1"};
  secret.metadata = map.metadata;
  secret.stringData[kSettingsKey] = map.data[kSettingsKey];
  folder_.files[kSecretFile] = api::to_json_text(secret);
  folder_changed();
}

// Some of the running pods were a kubelet's before the first berthd.
void SimulatedNode::take_over() {
  for (auto count = random_.between(1, 2); count > 0; --count) {
    const auto name = fmt::format("pod{}", ++names_);
    const auto pod = random_takeover(random_, name);
    write(name, pod);
    kubelet_leaves(pod);
  }
}

void SimulatedNode::write_classes() {
  for (const auto& [name, value] : {std::pair(kHighClass, 1000), std::pair(kLowClass, 10)}) {
    api::PriorityClass made{
        .kind = "PriorityClass", .apiVersion = "scheduling.k8s.io/v1", .value = value};
    made.metadata.name = name;
    folder_.files[fmt::format("class-{}.json", name)] = api::to_json_text(made);
  }
}

void SimulatedNode::delete_pod() {
  if (!agent_) return;
  const auto shown = agent_->pods().snapshot();
  if (shown.empty()) return;
  const auto pod = random_.pick(shown);
  static const std::vector<int> kGraces = {-1, -1, -1, 0, 1, 5, 20};
  const int drawn = random_.pick(kGraces);
  const auto grace = drawn < 0 ? std::optional<seconds>() : std::optional(seconds(drawn));
  order_end(*pod, grace);
}

// Deletes a pod that already ends: sooner, or by force, or as before.
void SimulatedNode::delete_again() {
  if (!agent_) return;
  auto ending = agent_->pods().snapshot();
  std::erase_if(ending, [](const PodPtr& pod) { return !pod->metadata.deletionTimestamp; });
  if (ending.empty()) return;
  const auto pod = random_.pick(ending);
  static const std::vector<int> kGraces = {-1, 0, 1, 1, 2, 5};
  const int drawn = random_.pick(kGraces);
  order_end(*pod, drawn < 0 ? std::optional<seconds>() : std::optional(seconds(drawn)));
}

// Deletes the pod with the longest grace period, and then, while it is being stopped, shortens it.
void SimulatedNode::delete_in_haste() {
  if (!agent_) return;
  auto shown = agent_->pods().snapshot();
  std::erase_if(shown, [](const PodPtr& pod) {
    return pod->metadata.deletionTimestamp || pod->status.phase != "Running";
  });
  if (shown.empty()) return;
  const auto pod = *std::ranges::max_element(shown, {}, [](const PodPtr& each) {
    return each->spec.terminationGracePeriodSeconds.value_or(0);
  });
  order_end(*pod, std::nullopt);
  pass_until(soon(milliseconds(100), seconds(4)));
  if (over() || !agent_) return;
  for (const PodPtr& still : agent_->pods().snapshot()) {
    if (still->metadata.uid != pod->metadata.uid) continue;
    order_end(*still, seconds(random_.between(0, 2)));
    break;
  }
}

void SimulatedNode::set_condition() {
  if (!agent_) return;
  const auto shown = agent_->pods().snapshot();
  if (shown.empty()) return;
  const auto pod = random_.pick(shown);
  api::PodCondition condition{.type = kUnasked, .status = random_.chance(700) ? "True" : "False"};
  if (random_.chance(150)) condition.status = "Unknown";
  const auto& gates = pod->spec.readinessGates;
  if (!gates.empty() && random_.chance(800)) condition.type = random_.pick(gates).conditionType;
  order_condition(*pod, std::move(condition));
}

void SimulatedNode::disk_fills() {
  say("the disk is full");
  store_.set_full(true);
  disk_returns_ = soon(seconds(1), seconds(30));
  if (random_.chance(500)) give_up();
}

// The outcome of a pod is then known to berthd alone, until the disk has recovered.
void SimulatedNode::pod_ends_on_full_disk() {
  if (!agent_) return;
  auto shown = agent_->pods().snapshot();
  std::erase_if(shown, [](const PodPtr& pod) {
    return pod->status.phase != "Running" || pod->spec.restartPolicy == "Always";
  });
  if (shown.empty()) return;
  const auto uid = random_.pick(shown)->metadata.uid;
  disk_fills();
  if (over()) return;
  say("the containers of " + uid + " end well");
  for (const auto& instance : runtime_.instances()) {
    if (instance.live() && instance.pod_uid == uid) runtime_.container_ends(instance.id, 0);
  }
}

// First its pod is deleted, then its manifest is removed.
void SimulatedNode::give_up() {
  if (!agent_ || manifests_.empty()) return;
  const auto file = pick_file();
  const auto name = fmt::format("{}-{}", manifests_.at(file).metadata.name, kNodeName);
  for (const PodPtr& pod : agent_->pods().snapshot()) {
    if (pod->metadata.name != name) continue;
    order_end(*pod, seconds(random_.between(0, 2)));
    break;
  }
  pass_until(soon(milliseconds(100), seconds(8)));
  if (!over()) remove(file);
}

void SimulatedNode::disk_slows() {
  const bool hangs = random_.chance(300);
  say(hangs ? "the disk hangs" : "the disk becomes slow");
  if (hangs)
    store_.set_latency({seconds(10), seconds(30)});
  else
    store_.set_latency({milliseconds(300), milliseconds(random_.between(500, 5'000))});
  disk_returns_ = soon(seconds(1), seconds(30));
  if (hangs) delete_pod();
}

void SimulatedNode::wall_clock_jumps() {
  const Nanoseconds passed = clock_.steady_now().time_since_epoch();
  const Nanoseconds off = random_.between(-Nanoseconds(kFarthestJump), Nanoseconds(kFarthestJump));
  say(fmt::format("the wall clock is set {:.1f} s off",
                  std::chrono::duration<double>(off).count()));
  disturbances().wall_clock_jumps();
  clock_.set_wall(start_of_time() + passed + off);
}

}  // namespace berth::simulation
