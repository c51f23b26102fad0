// SPDX-License-Identifier: Apache-2.0

#include "agent/metrics/metrics_page.hpp"

namespace berth::agent {

std::string MetricsPage::text() const {
  std::string out;
  for (const Writer& writer : writers_) writer(out);
  return out;
}

}  // namespace berth::agent
