#include "tests/simulation/agent_under_test.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "api/static_pod.hpp"
#include "lifecycle/pod_worker.hpp"
#include "node/node_object.hpp"
#include "tests/simulation/generator.hpp"

namespace berth::simulation {
namespace {

std::shared_ptr<const node::NodeView> node_view(const std::string& zone) {
  node::NodeConfig config;
  config.node_name = kNodeName;
  config.node_labels[kZoneLabel] = zone;
  node::NodeFacts facts;
  facts.cpus = 4;
  facts.memory = std::int64_t{8} << 30;
  facts.ephemeral_storage = std::int64_t{64} << 30;
  facts.max_pids = 32768;
  facts.hostname = kNodeName;
  facts.architecture = "amd64";
  facts.addresses = {"192.168.7.1"};
  cri::DnsConfig dns{.servers = {"192.168.7.2"}};
  return std::make_shared<const node::NodeView>(node::make_node_view(config, facts, dns));
}

std::shared_ptr<const api::Node> node_object(const node::NodeView& view, const Clock& clock) {
  node::NodeObservations observed;
  observed.now = clock.wall_now();
  return std::make_shared<const api::Node>(node::node_object(view, observed, nullptr));
}

lifecycle::PodSetOptions options() {
  lifecycle::PodSetOptions options;
  options.node_name = kNodeName;
  return options;
}

api::ManifestOptions manifest_options() {
  api::ManifestOptions options;
  options.node_name = kNodeName;
  return options;
}

void take_seen(agent::FoundPod& one, const std::string& text) {
  if (const auto time = api::Time::parse(text)) one.config_seen = time->at;
}

// As the agent's manifest source reads them: incarnations from the sandboxes' annotations, and
// from the store.
std::vector<agent::FoundPod> found_pods(const lifecycle::RuntimeListing& listing,
                                        const std::vector<lifecycle::PodMemoryPtr>& memories) {
  std::map<std::string, agent::FoundPod> found;
  for (const auto& [uid, pod] : listing) {
    agent::FoundPod one{.uid = uid};
    for (const auto& sandbox : pod.sandboxes) {
      api::Pod annotated;
      annotated.metadata.annotations = {sandbox.annotations.begin(), sandbox.annotations.end()};
      one.incarnation = static_cast<std::uint32_t>(lifecycle::incarnation_of(annotated));
      const auto created = cri::wall_time(sandbox.created_at);
      if (created && (!one.created_at || *created < *one.created_at)) one.created_at = created;
      const auto seen = sandbox.annotations.find(std::string(api::kConfigSeen));
      if (seen != sandbox.annotations.end()) take_seen(one, seen->second);
    }
    found.emplace(uid, std::move(one));
  }
  for (const auto& memory : memories) {
    auto& one = found.try_emplace(memory->uid, agent::FoundPod{.uid = memory->uid}).first->second;
    one.incarnation = static_cast<std::uint32_t>(memory->incarnation);
    one.over = memory->verdict == lifecycle::Verdict::kEnded || memory->end.has_value();
    const auto& metadata = memory->pod->metadata;
    if (metadata.creationTimestamp) one.created_at = metadata.creationTimestamp->at;
    const auto seen = metadata.annotations.find(std::string(api::kConfigSeen));
    if (seen != metadata.annotations.end()) take_seen(one, seen->second);
  }
  std::vector<agent::FoundPod> all;
  for (auto& [uid, one] : found) all.push_back(std::move(one));
  return all;
}

}  // namespace

void TraceLog::write(LogLevel level, std::string_view event, std::string_view message,
                     const std::vector<LogField>& fields) {
  if (gate_.closed() || level == LogLevel::kDebug) return;
  const auto pod = std::ranges::find(fields, "POD_UID", &LogField::key);
  const auto container = std::ranges::find(fields, "CONTAINER", &LogField::key);
  trace_.line(clock_.steady_now(), "agent",
              fmt::format("{}{}{}: {}", pod == fields.end() ? "" : pod->value + " ",
                          container == fields.end() ? "" : container->value + " ", event, message));
}

lifecycle::PodSetServices AgentUnderTest::services(const AgentSetup& setup) {
  lifecycle::PodSetServices services;
  services.executor = setup.loop;
  services.clock = setup.clock;
  services.runtime = &runtime_;
  services.images = &runtime_;
  services.stream = &stream_;
  services.host = &host_;
  services.events = &events_;
  services.sink = &sink_;
  services.log = &log_;
  services.incarnations = this;
  services.store = &store_;
  services.boot_id = "one boot";
  services.node = node_view(setup.zone);
  services.node_object = node_object(*services.node, *setup.clock);
  services.on_failure = setup.on_failure;
  return services;
}

AgentUnderTest::AgentUnderTest(const AgentSetup& setup)
    : clock_(*setup.clock),
      listener_(*setup.listener),
      files_(*setup.files),
      gate_(setup.loop),
      runtime_(gate_, *setup.runtime),
      stream_(gate_, *setup.runtime),
      host_(gate_, *setup.host),
      store_(gate_, *setup.store),
      sink_(gate_, *setup.sink),
      log_(gate_, *setup.trace, *setup.clock),
      folder_(manifest_options()),
      pods_(services(setup), options()),
      tasks_(setup.loop, setup.on_failure) {
  pods_.start();
  tasks_.spawn("manifests", recover());
}

boost::asio::awaitable<void> AgentUnderTest::recover() {
  const auto listing = co_await pods_.first_listing();
  co_await gate_.pass();
  folder_.recover(found_pods(listing, pods_.recalled()));
  recovered_ = true;
  read_folder();
}

void AgentUnderTest::read_folder() {
  if (!recovered_ || gate_.closed()) return;
  agent::FolderContent content{.path = "/manifests", .exists = true};
  for (const auto& [name, text] : files_)
    content.files.push_back(agent::FolderFile{.name = name, .content = text});
  auto outcome = folder_.update(std::move(content), clock_.wall_now());
  for (const auto& problem : outcome.new_problems)
    log_.write(LogLevel::kWarn, "InvalidManifest",
               problem.file + ": " + problem.path + ": " + problem.message, {});
  listener_.wishes_are(outcome.desired);
  pods_.set_desired(std::move(outcome.desired));
}

PodPtr AgentUnderTest::next_incarnation(const api::Pod& ended) {
  if (gate_.closed()) return nullptr;
  auto next = folder_.next_incarnation(ended, clock_.wall_now());
  listener_.follows(ended, next);
  return next;
}

boost::asio::awaitable<void> AgentUnderTest::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
  co_await pods_.stop();
}

}  // namespace berth::simulation
