// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_folder.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/core.h>

#include "agent/sources/manifest_news.hpp"
#include "agent/sources/secrets_at_risk.hpp"
#include "api/manifest/static_pod.hpp"
#include "node/sandbox_config.hpp"
#include "scheduling/priority_admission.hpp"

namespace berth::agent {
namespace {

ManifestProblem to_problem(const api::ManifestProblem& found, bool warning) {
  return {.file = found.file,
          .line = found.problem.line,
          .column = found.problem.column,
          .path = found.problem.path,
          .message = found.problem.message,
          .warning = warning};
}

// A file may have any number of problems; to fix it, the first ones are enough.
std::vector<ManifestProblem> first_problems(const std::string& file,
                                            const std::vector<api::ManifestProblem>& found,
                                            bool warnings) {
  constexpr std::size_t kMost = 20;
  std::vector<ManifestProblem> problems;
  for (std::size_t i = 0; i < std::min(found.size(), kMost); ++i)
    problems.push_back(to_problem(found[i], warnings));
  if (found.size() > kMost)
    problems.push_back({.file = file,
                        .message = fmt::format("{} more {} are not listed", found.size() - kMost,
                                               warnings ? "warnings" : "problems"),
                        .warning = warnings});
  return problems;
}

}  // namespace

void ManifestFolder::recover(std::vector<FoundPod> found) {
  found_ = std::move(found);
}

ManifestFolder::Outcome ManifestFolder::update(DecodedFolder content, WallTime now) {
  Outcome outcome;
  ManifestReport report{.path = content.path,
                        .exists = content.exists,
                        .unreadable = content.unreadable,
                        .ignored_files = content.others};
  const std::string kept = why_all_stays(content);
  if (content.exists) single_file_ = content.single_file;
  if (kept.empty()) {
    take_files(content);
    for (const std::string& why : content.refused)
      report.problems.push_back({.file = content.path, .message = why});
  } else {
    report.ignored_files = report_.ignored_files;
    report.problems.push_back(
        {.file = content.path,
         .message = "the manifest folder " + kept + "; its pods stay as they are"});
  }
  std::ranges::sort(report.ignored_files);
  report.files = files_.size();
  for (const auto& [name, file] : files_) {
    report.problems.insert(report.problems.end(), file.problems.begin(), file.problems.end());
  }
  settle_ownership(report.problems);
  collect_classes(report.problems);
  collect_pod_objects();
  collect_desired(now, outcome.desired, report.problems);
  name_kept_pods(report.problems);
  report.secrets_at_risk = broken_secrets();
  ManifestNews news = news_since(report_.problems, report.problems);
  outcome.new_problems = std::move(news.new_problems);
  // A removed file does not count as fixed.
  std::ranges::copy_if(
      news.mended_files, std::back_inserter(outcome.mended_files),
      [&](const std::string& file) { return file == report.path || files_.contains(file); });
  report_ = std::move(report);
  return outcome;
}

// Empty if the content is in force. Removing the whole folder, as a failed mount does, must not
// terminate all pods of a node; under the kubelet's rules it does.
std::string ManifestFolder::why_all_stays(const DecodedFolder& content) const {
  if (!content.unreadable.empty()) return "cannot be read (" + content.unreadable + ")";
  const bool vanished = !content.exists && !files_.empty() && !single_file_;
  if (vanished && options_.rules == api::ManifestRules::kBerth) return "does not exist any more";
  return {};
}

KnownTexts ManifestFolder::known() const {
  KnownTexts texts;
  for (const auto& [name, file] : files_)
    if (file.text) texts.emplace(name, *file.text);
  return texts;
}

void ManifestFolder::take_files(DecodedFolder& content) {
  std::set<std::string> there;
  for (auto& [name, news] : content.files) {
    if (std::holds_alternative<FileStays>(news)) {
      if (files_.contains(name)) there.insert(name);
      continue;
    }
    there.insert(name);
    auto& file = files_[name];
    bool good_stays = options_.rules == api::ManifestRules::kBerth;
    if (const auto* unread = std::get_if<FileUnread>(&news)) {
      file.text.reset();
      file.broken = true;
      file.problems = {{.file = name, .message = unread->why}};
      good_stays = good_stays || unread->left_out;
    } else {
      take(name, std::get<FileDecoded>(news), file);
    }
    if (file.broken && !good_stays) file.good.reset();
  }
  const auto gone =
      std::erase_if(files_, [&](const auto& entry) { return !there.contains(entry.first); });
  if (gone > 0) ++good_version_;
}

void ManifestFolder::take(const std::string& name, FileDecoded& read, File& file) {
  file.text = std::move(read.text);
  DecodedFile& decoded = read.file;
  file.broken = !decoded;
  // Partly written, or emptied by mistake: to end a pod, remove its file.
  const bool emptied =
      decoded && decoded->file.documents.empty() && file.good && !file.good->documents.empty();
  if (emptied) {
    file.broken = true;
    file.problems = {{.file = name,
                      .message = "it held objects and holds none any more; remove the file to end "
                                 "its pods"}};
  } else if (decoded) {
    file.problems = first_problems(name, decoded->file.warnings, true);
    file.good = std::move(decoded->file);
    file.texts = std::move(decoded->texts);
    ++good_version_;
  } else {
    file.problems = first_problems(name, decoded.error(), false);
  }
}

ManifestProblem ManifestFolder::second_claim(const std::string& identity, const Claim& claim,
                                             const std::string& owner) const {
  ManifestProblem problem{.file = claim.file, .line = claim.line};
  problem.message = identity + " is defined by " + owner + " already; rename one of the two";
  if (options_.rules == api::ManifestRules::kBerth || claim.pod == nullptr) return problem;
  problem.reason = "FailedValidation";
  problem.message = duplicate_name_text(claim.pod->pod);
  return problem;
}

// The file that defines an object keeps it; by the kubelet's rules the first file by name has it.
void ManifestFolder::settle_ownership(std::vector<ManifestProblem>& problems) {
  std::map<std::string, std::vector<Claim>> claims;
  for (const auto& [name, file] : files_) {
    if (!file.good) continue;
    for (const auto& document : file.good->documents) {
      claims[api::identity_of(document.object)].push_back(
          {.file = name,
           .line = document.line,
           .pod = std::get_if<api::ManifestPod>(&document.object)});
    }
  }
  std::map<std::string, std::string> owners;
  for (const auto& [identity, claimants] : claims) {
    const auto before = owners_.find(identity);
    const bool stays =
        options_.rules == api::ManifestRules::kBerth && before != owners_.end() &&
        std::ranges::find(claimants, before->second, &Claim::file) != claimants.end();
    const auto& owner = stays ? before->second : first_owner(claimants);
    owners[identity] = owner;
    for (const Claim& claim : claimants)
      if (claim.file != owner) problems.push_back(second_claim(identity, claim, owner));
  }
  owners_ = std::move(owners);
}

// The file whose pod already runs, so that a restart of berthd changes nothing; else the first by
// name.
const std::string& ManifestFolder::first_owner(const std::vector<Claim>& claimants) const {
  if (options_.rules == api::ManifestRules::kKubelet) return claimants.front().file;
  for (const Claim& claim : claimants) {
    if (claim.pod == nullptr) continue;
    const auto made = made_from(*claim.pod, claim.file, options_.node_name, found_);
    const lifecycle::FoundIncarnation* found = lifecycle::newest_of(made);
    if (found != nullptr && !found->over) return claim.file;
  }
  return claimants.front().file;
}

bool ManifestFolder::owns(const std::string& file, const api::ManifestObject& object) const {
  const auto owner = owners_.find(api::identity_of(object));
  return owner != owners_.end() && owner->second == file;
}

void ManifestFolder::collect_desired(WallTime now, std::vector<PodPtr>& desired,
                                     std::vector<ManifestProblem>& problems) {
  std::set<std::string> keys;
  std::vector<Granted> granted;
  for (const auto& [name, file] : files_) {
    if (!file.good) continue;
    for (const auto& document : file.good->documents) {
      const auto* manifest = std::get_if<api::ManifestPod>(&document.object);
      if (manifest == nullptr || !owns(name, document.object)) continue;
      const auto key = key_of(*manifest, name);
      keys.insert(key);
      const auto pod = grant(key, name, *manifest, document.line, now, problems);
      if (pod) granted.push_back({.pod = pod, .key = key, .file = name, .line = document.line});
    }
  }
  desired = with_own_uids(granted, problems);
  for (auto& [key, entry] : entries_) {
    if (keys.contains(key)) continue;
    entry.present = false;
    retire_pod(entry);
  }
}

void ManifestFolder::retire_pod(Entry& entry) {
  if (entry.pod) entry.former.insert(entry.pod->metadata.uid);
  entry.pod.reset();
}

void ManifestFolder::forget_gone(const std::function<bool(const std::string& uid)>& is_left) {
  std::set<std::string> wanted;
  for (const auto& [key, entry] : entries_)
    if (entry.pod) wanted.insert(entry.pod->metadata.uid);
  for (auto& [key, entry] : entries_) {
    // A uid that a manifest states outlives its edits: what is left of it is the latest one's.
    std::erase_if(entry.former,
                  [&](const std::string& uid) { return wanted.contains(uid) || !is_left(uid); });
  }
  std::erase_if(entries_, [](const auto& known) {
    return !known.second.present && known.second.former.empty();
  });
  std::erase_if(found_, [&](const FoundPod& one) { return !is_left(one.uid); });
}

// If two pods have one uid, the second is refused.
std::vector<PodPtr> ManifestFolder::with_own_uids(const std::vector<Granted>& granted,
                                                  std::vector<ManifestProblem>& problems) {
  std::vector<const api::Pod*> pods;
  for (const Granted& one : granted) pods.push_back(one.pod.get());
  const auto owners = uid_owners_.settle(pods, found_);
  std::vector<PodPtr> desired;
  for (std::size_t i = 0; i < granted.size(); ++i) {
    if (owners[i] == i) {
      desired.push_back(granted[i].pod);
      continue;
    }
    const Granted& owner = granted[owners[i]];
    entries_.at(granted[i].key).pod.reset();
    std::erase_if(chosen_, [&](const Chosen& one) { return one.pod == granted[i].pod; });
    problems.push_back(
        {.file = granted[i].file,
         .line = granted[i].line,
         .path = "metadata.uid",
         .message =
             fmt::format("Duplicate value: \"{}\": Pod {} of {} has it, and each pod needs its own",
                         owner.pod->metadata.uid, full_name(*owner.pod), owner.file)});
  }
  return desired;
}

PodPtr ManifestFolder::grant(const std::string& key, const std::string& file,
                             const api::ManifestPod& manifest, int line, WallTime now,
                             std::vector<ManifestProblem>& problems) {
  const auto known = entries_.find(key);
  const bool first_time = known == entries_.end();
  auto& entry = first_time ? entries_[key] : known->second;
  const FoundPod* running = nullptr;
  entry.file = file;
  if (first_time) {
    running = choose(entry, {.found = found_of(manifest, file, options_.node_name, found_)});
  } else if (!entry.present) {
    // Its former pod has ended or will end.
    choose(entry, {.cause = lifecycle::IncarnationCause::kReturned, .before = entry.incarnation});
  }
  entry.present = true;
  if (entry.pod) return entry.pod;
  auto pod = make_pod(manifest, entry, running, now);
  if (pod) {
    begin(entry, std::move(*pod));
  } else {
    problems.push_back(
        {.file = file, .line = line, .path = pod.error().path, .message = pod.error().message});
  }
  return entry.pod;
}

std::expected<PodPtr, ManifestProblem> ManifestFolder::make_pod(const api::ManifestPod& manifest,
                                                                const Entry& entry,
                                                                const FoundPod* found,
                                                                WallTime now) const {
  auto pod = std::make_shared<api::Pod>(manifest.pod);
  if (entry.adopted_uid) {
    api::set_static_uid(*pod, *entry.adopted_uid);
  } else if (entry.incarnation > 1 && manifest.stated.metadata.uid.empty()) {
    api::set_static_uid(*pod, manifest.digest.uid({.node_name = options_.node_name,
                                                   .file_name = entry.file,
                                                   .incarnation = entry.incarnation}));
  }
  const auto seen = found != nullptr && found->config_seen ? *found->config_seen : now;
  api::stamp_source(*pod, "file", api::Time{seen});
  const auto created = found != nullptr && found->created_at ? *found->created_at : now;
  pod->metadata.creationTimestamp = api::Time{created}.whole_seconds();
  if (entry.adopted_uid) pod->metadata.annotations[node::kAnnotationAdopted] = "kubelet";
  if (entry.adopted_uid || !manifest.stated.metadata.uid.empty())
    pod->metadata.annotations[node::kAnnotationManifest] = key_of(manifest, {});
  if (entry.incarnation > 1) {
    pod->metadata.annotations[node::kAnnotationIncarnation] = std::to_string(entry.incarnation);
  }
  if (options_.rules == api::ManifestRules::kBerth) {
    const auto classes = scheduling::with_built_in(classes_.classes());
    const auto resolved = scheduling::resolve_priority(*pod, classes);
    // A running pod is not stopped because its class was removed.
    if (!resolved && found == nullptr) {
      const auto& refusal = resolved.error();
      return std::unexpected(ManifestProblem{.path = refusal.field, .message = refusal.message});
    }
    if (resolved) scheduling::apply_priority(*pod, *resolved);
  }
  return pod;
}

// The pod that continues; null if a new one begins.
const FoundPod* ManifestFolder::choose(Entry& entry, lifecycle::IncarnationQuestion question) {
  const auto choice = lifecycle::choose_incarnation(question);
  entry.incarnation = choice.incarnation;
  entry.adopted_uid.reset();
  for (const auto& found : question.found) entry.former.insert(found.uid);
  if (choice.adopted) entry.adopted_uid = choice.continues;
  entry.choice = Chosen{.question = std::move(question), .choice = choice};
  if (choice.continues.empty()) return nullptr;
  const auto found = std::ranges::find(found_, choice.continues, &FoundPod::uid);
  return found == found_.end() ? nullptr : &*found;
}

// The choice is reported with the pod that it is about.
void ManifestFolder::begin(Entry& entry, PodPtr pod) {
  entry.pod = std::move(pod);
  if (!entry.choice) return;
  entry.choice->pod = entry.pod;
  chosen_.push_back(std::move(*entry.choice));
  entry.choice.reset();
}

std::vector<ManifestFolder::Chosen> ManifestFolder::collect_choices() {
  return std::exchange(chosen_, {});
}

ManifestFolder::DesiredManifest ManifestFolder::desired_manifest(const std::string& uid) const {
  for (const auto& [name, file] : files_) {
    if (!file.good) continue;
    for (const auto& document : file.good->documents) {
      const auto* manifest = std::get_if<api::ManifestPod>(&document.object);
      if (manifest == nullptr) continue;
      const auto entry = entries_.find(key_of(*manifest, name));
      if (entry == entries_.end() || !entry->second.present || !entry->second.pod) continue;
      if (entry->second.pod->metadata.uid == uid)
        return {.manifest = manifest, .key = entry->first};
    }
  }
  return {};
}

PodPtr ManifestFolder::next_incarnation(const api::Pod& ended, WallTime now) {
  const auto [manifest, key] = desired_manifest(ended.metadata.uid);
  if (manifest == nullptr) return nullptr;
  auto& entry = entries_.at(key);
  choose(entry, {.cause = lifecycle::IncarnationCause::kEnded, .before = entry.incarnation});
  retire_pod(entry);
  if (auto pod = make_pod(*manifest, entry, nullptr, now)) begin(entry, std::move(*pod));
  return entry.pod;
}

std::string ManifestFolder::class_refusal(const std::string& uid) const {
  const api::ManifestPod* manifest = desired_manifest(uid).manifest;
  if (manifest == nullptr || options_.rules == api::ManifestRules::kKubelet) return {};
  const auto classes = scheduling::with_built_in(classes_.classes());
  const auto resolved = scheduling::resolve_priority(manifest->pod, classes);
  return resolved ? std::string() : resolved.error().message;
}

std::string ManifestFolder::file_of(const std::string& uid) const {
  for (const auto& [key, entry] : entries_) {
    if (entry.present && entry.pod && entry.pod->metadata.uid == uid) return entry.file;
  }
  return {};
}

std::map<std::string, std::vector<PodPtr>> ManifestFolder::pods_by_file() const {
  std::map<std::string, std::vector<PodPtr>> pods;
  for (const auto& [key, entry] : entries_)
    if (entry.present && entry.pod) pods[entry.file].push_back(entry.pod);
  return pods;
}

LastGoodTexts ManifestFolder::good_texts() const {
  LastGoodTexts texts;
  if (options_.rules == api::ManifestRules::kKubelet) return texts;
  for (const auto& [name, file] : files_) {
    texts.on_disk.insert(file.texts.on_disk.begin(), file.texts.on_disk.end());
    texts.in_memory.insert(file.texts.in_memory.begin(), file.texts.in_memory.end());
  }
  return texts;
}

std::vector<const api::ManifestObject*> ManifestFolder::objects() const {
  std::vector<const api::ManifestObject*> objects;
  for (const auto& [name, file] : files_) {
    if (!file.good) continue;
    for (const auto& document : file.good->documents) {
      const bool pod = std::holds_alternative<api::ManifestPod>(document.object);
      if (!pod && owns(name, document.object)) objects.push_back(&document.object);
    }
  }
  return objects;
}

void ManifestFolder::collect_pod_objects() {
  node::Objects now;
  for (const auto* object : objects()) {
    if (const auto* map = std::get_if<api::ConfigMap>(object)) now.add(*map);
    if (const auto* secret = std::get_if<api::Secret>(object)) now.add(*secret);
  }
  if (now != *pod_objects_) pod_objects_ = std::make_shared<const node::Objects>(std::move(now));
}

void ManifestFolder::collect_classes(std::vector<ManifestProblem>& problems) {
  std::vector<StatedClass> stated;
  for (const auto& [name, file] : files_) {
    if (!file.good) continue;
    for (const auto& document : file.good->documents) {
      const auto* object = std::get_if<api::PriorityClass>(&document.object);
      if (object != nullptr && owns(name, document.object))
        stated.push_back({.file = name, .line = document.line, .object = *object});
    }
  }
  auto refused = classes_.update(stated);
  std::ranges::move(refused, std::back_inserter(problems));
}

std::string ManifestFolder::key_of(const api::ManifestPod& manifest,
                                   const std::string& file) const {
  return manifest.digest.uid({.node_name = options_.node_name, .file_name = file});
}

std::vector<SecretAtRisk> ManifestFolder::broken_secrets() const {
  std::vector<SecretAtRisk> found;
  for (const auto& [name, file] : files_) {
    if (!file.broken || !file.good) continue;
    BrokenFile broken{.last_good = *file.good, .objects = *pod_objects_};
    for (const auto& [key, entry] : entries_) {
      if (!entry.present || !entry.pod) continue;
      broken.all.push_back(entry.pod.get());
      if (entry.file == name) broken.of_file.push_back(entry.pod.get());
    }
    auto secrets = secrets_at_risk(broken);
    std::ranges::move(secrets, std::back_inserter(found));
  }
  return found;
}

void ManifestFolder::name_kept_pods(std::vector<ManifestProblem>& problems) const {
  const auto pods = pods_by_file();
  for (auto& problem : problems) {
    const auto file = files_.find(problem.file);
    if (problem.warning || file == files_.end() || !file->second.broken) continue;
    const auto kept = pods.find(problem.file);
    if (kept == pods.end()) continue;
    for (const PodPtr& pod : kept->second) problem.kept_pods.push_back(full_name(*pod));
  }
}

}  // namespace berth::agent
