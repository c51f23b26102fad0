// SPDX-License-Identifier: Apache-2.0

// Images of the simulated runtime: the first part of a name says how it behaves
// (simulated_runtime.hpp).
//
// Loop thread only.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cri/runtime.hpp"
#include "tests/simulation/runtime/runtime_calls.hpp"
#include "tests/simulation/runtime/runtime_world.hpp"

namespace berth::simulation {

class SimulatedImages final : public cri::Images {
 public:
  SimulatedImages(RuntimeWorld& world, RuntimeCalls& calls) : world_(world), calls_(calls) {}

  cri::Call<cri::Image> image_status(Context context, cri::ImageSpec image) override;
  cri::Call<std::string> pull_image(Context context, cri::ImageSpec image,
                                    std::vector<cri::AuthConfig> auth,
                                    cri::PodSandboxConfig sandbox_config) override;
  cri::Call<std::vector<cri::Image>> list_images(Context context) override;
  cri::Call<cri::Done> remove_image(Context context, cri::ImageSpec image) override;
  cri::Call<cri::ImageStore> image_store(Context context) override;

  // By name or id.
  std::optional<cri::Image> find(const std::string& name);
  void import(const std::string& name);  // by another client
  // Another client removes those that none of the containers is made from.
  void forget_unused(const std::deque<Instance>& instances);

 private:
  Result<std::string> pulled(const std::string& name);

  RuntimeWorld& world_;
  RuntimeCalls& calls_;
  std::map<std::string, std::string> ids_{};  // by name
  std::map<std::string, int> pulls_{};        // likewise
};

}  // namespace berth::simulation
