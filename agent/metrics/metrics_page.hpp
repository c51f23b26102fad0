// SPDX-License-Identifier: Apache-2.0

// The text of /metrics: each part of berthd writes its own metric families, in the order in which
// the parts were added.
//
// Writers are called whenever the page is requested, and outlive it. Loop thread only.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace berth::agent {

class MetricsPage {
 public:
  // Appends whole families; those without observations may be left out.
  using Writer = std::function<void(std::string& out)>;

  void add(Writer writer) { writers_.push_back(std::move(writer)); }
  [[nodiscard]] std::string text() const;

 private:
  std::vector<Writer> writers_{};
};

}  // namespace berth::agent
