// SPDX-License-Identifier: Apache-2.0

#include "agent/journal_log.hpp"

#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>
// The header's own would add the place of its caller, which is always this file.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-journal.h>

#include "agent/journal_entries.hpp"
#include "base/text.hpp"

namespace berth::agent {
namespace {

spdlog::level::level_enum spd_level(LogLevel level) {
  constexpr std::array kLevels = {spdlog::level::debug, spdlog::level::info, spdlog::level::warn,
                                  spdlog::level::err};
  return kLevels[static_cast<std::size_t>(level)];
}

}  // namespace

bool stderr_is_the_journal() {
  const char* stream = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (stream == nullptr || fstat(STDERR_FILENO, &status) != 0) return false;
  return std::string(stream) == std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
}

void send_to_journal(const LogLine& line, const std::string& node_name) {
  auto entries = journal_entries(line, node_name);
  std::vector<iovec> vectors;
  vectors.reserve(entries.size());
  for (auto& entry : entries)
    vectors.push_back({.iov_base = entry.data(), .iov_len = entry.size()});
  // A journal that does not accept a line must not stop the agent.
  static_cast<void>(sd_journal_sendv(vectors.data(), static_cast<int>(vectors.size())));
}

namespace {

class LeveledLog : public Log {
 public:
  explicit LeveledLog(LogLevel level) : level_(level) {}
  void set_level(LogLevel level) { level_ = level; }

 private:
  void put(const LogLine& line) final {
    if (line.level >= level_) put_line(line);
  }
  virtual void put_line(const LogLine& line) = 0;

  LogLevel level_;
};

class JournalLog final : public LeveledLog {
 public:
  JournalLog(LogLevel level, std::string node_name)
      : LeveledLog(level), node_name_(std::move(node_name)) {}

 private:
  void put_line(const LogLine& line) override { send_to_journal(line, node_name_); }

  std::string node_name_;
};

class StderrLog final : public LeveledLog {
 public:
  explicit StderrLog(LogLevel level)
      : LeveledLog(level), logger_("berthd", std::make_shared<spdlog::sinks::stderr_sink_st>()) {
    logger_.set_level(spdlog::level::trace);
    logger_.set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %^%-7l%$ %v");
  }

 private:
  void put_line(const LogLine& line) override {
    const auto text = plain_line(line.event, line.message, line.fields);
    logger_.log(spd_level(line.level), spdlog::string_view_t(text.data(), text.size()));
    logger_.flush();
  }

  spdlog::logger logger_;
};

}  // namespace

std::string plain_line(std::string_view event, std::string_view message,
                       const std::vector<LogField>& fields) {
  std::string line = std::string(event) + ": " + one_line(message);
  for (const auto& [key, value] : fields) {
    line += " " + key + "=";
    const bool quoted = value.empty() || value.find_first_of(" \"\n\t") != std::string::npos;
    if (!quoted) {
      line += one_line(value);
      continue;
    }
    std::string escaped;
    for (const char c : value) {
      if (c == '"' || c == '\\') escaped += '\\';
      escaped += c;
    }
    line += '"' + one_line(escaped) + '"';
  }
  return line;
}

std::unique_ptr<Log> make_log(LogLevel level, const std::string& node_name) {
  if (stderr_is_the_journal()) return std::make_unique<JournalLog>(level, node_name);
  return std::make_unique<StderrLog>(level);
}

void set_log_level(Log& log, LogLevel level) {
  if (auto* leveled = dynamic_cast<LeveledLog*>(&log)) leveled->set_level(level);
}

}  // namespace berth::agent
