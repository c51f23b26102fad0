// SPDX-License-Identifier: Apache-2.0

#include "ctl/evictions/eviction_text.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <boost/json.hpp>

#include "api/quantity.hpp"
#include "api/text/readable_quantity.hpp"
#include "ctl/age.hpp"

namespace berth::ctl {
namespace {

namespace wire = control::v1;

constexpr const char* kUnknown = "-";
// A longer time is as good as never.
constexpr std::int64_t kNeverMs = std::int64_t{365} * 24 * 3600 * 1000;

std::string or_unknown(const std::string& text) {
  return text.empty() ? kUnknown : text;
}

// Whether the signal's amounts are bytes; the amounts of other signals are numbers of things.
bool counts_bytes(std::string_view signal) {
  return signal.find("inodes") == std::string_view::npos && !signal.starts_with("pid.");
}

// Amounts in Mi or Gi stay as the configuration has them; so does text that is no quantity.
std::string readable_bytes(const std::string& amount, api::Rounding rounding) {
  const auto quantity = api::Quantity::parse(amount);
  if (!quantity || amount.ends_with("Mi") || amount.ends_with("Gi")) return amount;
  return api::readable_bytes(quantity->value(), rounding);
}

std::string readable(std::string_view signal, const std::string& amount,
                     api::Rounding rounding = api::Rounding::kNearest) {
  return counts_bytes(signal) ? readable_bytes(amount, rounding) : amount;
}

std::string span(std::int64_t ms) {
  if (ms >= kNeverMs) return "never";
  if (ms < 1000) return fmt::format("{}ms", ms);
  return human_duration(std::chrono::milliseconds(ms));
}

// A word of a newer berthd stays as it is.
std::string wait_text(const std::string& word) {
  constexpr std::pair<std::string_view, const char*> kWords[] = {
      {"NewSample", "at the next measurement"},
      {"Average", "when the average no longer includes the last evicted pod"},
      {"FreedDisk", "when the disk has freed what the last evicted pod had"},
      {"Reclaim", "when the node has reclaimed what it can"},
      {"PodEnd", "when the evicted pod has ended"}};
  const auto found =
      std::ranges::find(kWords, word, &std::pair<std::string_view, const char*>::first);
  return found == std::end(kWords) ? "after " + word : found->second;
}

// "8s", or "8s, when the disk ..."; without a time if it is not known how long that takes, or if it
// is over.
std::string action_text(bool known, std::int64_t ms, const std::string& waits_for) {
  if (waits_for.empty()) return known ? span(ms) : kUnknown;
  return (known && ms > 0 ? span(ms) + ", " : "") + wait_text(waits_for);
}

std::string kind_of(const wire::EvictionThreshold& threshold) {
  if (threshold.grace_ms() == 0) return "hard";
  return "soft, " + span(threshold.grace_ms());
}

std::string min_reclaim_of(const wire::EvictionThreshold& threshold) {
  return threshold.min_reclaim().empty() ? "" : " + " + threshold.min_reclaim();
}

std::string condition_text(const wire::PressureState& condition) {
  if (!condition.present()) return condition.type() + " False";
  std::string text = condition.type() + " True";
  if (condition.has_until_cleared_ms())
    text += fmt::format(" (clears in {} if nothing raises it again)",
                        span(condition.until_cleared_ms()));
  return text;
}

std::string note_of(const wire::RankedPod& pod, bool next) {
  if (!pod.exempt().empty()) return "exempt: " + pod.exempt();
  if (next && pod.within_request())
    return "NEXT, though within its requests: no pod is left that exceeds them";
  if (next) return "NEXT";
  if (pod.within_request()) return "within its requests";
  return "";
}

std::vector<Row> ranking_rows(const wire::EvictionRanking& ranking) {
  std::vector<Row> rows = {{"", "POD", "USAGE", "REQUEST", "PRIORITY", "AHEAD BY", "NOTE"}};
  for (int i = 0; i < ranking.pods_size(); ++i) {
    const wire::RankedPod& pod = ranking.pods(i);
    const bool next = ranking.has_next_victim() && static_cast<int>(ranking.next_victim()) == i;
    rows.push_back({std::to_string(i + 1), pod.namespace_() + "/" + pod.name(),
                    or_unknown(readable(ranking.signal(), pod.usage())),
                    readable(ranking.signal(), pod.request()), std::to_string(pod.priority()),
                    or_unknown(pod.ahead_by()), note_of(pod, next)});
  }
  return rows;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text = words.front();
  for (std::size_t i = 1; i < words.size(); ++i)
    text += (i + 1 == words.size() ? " or " : ", ") + words[i];
  return text;
}

// Signals for which the same pods would be evicted in the same order, for the same reasons: they
// share a table.
struct RankedAlike {
  std::vector<std::string> signals{};
  std::vector<Row> rows{};
  bool somebody_goes = false;
};

std::vector<RankedAlike> grouped(const wire::ExplainEvictionsReply& reply) {
  std::vector<RankedAlike> groups;
  for (const auto& ranking : reply.rankings()) {
    RankedAlike one{.signals = {ranking.signal()},
                    .rows = ranking_rows(ranking),
                    .somebody_goes = ranking.has_next_victim()};
    const auto alike = std::ranges::find_if(
        groups, [&one](const RankedAlike& group) { return group.rows == one.rows; });
    if (alike == groups.end())
      groups.push_back(std::move(one));
    else
      alike->signals.push_back(ranking.signal());
  }
  return groups;
}

std::string ranking_text(const RankedAlike& group) {
  std::string text = fmt::format("\nIf {} runs short:\n", joined(group.signals));
  if (group.rows.size() == 1) return text + "  there is no pod\n";
  text += format_table(group.rows);
  if (!group.somebody_goes) text += "  no pod could be evicted: every pod is exempt\n";
  return text;
}

std::string signal_of(const boost::json::object& record) {
  const auto* signal = record.if_contains("signal");
  return signal != nullptr && signal->is_string() ? std::string(signal->get_string())
                                                  : std::string("memory.available");
}

constexpr const char* kLeftTitle = "Left:";

// Stalls, which are berth's own signals, are measured, and limits of local storage are used up.
const char* measured_title(std::string_view signal) {
  if (signal.ends_with("fs.limit")) return "Used:";
  return signal.find(".pressure.") == std::string_view::npos ? kLeftTitle : "Measured:";
}

// The record as it was written; a newer berthd may have added to it.
std::string record_lines(const std::string& json) {
  boost::system::error_code failure;
  const auto value = boost::json::parse(json, failure);
  if (failure || !value.is_object()) return {};
  std::string text;
  const auto& record = value.get_object();
  const std::string signal = signal_of(record);
  const auto line = [&](const char* title, const char* name) {
    const auto* member = record.if_contains(name);
    if (member == nullptr) return;
    std::string shown =
        member->is_string() ? std::string(member->get_string()) : boost::json::serialize(*member);
    // As the message rounds it, so that both name one amount.
    const bool left = std::string_view(title) == kLeftTitle;
    if (member->is_string())
      shown = readable(signal, shown, left ? api::Rounding::kDown : api::Rounding::kNearest);
    if (!shown.empty() && shown != "[]") text += fmt::format("    {:<12}{}\n", title, shown);
  };
  line("Message:", "message");
  line("Threshold:", "threshold");
  line(measured_title(signal), "observed");
  line("Reclaimed:", "reclaimed");
  line("Grace:", "grace_seconds");
  if (signal.ends_with("fs.limit")) line("Limit:", "limit");
  if (const auto* age = record.if_contains("reading_age_ms"))
    text +=
        fmt::format("    {:<12}{} ms before the decision\n", "Read:", boost::json::serialize(*age));
  return text;
}

std::string ranking_lines(const std::string& json) {
  boost::system::error_code failure;
  const auto value = boost::json::parse(json, failure);
  if (failure || !value.is_object()) return {};
  const auto* ranking = value.get_object().if_contains("ranking");
  if (ranking == nullptr || !ranking->is_array() || ranking->get_array().empty()) return {};
  const std::string of = signal_of(value.get_object());
  std::vector<Row> rows = {{"    POD", "USAGE", "REQUEST", "PRIORITY", "AHEAD BY", "EXEMPT"}};
  for (const auto& item : ranking->get_array()) {
    if (!item.is_object()) continue;
    const auto cell = [&](const char* name) -> std::string {
      const auto* member = item.get_object().if_contains(name);
      if (member == nullptr) return kUnknown;
      return or_unknown(member->is_string() ? std::string(member->get_string())
                                            : boost::json::serialize(*member));
    };
    rows.push_back({"    " + cell("pod"), readable(of, cell("usage")),
                    readable(of, cell("request")), cell("priority"), cell("ahead_by"),
                    cell("exempt")});
  }
  return format_table(rows);
}

std::string mebibytes(bool known, std::int64_t bytes) {
  return known ? fmt::format("{}Mi", bytes / (1 << 20)) : kUnknown;
}

std::string share(bool known, std::int64_t used, std::int64_t request) {
  if (!known || request <= 0) return kUnknown;
  return fmt::format("{:.0f}%", 100.0 * static_cast<double>(used) / static_cast<double>(request));
}

std::string place_of(const wire::PodUsage& pod, std::string_view signal) {
  const bool exempt = std::ranges::find(pod.exempt_signals(), signal) != pod.exempt_signals().end();
  for (int i = 0; i < pod.signals_size() && i < pod.places_size(); ++i)
    if (pod.signals(i) == signal)
      return exempt ? fmt::format("exempt ({})", pod.places(i)) : std::to_string(pod.places(i));
  return kUnknown;
}

std::string decided_text(const wire::ExplainEvictionsReply& reply) {
  if (reply.evictions().empty()) return {};
  std::vector<Row> rows = {{"POD", "GRACE", "CAUSE"}};
  for (const auto& one : reply.evictions())
    rows.push_back({one.namespace_() + "/" + one.name(), fmt::format("{}s", one.grace_seconds()),
                    one.cause()});
  return (reply.waits_for().empty() ? "\nGoing now:\n" : "\nGoing next:\n") + format_table(rows);
}

}  // namespace

std::vector<Row> signal_rows(const wire::ExplainEvictionsReply& reply) {
  std::vector<Row> rows = {{"SIGNAL", "VALUE", "CAPACITY", "THRESHOLD", "KIND", "STANDING",
                            "HEADROOM", "A SECOND", "MET IN", "ACTS IN"}};
  for (const auto& signal : reply.signals()) {
    const std::string name = signal.name() + (signal.own() ? " (berth's)" : "");
    Row head = {name, or_unknown(readable(signal.name(), signal.value())),
                or_unknown(readable(signal.name(), signal.capacity()))};
    if (signal.thresholds().empty()) {
      rows.push_back(std::move(head));
      continue;
    }
    for (const auto& threshold : signal.thresholds()) {
      Row row = head;
      row.insert(
          row.end(),
          {or_unknown(readable(signal.name(), threshold.limit())) + min_reclaim_of(threshold),
           kind_of(threshold), threshold.standing(), or_unknown(threshold.headroom()),
           or_unknown(signal.slope()),
           threshold.has_until_met_ms() ? span(threshold.until_met_ms()) : kUnknown,
           action_text(threshold.has_until_action_ms(), threshold.until_action_ms(),
                       threshold.waits_for())});
      rows.push_back(std::move(row));
    }
  }
  return rows;
}

std::vector<Row> pressure_rows(const wire::ExplainEvictionsReply& reply) {
  std::vector<Row> rows = {{"Signal", "Value", "Threshold", "Kind", "Standing", "Headroom"},
                           {"------", "-----", "---------", "----", "--------", "--------"}};
  for (const auto& signal : reply.signals()) {
    const std::string value = or_unknown(readable(signal.name(), signal.value()));
    if (signal.thresholds().empty()) rows.push_back({signal.name(), value, "<none>"});
    for (const auto& threshold : signal.thresholds()) {
      rows.push_back({signal.name(), value, or_unknown(readable(signal.name(), threshold.limit())),
                      kind_of(threshold), threshold.standing(), or_unknown(threshold.headroom())});
    }
  }
  return rows;
}

std::string explain_text(const wire::ExplainEvictionsReply& reply) {
  std::string text = fmt::format("Now: {}", reply.verdict());
  if (!reply.waits_for().empty())
    text += "; it acts " +
            action_text(reply.has_until_action_ms(), reply.until_action_ms(), reply.waits_for());
  else if (reply.has_until_action_ms() && reply.until_action_ms() < kNeverMs)
    text += fmt::format("; at the rate of the last minute the first threshold acts in {}",
                        span(reply.until_action_ms()));
  text += "\nFile systems: " + (reply.layout().empty() ? "not known yet" : reply.layout()) + "\n";
  for (const auto& condition : reply.conditions()) text += condition_text(condition) + "\n";
  text += decided_text(reply);
  text += "\n" + format_table(signal_rows(reply));
  for (const RankedAlike& group : grouped(reply)) text += ranking_text(group);
  return text;
}

std::string log_text(const std::vector<wire::EvictionEntry>& entries) {
  std::string text;
  for (const auto& entry : entries) {
    text += fmt::format("{}  {}/{}  {}\n", entry.time(), entry.namespace_(), entry.name(),
                        entry.sentence());
    text += record_lines(entry.record_json());
    if (!entry.decision().empty())
      text +=
          fmt::format("    {:<12}berthctl why --decision {}\n", "All inputs:", entry.decision());
    text += ranking_lines(entry.record_json());
  }
  return text;
}

std::string simulation_text(const wire::SimulateEvictionsReply& reply) {
  std::string text;
  for (const auto& warning : reply.warnings()) text += "warning: " + warning + "\n";
  if (reply.samples() == 0) return text + "No measurements were recorded in that time.\n";
  text +=
      fmt::format("{} samples from {} to {}, under:", reply.samples(), reply.from(), reply.until());
  for (const auto& threshold : reply.thresholds()) text += " " + threshold;
  text += "\n";
  if (reply.events().empty()) return text + "Nothing would have happened.\n";
  std::string certainty = "AsMeasured";
  for (const auto& event : reply.events()) {
    if (event.certainty() == "AfterDeviation" && certainty != "AfterDeviation")
      text += "From here on this is a guess: the events above differ from what really happened.\n";
    certainty = event.certainty();
    text += fmt::format("{}  {}\n", event.time(), event.text());
  }
  return text;
}

Row top_pods_header(bool with_namespace) {
  Row row = {"NAME",
             "MEMORY",
             "OF REQUEST",
             "DISK",
             "PROCESSES",
             "PLACE IF MEMORY IS SHORT",
             "PLACE IF DISK IS SHORT",
             "PLACE IF PIDS ARE SHORT"};
  if (with_namespace) row.insert(row.begin(), "NAMESPACE");
  return row;
}

Row top_pods_row(const wire::PodUsage& pod, bool with_namespace) {
  Row row = {pod.name(),
             mebibytes(pod.has_memory_bytes(), pod.memory_bytes()),
             share(pod.has_memory_bytes(), pod.memory_bytes(), pod.memory_request_bytes()),
             mebibytes(pod.has_ephemeral_bytes(), pod.ephemeral_bytes()),
             pod.has_processes() ? std::to_string(pod.processes()) : kUnknown,
             place_of(pod, "memory.available"),
             place_of(pod, "nodefs.available"),
             place_of(pod, "pid.available")};
  if (with_namespace) row.insert(row.begin(), pod.namespace_());
  return row;
}

}  // namespace berth::ctl
