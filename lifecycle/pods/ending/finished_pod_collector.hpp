// SPDX-License-Identifier: Apache-2.0

// Collects finished pods beyond the threshold, as the pod garbage collector of a cluster does. The
// parts outlive this object. Loop thread only.
#pragma once

namespace berth::lifecycle {

class EndOrders;
class PodRecords;
struct PodSetOptions;
struct PodSetParts;
struct PodSetServices;

class FinishedPodCollector {
 public:
  FinishedPodCollector(const PodSetParts& parts, EndOrders& orders);

  // Orders the end of the first of them; their verdicts stay.
  void collect();

 private:
  const PodSetServices& services_;
  const PodSetOptions& options_;
  const PodRecords& records_;
  EndOrders& orders_;
};

}  // namespace berth::lifecycle
