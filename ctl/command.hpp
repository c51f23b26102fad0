// SPDX-License-Identifier: Apache-2.0

// Common to all commands: the connection, and the requested form of output.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock_types.hpp"
#include "base/result.hpp"
#include "ctl/connection.hpp"
#include "ctl/delete_request.hpp"
#include "ctl/event_row.hpp"
#include "ctl/words.hpp"

namespace berth::ctl {

struct Options {
  std::string socket = "/run/berth/berthd.sock";
  Nanoseconds request_timeout = std::chrono::seconds(10);  // zero: no limit
  std::string namespace_{};                                // empty: "default"
  bool all_namespaces = false;
  Output output = Output::kTable;
  bool no_headers = false;
};

// The exit code of the whole program.
using Outcome = Result<int>;

Outcome get_pods(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 bool watch);
Outcome get_probes(Connection& agent, const Options& options,
                   const std::vector<std::string>& names);
Outcome get_budgets(Connection& agent, const Options& options,
                    const std::vector<std::string>& names);
Outcome get_node(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 bool watch);
Outcome describe_nodes(Connection& agent, const std::vector<std::string>& names);
Outcome describe_pods(Connection& agent, const Options& options,
                      const std::vector<std::string>& names);
Outcome delete_pods(Connection& agent, const Options& options,
                    const std::vector<std::string>& names, const DeleteOptions& asked);

struct ConditionOptions {
  std::string pod{};
  std::string type{};
  std::string status{};
  std::string reason{};
  std::string message{};
};
Outcome set_condition(Connection& agent, const Options& options, const ConditionOptions& wanted);

struct EventsOptions {
  std::string for_object{};          // pod/NAME or node/NAME; empty: all events
  std::vector<std::string> types{};  // "Normal", "Warning"; empty: both
  bool watch = false;
  EventStyle style = EventStyle::kEvents;
  std::vector<std::string> names{};  // of the events themselves; empty: all
};
// kInvalid if the request makes no sense.
Outcome show_events(Connection& agent, const Options& options, const EventsOptions& events);

struct WhyOptions {
  bool records = false;     // print the ledger's records, one JSON object per line
  std::uint32_t limit = 0;  // only the newest; 0: berthd decides
  std::string decision{};   // the id of the one record that is printed; empty: those of the pods
  bool node = false;        // about the node instead of pods
};
// Without names: all pods (with `records`), or any (with a decision).
Outcome show_why(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 const WhyOptions& why);

// `config_file`: berthd's, read if berthd does not answer; empty for the default one.
Outcome show_doctor(const Options& options, const std::string& config_file);
Outcome show_status(Connection& agent, const Options& options);
// `client_only`: do not ask berthd.
Outcome show_version(const Options& options, bool client_only);

struct LogsOptions {
  std::string pod{};
  std::string container{};
  bool follow = false;
  bool previous = false;
  bool timestamps = false;
  std::optional<std::int64_t> tail{};
  std::optional<std::int64_t> since_seconds{};
  std::string since_time{};  // RFC 3339
  std::optional<std::int64_t> limit_bytes{};
};
Outcome show_logs(Connection& agent, const Options& options, const LogsOptions& logs);

struct ExecOptions {
  std::string pod{};
  std::string container{};
  bool use_stdin = false;
  bool tty = false;
  std::vector<std::string> command{};
};
Outcome run_exec(Connection& agent, const Options& options, const ExecOptions& exec);

// The requested namespace; "default" if unset.
[[nodiscard]] std::string chosen_namespace(const Options& options);

[[nodiscard]] WallTime now();

// To stdout, immediately, and safe for a terminal (base/text.hpp).
void print(const std::string& text);
// To stdout, immediately, byte for byte: for a file or a program.
void print_bytes(std::string_view bytes);
// As `print`, to stderr.
void complain(const std::string& text);

// Prints a table; the header first unless --no-headers. Prints nothing at all without rows.
void print_rows(const Options& options, const std::vector<std::string>& header,
                const std::vector<std::vector<std::string>>& rows);

}  // namespace berth::ctl
