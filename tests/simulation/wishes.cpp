#include "tests/simulation/wishes.hpp"

#include <memory>
#include <utility>

#include <fmt/core.h>

namespace berth::simulation {

void Wishes::write(const std::string& file, Manifest manifest) {
  files_[file] = std::move(manifest);
}

void Wishes::remove(const std::string& file) {
  files_.erase(file);
}

std::string Wishes::stem(const std::string& file, const Manifest& manifest) const {
  return fmt::format("{}.v{}", file, manifest.version);
}

PodPtr Wishes::make(const std::string& file, const Manifest& manifest) const {
  auto pod = std::make_shared<api::Pod>(manifest.pod);
  const auto base = stem(file, manifest);
  const auto count = incarnations_.find(base);
  const int incarnation = count == incarnations_.end() ? 1 : count->second;
  pod->metadata.uid = fmt::format("{}.i{}", base, incarnation);
  pod->metadata.annotations["kubernetes.io/config.hash"] = pod->metadata.uid;
  pod->metadata.annotations["kubernetes.io/config.source"] = "file";
  return pod;
}

std::vector<PodPtr> Wishes::desired() const {
  std::vector<PodPtr> pods;
  for (const auto& [file, manifest] : files_) pods.push_back(make(file, manifest));
  return pods;
}

PodPtr Wishes::next_incarnation(const api::Pod& ended) {
  for (const auto& [file, manifest] : files_) {
    if (make(file, manifest)->metadata.uid != ended.metadata.uid) continue;
    auto& count = incarnations_[stem(file, manifest)];
    count = count == 0 ? 2 : count + 1;
    return make(file, manifest);
  }
  return nullptr;
}

}  // namespace berth::simulation
