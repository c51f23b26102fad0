// The manifest folder of a simulated node: what is wished, and under which uid.
//
// A uid follows from the file, the content (a version number stands for it) and the number of the
// incarnation, as on a real node: writing the same content again gives the same uid again. The
// folder outlives the agent; the count of incarnations does as well, as it is read back from the
// sandboxes' annotations there.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lifecycle/pod_set.hpp"

namespace berth::simulation {

using lifecycle::PodPtr;

struct Manifest {
  api::Pod pod{};  // with name, without uid
  int version = 0;
};

class Wishes final : public lifecycle::IncarnationSource {
 public:
  void write(const std::string& file, Manifest manifest);
  void remove(const std::string& file);

  [[nodiscard]] std::vector<PodPtr> desired() const;
  [[nodiscard]] const std::map<std::string, Manifest>& files() const { return files_; }

  PodPtr next_incarnation(const api::Pod& ended) override;

 private:
  [[nodiscard]] PodPtr make(const std::string& file, const Manifest& manifest) const;
  [[nodiscard]] std::string stem(const std::string& file, const Manifest& manifest) const;

  std::map<std::string, Manifest> files_{};
  std::map<std::string, int> incarnations_{};  // by uid without its number
};

}  // namespace berth::simulation
