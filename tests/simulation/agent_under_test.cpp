// SPDX-License-Identifier: Apache-2.0

#include "tests/simulation/agent_under_test.hpp"

#include <algorithm>

#include <fmt/core.h>

#include "agent/sources/blocking_update.hpp"
#include "node/node_object.hpp"
#include "tests/simulation/generator.hpp"

namespace berth::simulation {
namespace {

std::shared_ptr<const node::NodeView> node_view(const AgentSetup& setup) {
  node::NodeConfig config;
  config.node_name = kNodeName;
  config.node_labels[kZoneLabel] = setup.zone;
  config.max_pods = setup.most_pods;
  if (setup.tainted) config.node_taints.push_back({.key = kTaint, .effect = "NoSchedule"});
  if (!setup.logs_folder.empty()) config.paths.pod_logs = setup.logs_folder;
  node::NodeFacts facts;
  facts.cpus = kNodeCpus;
  facts.memory = std::int64_t{8} << 30;
  facts.ephemeral_storage = std::int64_t{64} << 30;
  facts.max_pids = 32768;
  facts.hostname = kNodeName;
  facts.architecture = "amd64";
  facts.addresses = {kNodeAddress};
  cri::DnsConfig dns{.servers = {"192.168.7.2"}};
  return std::make_shared<const node::NodeView>(node::make_node_view(config, facts, dns));
}

std::shared_ptr<const api::Node> node_object(const node::NodeView& view, const Clock& clock) {
  node::NodeObservations observed;
  observed.now = clock.wall_now();
  return std::make_shared<const api::Node>(node::node_object(view, observed, nullptr));
}

lifecycle::PodSetOptions options(const AgentSetup& setup) {
  lifecycle::PodSetOptions options;
  options.node_name = kNodeName;
  options.terminated_pods_kept = setup.terminated_pods_kept;
  return options;
}

api::ManifestOptions manifest_options() {
  api::ManifestOptions options;
  options.node_name = kNodeName;
  return options;
}

}  // namespace

void TraceLog::put(const LogLine& line) {
  if (gate_.closed() || line.level == LogLevel::kDebug) return;
  const std::vector<LogField>& fields = line.fields;
  const auto pod = std::ranges::find(fields, "POD_UID", &LogField::key);
  const auto container = std::ranges::find(fields, "CONTAINER", &LogField::key);
  trace_.line(clock_.steady_now(), "agent",
              fmt::format("{}{}{}: {}", pod == fields.end() ? "" : pod->value + " ",
                          container == fields.end() ? "" : container->value + " ", line.event,
                          line.message));
}

lifecycle::PodSetServices AgentUnderTest::services(const AgentSetup& setup) {
  lifecycle::PodSetServices services;
  services.executor = setup.loop;
  services.clock = setup.clock;
  services.runtime = &runtime_;
  services.images = &runtime_;
  services.stream = &stream_;
  services.host = &host_;
  services.handlers = &handlers_;
  services.events = &events_;
  services.sink = &sink_;
  services.log = &log_;
  services.incarnations = this;
  services.store = &store_;
  services.ledger = setup.ledger;
  services.node = admitting_.view;
  services.admission = &admitting_.admission;
  services.on_failure = setup.on_failure;
  return services;
}

AgentUnderTest::Admitting::Admitting(const AgentSetup& setup)
    : view(node_view(setup)), admission({}, budgets, view, node_object(*view, *setup.clock)) {}

AgentUnderTest::AgentUnderTest(const AgentSetup& setup)
    : clock_(*setup.clock),
      listener_(*setup.listener),
      gate_(setup.loop),
      runtime_(gate_, *setup.runtime),
      stream_(gate_, *setup.runtime),
      host_(gate_, *setup.host),
      handlers_(*setup.clock, runtime_, setup.probes),
      store_(gate_, *setup.store),
      sink_(gate_, *setup.sink),
      log_(gate_, *setup.trace, *setup.clock),
      events_(gate_, setup.events),
      folder_{.files = *setup.files,
              .copies = *setup.copies,
              .rules = agent::ManifestFolder(manifest_options())},
      admitting_(setup),
      pods_(services(setup), options(setup)),
      tasks_(setup.loop, setup.on_failure) {
  pods_.start();
  tasks_.spawn("manifests", recover());
  if (!setup.logs_folder.empty())
    extras_.housekeeping.emplace(Housekeeping::Setup{.loop = setup.loop,
                                                     .clock = *setup.clock,
                                                     .log = log_,
                                                     .runtime = runtime_,
                                                     .pods = pods_,
                                                     .ledger = setup.ledger,
                                                     .logs_folder = setup.logs_folder,
                                                     .on_failure = setup.on_failure});
  if (setup.login != nullptr)
    extras_.shutdown.emplace(ShutdownUnderTest::Setup{.loop = setup.loop,
                                                      .clock = *setup.clock,
                                                      .gate = gate_,
                                                      .log = log_,
                                                      .pods = pods_,
                                                      .login = *setup.login,
                                                      .checks = *setup.shutdown,
                                                      .ledger = setup.ledger,
                                                      .on_failure = setup.on_failure});
  if (setup.login != nullptr || setup.resources != nullptr)
    tasks_.spawn("what needs to know what runs", begin_when_ready());
  if (setup.resources == nullptr) return;
  extras_.eviction.emplace(EvictionUnderTest::Setup{.loop = setup.loop,
                                                    .clock = *setup.clock,
                                                    .gate = gate_,
                                                    .log = log_,
                                                    .pods = pods_,
                                                    .resources = *setup.resources,
                                                    .checks = *setup.pressure,
                                                    .ledger = setup.ledger,
                                                    .on_failure = setup.on_failure});
  pods_.set_pressure(&extras_.eviction->refusals());
}

// As berthd does: once the running pods are known.
boost::asio::awaitable<void> AgentUnderTest::begin_when_ready() {
  co_await pods_.until_ready();
  co_await gate_.pass();
  if (extras_.eviction) extras_.eviction->start();
  if (extras_.shutdown) extras_.shutdown->start();
}

boost::asio::awaitable<void> AgentUnderTest::recover() {
  const auto listing = co_await pods_.first_listing();
  co_await gate_.pass();
  folder_.rules.recover(agent::found_pods(listing, pods_.recalled()));
  agent::FolderContent kept{.path = "/last-good-manifests", .exists = true};
  for (auto& [name, text] : agent::joined(folder_.copies))
    kept.files.push_back({.name = name, .content = std::move(text)});
  static_cast<void>(agent::update_blocking(folder_.rules, std::move(kept), clock_.wall_now()));
  folder_.recovered = true;
  read_folder();
}

void AgentUnderTest::read_folder() {
  if (!folder_.recovered || gate_.closed()) return;
  agent::FolderContent content{.path = "/manifests", .exists = true};
  for (const auto& [name, text] : folder_.files)
    content.files.push_back(agent::FolderFile{.name = name, .content = text});
  auto outcome = agent::update_blocking(folder_.rules, std::move(content), clock_.wall_now());
  folder_.copies = folder_.rules.good_texts();
  for (const auto& problem : outcome.new_problems)
    log_.write(LogLevel::kWarn, "InvalidManifest",
               problem.file + ": " + problem.path + ": " + problem.message, {});
  listener_.pods_desired(outcome.desired);
  pods_.set_objects(folder_.rules.pod_objects());
  admitting_.admission.set_namespaces(folder_.rules.stated<api::Namespace>());
  admitting_.budgets.set_stated(folder_.rules.stated<api::PodDisruptionBudget>(), outcome.desired);
  pods_.set_desired(std::move(outcome.desired));
}

bool AgentUnderTest::delete_pod(const api::Pod& pod, std::optional<std::chrono::seconds> grace) {
  const auto& meta = pod.metadata;
  if (!pods_.delete_pod(meta.namespace_, meta.name, grace)) return false;
  tasks_.spawn("answer", answer(meta.uid, std::nullopt));
  return true;
}

std::optional<std::string> AgentUnderTest::set_condition(const api::Pod& pod,
                                                         const api::PodCondition& condition) {
  const auto given = pods_.set_condition(pod.metadata.namespace_, pod.metadata.name, condition);
  if (!given) return std::nullopt;
  const std::string& uid = (*given)->metadata.uid;
  tasks_.spawn("answer", answer(uid, condition));
  return uid;
}

boost::asio::awaitable<void> AgentUnderTest::answer(std::string uid,
                                                    std::optional<api::PodCondition> condition) {
  auto asked = pods_.orders_stored(uid);
  const bool stored = co_await std::move(asked);
  co_await gate_.pass();
  if (!stored) co_return;
  if (condition)
    listener_.condition_stored(uid, *condition);
  else
    listener_.deletion_stored(uid);
}

PodPtr AgentUnderTest::next_incarnation(const api::Pod& ended) {
  if (gate_.closed()) return nullptr;
  auto next = folder_.rules.next_incarnation(ended, clock_.wall_now());
  listener_.follows(ended, next);
  return next;
}

boost::asio::awaitable<void> AgentUnderTest::carry_out_shutdown() {
  if (extras_.shutdown) co_await extras_.shutdown->carry_out();
}

boost::asio::awaitable<void> AgentUnderTest::finish_starts() {
  co_await pods_.finish_starts();
}

boost::asio::awaitable<void> AgentUnderTest::stop() {
  tasks_.request_stop();
  co_await tasks_.join();
  if (extras_.shutdown) co_await extras_.shutdown->stop();
  if (extras_.eviction) co_await extras_.eviction->stop();
  if (extras_.housekeeping) co_await extras_.housekeeping->stop();
  co_await pods_.stop();
}

}  // namespace berth::simulation
