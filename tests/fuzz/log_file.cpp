// SPDX-License-Identifier: Apache-2.0

// A container's log as the runtime writes it, and as a container could forge it: filtered in
// pieces, read from a file by its end, compressed.
//
// The first line holds numbers separated by spaces: the size of the pieces, the requested lines and
// bytes, and since which second. The rest is the log.
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "agent/logs/log_file.hpp"
#include "agent/logs/log_query.hpp"
#include "api/time.hpp"
#include "node/log_lines.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using agent::LogFile;
using agent::LogFilter;
using agent::LogQuery;

constexpr std::size_t kReadsMax = 4096;  // for a file that claims to be huge

class Folder {
 public:
  Folder() {
    const bool memory = std::filesystem::is_directory("/dev/shm");
    path_ = memory ? "/dev/shm" : std::filesystem::temp_directory_path().string();
    path_ += "/berth-fuzz-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for logs");
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string file(const char* name, std::string_view bytes) const {
    std::ofstream(path_ + "/" + name, std::ios::binary) << bytes;
    return path_ + "/" + name;
  }
  std::string compressed(const char* name, std::string_view bytes) const {
    const std::string path = path_ + "/" + name;
    gzFile file = gzopen(path.c_str(), "wb1");
    const auto size = static_cast<unsigned>(bytes.size());
    require(file != nullptr && gzwrite(file, bytes.data(), size) == static_cast<int>(size) &&
                gzclose(file) == Z_OK,
            "a file is written");
    return path;
  }

 private:
  std::string path_{};
};

struct Wanted {
  std::size_t piece = 1;
  std::int64_t lines = 0;
  LogQuery query{};
};

Wanted wanted_of(std::string_view line) {
  std::array<std::int64_t, 4> numbers{};
  for (auto& number : numbers) {
    const auto read = std::from_chars(line.data(), line.data() + line.size(), number);
    line.remove_prefix(static_cast<std::size_t>(read.ptr - line.data()));
    line.remove_prefix(std::min<std::size_t>(line.size(), 1));
  }
  Wanted wanted{.piece = static_cast<std::size_t>(std::max<std::int64_t>(numbers[0], 1)),
                .lines = std::max<std::int64_t>(numbers[1], 0)};
  wanted.query.timestamps = numbers[0] % 2 == 1;
  if (numbers[2] > 0) wanted.query.limit_bytes = numbers[2];
  constexpr std::int64_t kLatest = 9'000'000'000;  // seconds: in 2255
  if (numbers[3] > 0) {
    wanted.query.since = api::Time::from_unix_seconds(std::min(numbers[3], kLatest)).at;
  }
  return wanted;
}

std::string filtered(std::string_view log, const LogQuery& query, std::size_t piece) {
  LogFilter filter(query);
  std::string out;
  while (!log.empty() && !filter.full()) {
    out += filter.feed(log.substr(0, piece));
    log.remove_prefix(std::min(piece, log.size()));
  }
  if (query.limit_bytes) {
    const auto size = static_cast<std::int64_t>(out.size());
    require(size <= *query.limit_bytes, "a limit is kept");
    require(filter.full() == (size == *query.limit_bytes), "what is full has its limit");
  }
  return out;
}

void check_filter(std::string_view log, const Wanted& wanted) {
  const std::string whole = filtered(log, wanted.query, log.size() + 1);
  require(filtered(log, wanted.query, wanted.piece) == whole, "pieces make no difference");
  LogQuery unlimited = wanted.query;
  unlimited.limit_bytes.reset();
  const std::string all = filtered(log, unlimited, log.size() + 1);
  require(all.starts_with(whole), "a limit cuts at the end");
  require(wanted.query.limit_bytes || all == whole, "without a limit nothing is cut");
  require(all.size() <= log.size(), "a log does not say more than it holds");
  const bool every = !unlimited.since && log.ends_with('\n');
  const std::string said = node::log_tail(log, log.size() + 1, log.size());
  if (every && !unlimited.timestamps) {
    require(said == all, "last words are what the whole log says");
  }
  const std::string tail = node::log_tail(log, static_cast<std::size_t>(wanted.lines), 80);
  require(tail.size() <= 80 && said.ends_with(tail), "last words keep to their limit");
}

void check_line(std::string_view line) {
  const auto parsed = node::parse_log_line(line);
  if (!parsed) return;
  require(line.starts_with(parsed->time) && line.ends_with(parsed->content),
          "a line has its parts");
  require(parsed->content.find('\n') == std::string_view::npos, "a line is one line");
  const std::string again = std::string(parsed->time) + " " + std::string(parsed->stream) + " " +
                            (parsed->partial ? "P " : "F ") + std::string(parsed->content);
  const auto twice = node::parse_log_line(again);
  require(twice && twice->content == parsed->content && twice->partial == parsed->partial,
          "a line that is written again says the same", again);
}

// Where the last lines start, counting from the front.
std::size_t start_of_last(std::string_view log, std::int64_t lines) {
  if (lines == 0) return log.size();
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < log.size();) {
    starts.push_back(at);
    const auto end = log.find('\n', at);
    at = end == std::string_view::npos ? log.size() : end + 1;
  }
  const auto count = static_cast<std::int64_t>(starts.size());
  return lines >= count ? 0 : starts[static_cast<std::size_t>(count - lines)];
}

void check_search(std::string_view log, const Wanted& wanted) {
  if (wanted.lines == 0) return;
  agent::TailSearch search(wanted.lines);
  std::string_view rest = log;
  std::size_t start = 0;
  while (!rest.empty()) {
    const auto step = std::min(wanted.piece, rest.size());
    const std::string_view piece = rest.substr(rest.size() - step);
    rest.remove_suffix(step);
    if (const auto found = search.before(piece)) {
      start = rest.size() + *found;
      break;
    }
  }
  require(start == start_of_last(log, wanted.lines), "the last lines are found in any pieces");
}

std::string read_all(LogFile& file) {
  std::string out;
  for (std::size_t reads = 0; reads < kReadsMax; ++reads) {
    const auto piece = file.read();
    if (!piece) require(!piece.error().message.empty(), "a failure has words");
    if (!piece || piece->empty()) break;
    out += *piece;
  }
  return out;
}

// Returns what is left to find.
std::optional<agent::TailSought> seek(LogFile& file, agent::TailSought sought) {
  while (true) {
    const auto found = file.seek_tail(sought);
    if (!found) return std::nullopt;
    if (*found) return sought;
  }
}

void check_file(const std::string& path, std::string_view log, std::int64_t lines) {
  auto whole = LogFile::open(path);
  require(whole.has_value(), "a log that is there is opened", path);
  require(whole->head().value_or("?") == log.substr(0, 64), "a log has a head", path);
  require(read_all(*whole) == log, "a log is read as it was written", path);
  require(whole->is(path), "a log has its name", path);
  auto tail = LogFile::open(path);
  const auto sought = seek(*tail, agent::TailSought::of(lines));
  const std::size_t start = start_of_last(log, lines);
  require(sought && read_all(*tail) == log.substr(start), "the last lines are read", path);
  require(sought->lines >= 0 && (sought->lines == 0 || start == 0) && !sought->given_up,
          "lines that are not there are reported", path);
  auto part = LogFile::open(path);
  const auto searched = seek(*part, {.lines = lines, .bytes = 1, .decompressed = 1});
  const std::string found = read_all(*part);
  const std::size_t before = log.size() - std::min(log.size(), found.size());
  require(searched && log.ends_with(found) && before >= start &&
              (before == log.size() || before == 0 || log[before - 1] == '\n'),
          "a search that is given up begins with a line", path);
}

// Junk under the name of a compressed log.
void check_junk(const std::string& path, std::int64_t lines) {
  auto file = LogFile::open(path);
  require(file.has_value(), "a file that is there is opened");
  static_cast<void>(read_all(*file));
  auto tail = LogFile::open(path);
  if (seek(*tail, agent::TailSought::of(lines))) static_cast<void>(read_all(*tail));
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::fuzz;
  static const Folder folder;
  const std::string_view text = text_of(data, size);
  const auto line = text.find('\n');
  const auto wanted = wanted_of(text.substr(0, line));
  if (line == std::string_view::npos) return 0;
  const std::string_view log = text.substr(line + 1);
  check_filter(log, wanted);
  check_search(log, wanted);
  for (std::string_view rest = log; !rest.empty();) {
    const auto end = rest.find('\n');
    check_line(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  check_file(folder.file("0.log", log), log, wanted.lines);
  check_file(folder.compressed("0.log.1.gz", log), log, wanted.lines);
  check_junk(folder.file("0.log.2.gz", log), wanted.lines);
  return 0;
}
