// SPDX-License-Identifier: Apache-2.0

#include "agent/sources/manifest_source.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "agent/sources/folder_reader.hpp"
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

using Read = std::pair<FolderContent, TextHashes>;

std::map<std::string, std::string> texts_in(const std::string& folder) {
  std::map<std::string, std::string> texts;
  for (const auto& file : read_folder(folder).files)
    texts[file.name] = file.content.value_or(std::string());
  return texts;
}

// Leaves out files that somebody wrote while they were read; they are read again once they are
// closed.
void leave_out_unfinished(const std::set<std::string>& names, FolderContent& content,
                          TextHashes& decoded) {
  if (names.empty()) return;
  for (FolderFile& file : content.files) {
    if (!names.contains(file.name)) continue;
    file.being_written = true;
    decoded.erase(file.name);
  }
}

// A failure to keep Secrets in memory does not keep the rest from the disk.
Result<bool> keep_texts(const ManifestSource::Copies& copies, const LastGoodTexts& before,
                        const LastGoodTexts& texts) {
  Result<bool> secrets = true;
  const auto change = copies_change(before.in_memory, texts.in_memory);
  if (!change.empty())
    secrets = write_copies_in_memory(copies.in_memory, change, !texts.in_memory.empty());
  auto rest = write_copies(copies.on_disk, copies_change(before.on_disk, texts.on_disk));
  return rest ? secrets : rest;
}

}  // namespace

ManifestSource::ManifestSource(Services services, std::string path, Copies copies,
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
  using Copied = std::pair<LastGoodTexts, FolderContent>;
  std::function<Copied()> work = [copies = copies_, options = folder_.options(),
                                  in_hand = &services_.in_hand] {
    LastGoodTexts texts{.on_disk = texts_in(copies.on_disk),
                        .in_memory = texts_in(copies.in_memory)};
    FolderContent content{.path = copies.on_disk, .exists = true};
    for (auto& [name, text] : joined(texts))
      content.files.push_back({.name = name, .content = std::move(text)});
    static_cast<void>(decode_changed(content, options, {}, in_hand));
    return Copied(std::move(texts), std::move(content));
  };
  auto [texts, content] =
      co_await services_.pool.run("reading " + copies_.on_disk, std::move(work));
  copied_ = std::move(texts);
  static_cast<void>(folder_.update(std::move(content), services_.clock.wall_now()));
}

boost::asio::awaitable<void> ManifestSource::read_once(lifecycle::PodSet& pods) {
  // Files written until then and not closed are left out; their closing is reported.
  std::set<std::string> being_written;
  if (watch_) being_written = watch_->being_written();
  std::function<Read()> work = [path = path_, options = folder_.options(),
                                known = std::move(decoded_), in_hand = &services_.in_hand,
                                being_written = std::move(being_written)] {
    Read read{read_folder(path), {}};
    for (FolderFile& file : read.first.files)
      file.being_written = being_written.contains(file.name);
    read.second = decode_changed(read.first, options, known, in_hand);
    return read;
  };
  auto [content, hashes] = co_await services_.pool.run("reading " + path_, std::move(work));
  // A writer may have begun during the reading.
  if (watch_) leave_out_unfinished(watch_->being_written(), content, hashes);
  decoded_ = std::move(hashes);
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
  if (texts == copied_) co_return;
  std::function<Result<bool>()> work = [copies = copies_, before = std::move(copied_), texts] {
    return keep_texts(copies, before, texts);
  };
  copied_ = std::move(texts);
  const auto written = co_await services_.pool.run("writing " + copies_.on_disk, std::move(work));
  if (!written) {
    copied_ = {};  // copy all of them again with the next reading
    kept_version_.reset();
    services_.log.warn("ManifestCopies",
                       written.error().message +
                           "; a file that is broken while berthd is down will lose its pods");
  }
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
