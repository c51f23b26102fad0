// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_source.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "agent/sources/folder_reader.hpp"
#include "agent/sources/manifest_decoding.hpp"
#include "base/text.hpp"
#include "lifecycle/ledger/pod_ledger.hpp"

namespace berth::agent {
namespace {

// Without inotify: the kubelet's fileCheckFrequency.
constexpr auto kReadEvery = std::chrono::seconds(20);
// With inotify, for changes that it does not report: a remote file system, a limit on watches.
constexpr auto kLookAgain = std::chrono::minutes(1);
// A folder may suddenly contain ten thousand broken files. To fix them the first ones are enough,
// and the loop has other things to do than to log the rest.
constexpr std::size_t kSaidAtOnce = 20;
// The same for the events of the pods of broken files.
constexpr std::size_t kEventsAtOnce = 200;

std::string place_of(const ManifestProblem& problem) {
  std::string text = problem.file;
  if (problem.line > 0) text += ":" + std::to_string(problem.line);
  if (problem.column > 0) text += ":" + std::to_string(problem.column);
  if (!problem.path.empty()) text += ": " + problem.path;
  return text + ": " + problem.message;
}

std::string sentence_of(const ManifestProblem& problem) {
  std::string sentence = place_of(problem);
  if (!problem.warning && !problem.kept_pods.empty())
    sentence += "; its pods go on from the last good version";
  return sentence;
}

using Read = std::pair<DecodedFolder, FilesRead>;

Read read_and_decode(const FolderQuestion& question, const FilesRead& before,
                     const std::set<std::string>& being_written,
                     const api::ManifestOptions& options, const KnownTexts& known,
                     lifecycle::InHand& in_hand) {
  FolderReading reading = read_folder(question, before);
  for (FolderFile& file : reading.content.files)
    file.being_written = being_written.contains(file.name);
  return {decode_changed(std::move(reading.content), options, known, &in_hand),
          std::move(reading.files)};
}

}  // namespace

ManifestSource::ManifestSource(Services services, std::string path, CopyFolders copies,
                               api::ManifestOptions options)
    : services_(services),
      path_(std::move(path)),
      copies_(std::move(copies)),
      folder_(std::move(options)),
      early_{.path = path_, .exists = true},
      stirred_(services_.executor) {
  auto watch = FolderWatch::open(
      {.executor = services_.executor, .clock = services_.clock, .pool = services_.pool}, path_,
      WatchFor::kNewFiles);
  if (watch) {
    watch_ = std::move(*watch);
    mounts_ = MountWatch::open(services_.executor);
  } else {
    services_.log.warn("ManifestFolder", watch.error().message + "; it is read every 20 s instead");
  }
}

boost::asio::awaitable<void> ManifestSource::notice_changes() {
  while (watch_) {
    static_cast<void>(co_await watch_->changed());
    changed_ = true;
    stirred_.notify();
  }
}

boost::asio::awaitable<void> ManifestSource::notice_mounts() {
  while (mounts_) {
    co_await mounts_->changed();
    stirred_.notify();
  }
}

boost::asio::awaitable<void> ManifestSource::run(lifecycle::PodSet& pods) {
  std::function<bool()> is_there = [path = path_] {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
  };
  early_.exists = co_await services_.pool.run("looking for " + path_, std::move(is_there));
  const auto listing = co_await pods.first_listing();
  const auto memories = pods.recalled();
  folder_.recover(found_pods(listing, memories));
  co_await read_copies();
  while (true) {
    changed_ = false;
    if (watch_) static_cast<void>(co_await watch_->follow());
    co_await read_once(pods);
    co_await keep_copies();
    co_await await_change();
  }
}

// Every starting container mounts something: whether that replaced the folder is checked without
// reading it.
boost::asio::awaitable<void> ManifestSource::await_change() {
  const SteadyTime look_again =
      services_.clock.steady_now() + (watch_ ? Nanoseconds(kLookAgain) : Nanoseconds(kReadEvery));
  while (!changed_) {
    const bool stirred = co_await stirred_.wait_until(services_.clock, look_again);
    if (!stirred) co_return;
    if (changed_) co_return;
    const bool elsewhere = co_await watch_->follow();
    if (elsewhere) co_return;
  }
}

boost::asio::awaitable<void> ManifestSource::read_copies() {
  using Copied = std::pair<Copies, DecodedFolder>;
  std::function<Copied()> work = [folders = copies_, options = folder_.options(),
                                  in_hand = &services_.in_hand] {
    Copies copies = agent::read_copies(folders);
    FolderContent content{.path = folders.on_disk, .exists = true};
    for (auto& [name, text] : joined(copies.there))
      content.files.push_back({.name = name, .content = std::move(text)});
    return Copied(std::move(copies), decode_changed(std::move(content), options, {}, in_hand));
  };
  auto [copies, content] =
      co_await services_.pool.run("reading " + copies_.on_disk, std::move(work));
  copied_ = std::move(copies);
  static_cast<void>(folder_.update(std::move(content), services_.clock.wall_now()));
}

// inotify reports names in their own bytes.
std::set<std::string> ManifestSource::being_written() const {
  std::set<std::string> names;
  if (!watch_) return names;
  for (const std::string& name : watch_->being_written()) names.insert(valid_text(name));
  return names;
}

boost::asio::awaitable<void> ManifestSource::read_once(lifecycle::PodSet& pods) {
  FolderQuestion question{.path = path_, .begun = services_.clock.wall_now()};
  question.wanted = [rules = folder_.options().rules](const std::string& name) {
    return api::is_manifest_name(name, rules);
  };
  // Files written until then and not closed are left out; their closing is reported.
  std::function<Read()> work = [question = std::move(question), before = std::move(files_),
                                being_written = being_written(), options = folder_.options(),
                                known = folder_.known(), in_hand = &services_.in_hand] {
    return read_and_decode(question, before, being_written, options, known, *in_hand);
  };
  auto [content, files] = co_await services_.pool.run("reading " + path_, std::move(work));
  files_ = std::move(files);
  // A writer may have begun during the reading.
  leave_out_unfinished(being_written(), folder_.options().rules, content);
  const bool was_there = folder_.report().exists;
  const bool first_time = !std::exchange(read_, true);
  auto outcome = folder_.update(std::move(content), services_.clock.wall_now());
  if (!report().exists && report().files == 0 && (was_there || first_time)) {
    services_.log.warn("ManifestFolder", "the manifest folder " + path_ +
                                             " does not exist; berthd waits for it to appear");
  }
  report_outcome(outcome);
  record_choices();
  // Before the pods, so that new ones find the objects they refer to.
  pods.set_objects(folder_.pod_objects());
  services_.admission.set_namespaces(folder_.stated<api::Namespace>());
  services_.budgets.set_stated(folder_.stated<api::PodDisruptionBudget>(), outcome.desired);
  pods.set_desired(std::move(outcome.desired));
  folder_.forget_gone([&pods](const std::string& uid) { return pods.knows(uid); });
}

boost::asio::awaitable<void> ManifestSource::keep_copies() {
  if (kept_version_ == folder_.good_version()) co_return;
  kept_version_ = folder_.good_version();
  auto texts = folder_.good_texts();
  if (texts == copied_.there) {
    copied_.failures.clear();
    co_return;
  }
  const Copies before{.failures = std::move(copied_.failures)};
  std::function<Copies()> work = [folders = copies_, there = std::move(copied_.there),
                                  texts = std::move(texts)] {
    return write_copies(folders, there, texts);
  };
  copied_ = co_await services_.pool.run("writing " + copies_.on_disk, std::move(work));
  // What could not be written is tried again with the next reading.
  if (!copied_.failures.empty()) kept_version_.reset();
  report_copies(before);
}

void ManifestSource::report_copies(const Copies& before) {
  const auto failures = new_failures(before, copied_);
  if (failures.empty()) return;
  std::string text = failures.front().why;
  if (failures.size() > 1) text += " (and " + std::to_string(failures.size() - 1) + " more copies)";
  services_.log.warn("ManifestCopies",
                     text + "; a file that is broken while berthd is down will lose its pods");
}

void ManifestSource::record_choices() {
  lifecycle::PodLedger ledger(&services_.ledger);
  for (auto& [pod, question, choice] : folder_.collect_choices()) {
    question.pod = *pod;
    ledger.decided(question, choice, services_.clock.wall_now());
  }
}

void ManifestSource::report_outcome(const ManifestFolder::Outcome& outcome) {
  const auto pods = folder_.pods_by_file();
  std::size_t said = 0;
  std::size_t events = 0;
  for (const auto& problem : outcome.new_problems) {
    const auto of_file = pods.find(problem.file);
    if (of_file != pods.end()) {
      for (const auto& pod : of_file->second)
        if (++events <= kEventsAtOnce) report_to_pod(problem, *pod);
    }
    if (++said <= kSaidAtOnce) report_to_operator(problem, of_file != pods.end());
  }
  if (said > kSaidAtOnce) {
    const std::string rest = std::to_string(said - kSaidAtOnce) +
                             " more problems of manifests are not listed here; `berthctl doctor` "
                             "names them";
    services_.log.warn("InvalidManifest", rest);
    services_.events.record_node(true, "InvalidManifest", rest);
  }
  for (std::size_t i = 0; i < std::min(outcome.mended_files.size(), kSaidAtOnce); ++i) {
    const auto& file = outcome.mended_files[i];
    services_.log.info("ManifestMended", file + " is valid again", {{"FILE", file}});
  }
  if (outcome.mended_files.size() > kSaidAtOnce) {
    services_.log.info("ManifestMended", std::to_string(outcome.mended_files.size() - kSaidAtOnce) +
                                             " more manifests are valid again");
  }
}

void ManifestSource::report_to_pod(const ManifestProblem& problem, const api::Pod& pod) {
  if (problem.warning) return;
  services_.events.record(pod, {.level = lifecycle::EventLevel::kWarning,
                                .reason = problem.reason,
                                .message = sentence_of(problem)});
}

// Emits an event of the node if no pod of the file runs; that also logs it.
void ManifestSource::report_to_operator(const ManifestProblem& problem, bool pod_reported) {
  if (problem.warning || pod_reported) {
    services_.log.warn(problem.reason, sentence_of(problem),
                       {{"FILE", problem.file}, {"LINE", std::to_string(problem.line)}});
  } else {
    services_.events.record_node(true, problem.reason, sentence_of(problem));
  }
}

lifecycle::PodPtr ManifestSource::next_incarnation(const api::Pod& ended) {
  auto next = folder_.next_incarnation(ended, services_.clock.wall_now());
  record_choices();
  return next;
}

}  // namespace berth::agent
