// SPDX-License-Identifier: Apache-2.0

// Measured figures, with their bounds and the kubelet's figures. Values only; text() formats them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/bench/call_share.hpp"

namespace berth::bench {

struct Figure {
  std::string name{};
  std::string unit{};
  std::vector<double> samples{};
  std::optional<double> bound{};  // for the median; unset if informational. Without samples it is
                                  // missed
  std::string kubelet{};          // 1.34 on containerd 1.6 | 1.36 on containerd 2.1
};

// How the time of one kind of run was spent: calls and the gaps between them, over all runs.
class Breakdown {
 public:
  explicit Breakdown(std::string name) : name_(std::move(name)) {}

  void add(const std::vector<Span>& spans, Interval window);
  [[nodiscard]] std::string text() const;

 private:
  struct Row {
    double begin = 0;  // ms into the window at its first occurrence
    bool gap = false;
    std::vector<double> milliseconds{};  // total per run in which it occurred
    std::vector<double> times{};         // how often
  };

  std::string name_;
  std::map<std::string, Row> rows_;
  int runs_ = 0;
};

class Report {
 public:
  void add(Figure figure) { figures_.push_back(std::move(figure)); }
  void add(Breakdown breakdown) { breakdowns_.push_back(std::move(breakdown)); }
  void note(std::string text) { notes_.push_back(std::move(text)); }

  [[nodiscard]] std::string text(bool with_breakdowns) const;
  // By name, with the measured figure; empty if every bound holds.
  [[nodiscard]] std::vector<std::string> missed() const;

 private:
  std::vector<Figure> figures_;
  std::vector<Breakdown> breakdowns_;
  std::vector<std::string> notes_;
};

[[nodiscard]] double milliseconds(Nanoseconds length);

}  // namespace berth::bench
