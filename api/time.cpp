// SPDX-License-Identifier: Apache-2.0

#include "api/time.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace berth::api {
namespace {

using std::chrono::nanoseconds;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads a text from the left; after any unexpected character good() stays false.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  int number(std::size_t digits) {
    if (rest_.size() < digits) return give_up();
    int value = 0;
    for (const char c : rest_.substr(0, digits)) {
      if (!is_digit(c)) return give_up();
      value = value * 10 + (c - '0');
    }
    rest_.remove_prefix(digits);
    return value;
  }
  void expect(char c) {
    if (!accept(c)) give_up();
  }
  bool accept(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Digits after the point, as nanoseconds; digits beyond the ninth are truncated.
  nanoseconds fraction() {
    if (rest_.empty() || !is_digit(rest_.front())) give_up();
    std::int64_t value = 0;
    std::int64_t unit = 1'000'000'000;
    for (; !rest_.empty() && is_digit(rest_.front()); rest_.remove_prefix(1)) {
      unit /= 10;
      value += unit * (rest_.front() - '0');
    }
    return nanoseconds{value};
  }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool at_end() const { return rest_.empty(); }

 private:
  int give_up() {
    good_ = false;
    rest_ = {};
    return 0;
  }

  std::string_view rest_;
  bool good_ = true;
};

std::optional<std::chrono::minutes> read_offset(Reader& reader) {
  if (reader.accept('Z')) return std::chrono::minutes{0};
  const bool west = reader.accept('-');
  if (!west) reader.expect('+');
  const int hours = reader.number(2);
  reader.expect(':');
  const int minutes = reader.number(2);
  if (!reader.good() || hours > 24 || minutes > 59) return std::nullopt;
  const std::chrono::minutes offset = std::chrono::hours{hours} + std::chrono::minutes{minutes};
  return west ? -offset : offset;
}

// 64 bits of nanoseconds since 1970 range from 1677 to 2262.
bool is_representable(int year) {
  return year >= 1678 && year <= 2261;
}

std::optional<WallTime> read_rfc3339(std::string_view text) {
  namespace chrono = std::chrono;
  Reader reader(text);
  const int year = reader.number(4);
  reader.expect('-');
  const int month = reader.number(2);
  reader.expect('-');
  const int day = reader.number(2);
  reader.expect('T');
  const int hour = reader.number(2);
  reader.expect(':');
  const int minute = reader.number(2);
  reader.expect(':');
  const int second = reader.number(2);
  const nanoseconds fraction =
      reader.accept('.') || reader.accept(',') ? reader.fraction() : nanoseconds{0};
  const std::optional<chrono::minutes> offset = read_offset(reader);
  if (!reader.good() || !offset || !reader.at_end()) return std::nullopt;
  const chrono::year_month_day date{chrono::year{year}, chrono::month(static_cast<unsigned>(month)),
                                    chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 59 || !is_representable(year))
    return std::nullopt;
  const WallTime at{chrono::sys_days{date} + chrono::hours{hour} + chrono::minutes{minute} +
                    chrono::seconds{second} + fraction - *offset};
  // The year may differ in UTC, in which the time is written.
  const chrono::year_month_day utc{chrono::floor<chrono::days>(at)};
  if (!is_representable(static_cast<int>(utc.year()))) return std::nullopt;
  return at;
}

std::string date_and_clock(std::chrono::sys_seconds at) {
  namespace chrono = std::chrono;
  const chrono::sys_days day = chrono::floor<chrono::days>(at);
  const chrono::year_month_day date{day};
  const chrono::hh_mm_ss clock{at - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::unexpected<Error> not_a_time(std::string_view text, std::string_view form) {
  return fail(ErrorCode::kInvalid, fmt::format("\"{}\" is not a time like {}", text, form));
}

}  // namespace

Result<Time> Time::parse(std::string_view text) {
  const std::optional<WallTime> at = read_rfc3339(text);
  if (!at) return not_a_time(text, "2006-01-02T15:04:05Z");
  return Time{*at};
}

std::string Time::to_string() const {
  return date_and_clock(std::chrono::floor<std::chrono::seconds>(at)) + "Z";
}

Result<MicroTime> MicroTime::parse(std::string_view text) {
  const std::optional<WallTime> at = read_rfc3339(text);
  if (!at) return not_a_time(text, "2006-01-02T15:04:05.000000Z");
  return MicroTime{*at};
}

std::string MicroTime::to_string() const {
  const auto whole = std::chrono::floor<std::chrono::seconds>(at);
  const auto micros = std::chrono::floor<std::chrono::microseconds>(at - whole).count();
  return fmt::format("{}.{:06}Z", date_and_clock(whole), micros);
}

}  // namespace berth::api
