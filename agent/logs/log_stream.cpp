// SPDX-License-Identifier: Apache-2.0

#include "agent/logs/log_stream.hpp"

#include <deque>
#include <filesystem>
#include <set>
#include <utility>
#include <vector>

#include "agent/logs/log_file.hpp"
#include "node/log_rotation.hpp"
#include "node/own_folder.hpp"

namespace berth::agent {
namespace {

// Retries if files are renamed between listing the folder and opening them.
constexpr int kTries = 10;
// More rotated logs than any sensible containerLogMaxFiles leaves: each takes a descriptor while
// the log is read, and a container with access to the folder can make any number of them.
constexpr std::size_t kRotatedAtMost = 100;

}  // namespace

class LogStream::Files {
 public:
  Files(std::string top, std::string path, std::optional<std::int64_t> tail_lines)
      : top_(std::move(top)), path_(std::move(path)), name_(node::name_of(path_)) {
    if (tail_lines) tail_ = TailSought::of(*tail_lines);
  }

  // True once the log can be read; if false, call again: each call takes a moment.
  Result<bool> go_on() { return folder_ ? seek_tail() : open(); }

  // Whether there may be more of the last lines than were found.
  [[nodiscard]] bool tail_given_up() const { return tail_ && tail_->given_up; }

  Result<std::string> next_piece() {
    while (true) {
      auto piece = files_.front().read();
      if (!piece || !piece->empty()) return piece;
      if (files_.size() == 1) {
        if (files_.front().was_cut()) {
          auto again = LogFile::open(folder_->at(name_));
          if (!again) return fail(again.error());
          files_.front() = std::move(*again);
          continue;
        }
        if (files_.front().is(folder_->at(name_))) return piece;
        // Written between the last read and the renaming.
        piece = files_.front().read();
        if (!piece || !piece->empty()) return piece;
        const auto found = find_successors();
        if (!found) return fail(found.error());
        if (files_.size() == 1) return "";
      }
      files_.pop_front();
    }
  }

 private:
  Result<bool> open() {
    auto folder = node::OwnFolder::open(top_, node::folder_of(path_));
    if (!folder && folder.error().code == ErrorCode::kNotFound) return missing();
    if (!folder) return fail(wrap("log file " + path_, folder.error()));
    folder_ = std::make_unique<node::OwnFolder>(std::move(*folder));
    auto opened = open_rotated_since({});
    if (!opened) return fail(opened.error());
    files_ = std::move(*opened);
    if (files_.empty()) return missing();
    seeking_ = files_.size() - 1;
    return !tail_;
  }

  std::unexpected<Error> missing() const {
    return fail(ErrorCode::kNotFound, "log file " + path_ + ": No such file or directory");
  }

  Result<std::vector<std::string>> rotated() const {
    std::vector<std::string> names;
    std::error_code trouble;
    for (std::filesystem::directory_iterator entry(folder_->path(), trouble), end;
         !trouble && entry != end; entry.increment(trouble))
      names.push_back(entry->path().filename().string());
    if (trouble == std::errc::no_such_file_or_directory) return missing();
    if (trouble)
      return fail(ErrorCode::kUnknown,
                  "listing " + node::folder_of(path_) + ": " + trouble.message());
    return node::rotated_logs(name_, names);
  }

  // The newest rotated files that were not seen before, and the current one if it exists, as of one
  // moment.
  Result<std::deque<LogFile>> open_rotated_since(const std::set<std::string>& seen) {
    for (int tries = 0;; ++tries) {
      const auto names = rotated();
      if (!names) return fail(names.error());
      auto opened = open_all(*names, seen);
      if (!opened) return opened;
      const auto after = rotated();
      if (!after) return fail(after.error());
      if (tries < kTries && *after != *names) continue;
      for (const std::string& name : *names) seen_rotations_.emplace(node::rotation_of(name));
      return opened;
    }
  }

  Result<std::deque<LogFile>> open_all(const std::vector<std::string>& names,
                                       const std::set<std::string>& seen) const {
    std::deque<LogFile> files;
    std::vector<std::string> paths;
    for (const std::string& name : names)
      if (!seen.contains(std::string(node::rotation_of(name)))) paths.push_back(folder_->at(name));
    if (paths.size() > kRotatedAtMost)
      paths.erase(paths.begin(), paths.end() - static_cast<std::ptrdiff_t>(kRotatedAtMost));
    paths.push_back(folder_->at(name_));
    for (const std::string& path : paths) {
      auto file = LogFile::open(path);
      // Removed, or renamed, which is checked afterwards; the current file may be missing between
      // its renaming and its re-creation.
      if (!file && file.error().code == ErrorCode::kNotFound) continue;
      if (!file) return fail(file.error());
      files.push_back(std::move(*file));
    }
    return files;
  }

  // From the newest to the oldest file, until all of the last lines are covered.
  Result<bool> seek_tail() {
    const auto searched = files_[seeking_].seek_tail(*tail_);
    if (!searched || !*searched) return searched;
    if (tail_->lines == 0)
      files_.erase(files_.begin(), files_.begin() + static_cast<std::ptrdiff_t>(seeking_));
    return tail_->lines == 0 || seeking_-- == 0;
  }

  // The files that follow one that has been read to its end and is no longer written.
  Result<bool> find_successors() {
    const auto mine = files_.front().head();
    auto opened = open_rotated_since(std::set<std::string>(seen_rotations_));
    // The log was removed with its container: there is no more.
    if (!opened && opened.error().code == ErrorCode::kNotFound) return true;
    if (!opened) return fail(opened.error());
    for (LogFile& file : *opened) {
      // The file itself, under its new name.
      const auto head = file.head();
      if (mine && head && !mine->empty() && *mine == *head) continue;
      files_.push_back(std::move(file));
    }
    return true;
  }

  std::string top_;
  std::string path_;
  std::string name_;
  std::unique_ptr<node::OwnFolder> folder_{};
  std::deque<LogFile> files_{};             // the first one is being read
  std::set<std::string> seen_rotations_{};  // as rotation_of returns them
  std::optional<TailSought> tail_{};        // unset if the whole log is read
  std::size_t seeking_ = 0;                 // the file that is searched for it
};

LogStream::LogStream(BlockingPool& pool, std::shared_ptr<Files> files)
    : pool_(pool), files_(std::move(files)) {}
LogStream::~LogStream() = default;

boost::asio::awaitable<Result<std::unique_ptr<LogStream>>> LogStream::open(
    BlockingPool& pool, std::string top, std::string path, std::optional<std::int64_t> tail_lines) {
  const std::string what = "opening the log " + path;
  const auto files = std::make_shared<Files>(std::move(top), std::move(path), tail_lines);
  for (bool opened = false; !opened;) {
    std::function<Result<bool>()> step = [files] { return files->go_on(); };
    const auto done = co_await pool.run(what, std::move(step));
    if (!done) co_return fail(done.error());
    opened = *done;
  }
  co_return std::unique_ptr<LogStream>(new LogStream(pool, files));
}

bool LogStream::tail_given_up() const {
  return files_->tail_given_up();
}

boost::asio::awaitable<Result<std::string>> LogStream::read() {
  std::function<Result<std::string>()> work = [files = files_] { return files->next_piece(); };
  auto piece = co_await pool_.run("reading a log", std::move(work));
  co_return piece;
}

}  // namespace berth::agent
