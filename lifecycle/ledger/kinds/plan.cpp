// SPDX-License-Identifier: Apache-2.0

// What to do next for a pod that should run (plan.hpp).
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lifecycle/ledger/described_runtime.hpp"
#include "lifecycle/ledger/kind.hpp"
#include "lifecycle/ledger/why_words.hpp"
#include "lifecycle/plan.hpp"
#include "lifecycle/pod_spec.hpp"
#include "lifecycle/restart_policy.hpp"

namespace berth::lifecycle {

BOOST_DESCRIBE_STRUCT(ResourceAmounts, (),
                      (cpu_request_milli, cpu_limit_milli, memory_request_bytes,
                       memory_limit_bytes))
BOOST_DESCRIBE_STRUCT(ContainerUpdate, (), (name, id, desired, current))
BOOST_DESCRIBE_STRUCT(PodActions, (),
                      (kill_pod, create_sandbox, attempt, sandbox_id, init_containers_to_start,
                       containers_to_start, ephemeral_containers_to_start, containers_to_kill,
                       containers_to_update_cpu, containers_to_update_memory, update_pod_resources,
                       reasons))
BOOST_DESCRIBE_STRUCT(StartRefusal, (), (container, reason, message, event_message, until))
BOOST_DESCRIBE_STRUCT(Plan, (), (deadline_exceeded, actions, refusals, look_again_at))

BOOST_DESCRIBE_STRUCT(PlanInput, (),
                      (pod, runtime, probes, actuated, restarts, pulls, present_images, start_time,
                       now, restart_policy, pull_policy, options))

namespace {

// What a sentence states, beside its words.
enum class States : std::uint8_t { kNeither, kStart, kEndAndStart, kEnd, kStop };

struct RuleText {
  std::string_view rule{};
  const char* text{};
  States states = States::kNeither;
};

// {who}: the container; {ended}: how its last instance ended; {restart}: which restart it is;
// {policy}: whose restartPolicy, or which of its rules, decides; {again}: whether a killed
// container is restarted; {backoff}: the wait that is over; {text}: the reason's own words.
constexpr std::array kRules = {
    RuleText{"NeverStarted", "{who} is started", States::kStart},
    RuleText{"FirstInitContainer", "{who} is started, the first of the init containers",
             States::kStart},
    RuleText{"InitCompleted", "{who} is started: {text}", States::kStart},
    RuleText{"SidecarStarted", "{who} is started: {text}", States::kStart},
    RuleText{"SidecarExited",
             "{who} is started again{restart}: it {ended}; a sidecar runs as long as its "
             "pod{backoff}",
             States::kEndAndStart},
    RuleText{"SidecarVanished", "{who} is started again: no record of it is left", States::kStart},
    RuleText{"InitFailed", "{who} is tried again{restart}: it {ended}{backoff}",
             States::kEndAndStart},
    RuleText{"InitFailed/over",
             "the pod has failed: {who} {ended}, and {policy} forbids another try", States::kEnd},
    RuleText{"InitUnknown",
             "the pod has failed: the state of {who} is unknown, and restartPolicy {policy} "
             "forbids another try"},
    RuleText{"CreatedOnly", "{who} is started: it was created, but not started yet",
             States::kStart},
    RuleText{"Exited", "{who} is started again{restart}: it {ended}; {policy}{backoff}",
             States::kEndAndStart},
    RuleText{"StateUnknown",
             "{who} is stopped and started again: the runtime does not know its state",
             States::kStop},
    RuleText{"SpecChanged", "{who} is stopped: its definition changed{again}", States::kStop},
    RuleText{"LivenessProbeFailed", "{who} is stopped: it failed its liveness probe{again}",
             States::kStop},
    RuleText{"StartupProbeFailed", "{who} is stopped: it failed its startup probe{again}",
             States::kStop},
    RuleText{"ResizeRestarts", "{who} is stopped: its new resources need a restart{again}",
             States::kStop},
    RuleText{"Resized", "{who} gets its new resources without a restart"},
    RuleText{"Completed", "the pod has finished: every container has succeeded"},
    RuleText{"NeverRestarted", "the pod has finished: {text}"},
};

const RuleText* rule_text(std::string_view rule) {
  const auto* found = std::ranges::find(kRules, rule, &RuleText::rule);
  return found == kRules.end() ? nullptr : found;
}

class PlanDescription {
 public:
  PlanDescription(const LedgerRecord& record, const RecordedPlan& recorded, WallTime now)
      : record_(record), question_(recorded.question), plan_(recorded.plan), now_(now) {}

  std::vector<Sentence> sentences() {
    for (const Reason& reason : record_.reasons) {
      if (reason.rule == kDeadlineExceeded) {
        describe_deadline();
      } else if (reason.subject == "sandbox") {
        describe_sandbox(reason);
      } else if (const StartRefusal* refusal = refusal_of(reason.subject)) {
        // Why it should start is stated together with why it has not started yet.
        if (reason.rule == refusal->reason) describe_refusal(*refusal);
      } else if (reason.rule == "NothingLeftToRun") {
        describe_over();
      } else if (!comes_again(reason.rule)) {
        describe_rule(reason);
      }
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] const StartRefusal* refusal_of(const std::string& container) const {
    const auto found = std::ranges::find(plan_.refusals, container, &StartRefusal::container);
    return found == plan_.refusals.end() ? nullptr : &*found;
  }

  // Whether the sentence follows again once the sandbox exists.
  [[nodiscard]] bool comes_again(std::string_view rule) const {
    return plan_.actions.create_sandbox && (rule == "FirstInitContainer" || rule == "NewSandbox");
  }

  Sentence& add(const std::string& container, std::string_view rule, std::string text) {
    const RuntimeContainer* shown = question_.runtime->newest(container);
    const bool exited = shown != nullptr && shown->state == cri::ContainerState::kExited;
    Sentence& sentence = out_.emplace_back();
    sentence.at = record_.at;
    sentence.container = container == "pod" ? "" : container;
    sentence.text = std::move(text);
    sentence.key = fmt::format("{}|{}|{}", container, rule, exited ? shown->exit_code : 0);
    sentence.occasion = occasion(shown);
    return sentence;
  }

  // The instance that the sentence is about, or else the sandbox.
  [[nodiscard]] std::string occasion(const RuntimeContainer* shown) const {
    if (shown != nullptr)
      return fmt::format("{}/{}/{}/{}", shown->id.str(), shown->restart_count, shown->started_at,
                         shown->finished_at);
    if (question_.runtime->sandboxes.empty()) return "begin";
    const RuntimeSandbox& newest = question_.runtime->sandboxes.front();
    return fmt::format("{}/{}/{}", newest.id.str(), newest.attempt, newest.created_at);
  }

  [[nodiscard]] std::string ended(const std::string& container) const {
    const RuntimeContainer* shown = question_.runtime->newest(container);
    const std::string text = shown == nullptr ? "" : ended_text(*shown, now_);
    return text.empty() ? "ended" : text;
  }

  [[nodiscard]] std::string again(const std::string& container) const {
    const auto starts = [&](const std::vector<std::size_t>& indexes, const auto& containers) {
      // A damaged record may name a container that its pod does not have.
      return std::ranges::any_of(indexes, [&](std::size_t i) {
        return i < containers.size() && containers[i].name == container;
      });
    };
    const bool back =
        starts(plan_.actions.containers_to_start, question_.pod->spec.containers) ||
        starts(plan_.actions.init_containers_to_start, question_.pod->spec.initContainers);
    if (back) return "; then it is started again";
    return fmt::format("; {}: it stays stopped", policy(container, std::nullopt));
  }

  // A sidecar's Always only marks it as a sidecar, and decides nothing else.
  [[nodiscard]] std::string policy(const std::string& container,
                                   std::optional<std::int32_t> exit_code) const {
    const api::Container* spec = find_container(question_.pod, container);
    if (spec == nullptr) spec = find_init_container(question_.pod, container);
    const bool own = question_.options.container_restart_rules && spec != nullptr &&
                     spec->restartPolicy && !is_sidecar(*spec);
    if (!own) return "restartPolicy " + question_.pod->spec.restartPolicy;
    const auto rule = exit_code ? deciding_restart_rule(restart_rules(*spec), *exit_code)
                                : std::optional<std::size_t>{};
    if (rule) return fmt::format("its own restartPolicyRules[{}] says Restart", *rule);
    return "its own restartPolicy " + *spec->restartPolicy;
  }

  [[nodiscard]] std::string policy_of(const std::string& container) const {
    const RuntimeContainer* shown = question_.runtime->newest(container);
    const bool exited = shown != nullptr && shown->state == cri::ContainerState::kExited;
    return policy(container, exited ? std::optional(shown->exit_code) : std::nullopt);
  }

  void describe_rule(const Reason& reason) {
    const bool over = reason.rule == "InitFailed" && plan_.actions.kill_pod;
    const RuleText* rule = rule_text(over ? "InitFailed/over" : reason.rule);
    if (rule == nullptr) {
      add(reason.subject, reason.rule,
          reason.subject == "pod"
              ? reason.text
              : fmt::format("{}: {}", container_text(&*question_.pod, reason.subject),
                            reason.text));
      return;
    }
    const RuntimeContainer* shown = question_.runtime->newest(reason.subject);
    const RestartIdentity identity = identity_in(question_.pod, reason.subject);
    const auto window = question_.restarts->entries.find(identity.key());
    const std::string backoff =
        window == question_.restarts->entries.end()
            ? ""
            : fmt::format("; its backoff of {} is over",
                          span_text(window_of(window->second, question_.restart_policy)));
    Sentence& sentence = add(
        reason.subject, reason.rule,
        fmt::format(
            fmt::runtime(rule->text),
            fmt::arg("who", container_text(&*question_.pod, reason.subject)),
            fmt::arg("ended", ended(reason.subject)),
            fmt::arg("restart",
                     shown == nullptr
                         ? std::string{}
                         : fmt::format(" (restart {})", std::int64_t{shown->restart_count} + 1)),
            fmt::arg("policy", policy_of(reason.subject)), fmt::arg("again", again(reason.subject)),
            fmt::arg("backoff", backoff), fmt::arg("text", reason.text)));
    sentence.reports_exit = rule->states == States::kEnd || rule->states == States::kEndAndStart;
    sentence.reports_start = rule->states == States::kStart || rule->states == States::kEndAndStart;
    sentence.first_start = reason.rule == "NeverStarted";
    sentence.reports_stop = rule->states == States::kStop;
  }

  void describe_sandbox(const Reason& reason) {
    if (!plan_.actions.create_sandbox) return;  // the pod is over, which has its own reason
    if (reason.rule == "NoSandbox") {
      add("pod", reason.rule, "the pod begins: berthd creates its sandbox");
      return;
    }
    add("pod", reason.rule,
        fmt::format("{}: berthd stops what runs in it, and creates a new one", reason.text));
  }

  void describe_refusal(const StartRefusal& refusal) {
    const std::string who = container_text(&*question_.pod, refusal.container);
    const std::string when = clock_text(refusal.until, now_);
    if (refusal.reason == kCrashLoopBackOff) {
      const std::string backoff = backoff_text(question_.restarts, question_.restart_policy,
                                               identity_in(question_.pod, refusal.container));
      Sentence& sentence = add(
          refusal.container, refusal.reason,
          fmt::format("{} {}; next start {} ({})", who, ended(refusal.container), when, backoff));
      sentence.reports_exit = true;
      sentence.occasion += until_text(refusal);
      return;
    }
    const std::string image = identity_in(question_.pod, refusal.container).image;
    const auto failure = question_.pulls->entries.find({question_.pod->metadata.uid, image});
    const std::string why = failure == question_.pulls->entries.end() ? "" : failure->second.reason;
    Sentence& sentence = add(
        refusal.container, refusal.reason,
        fmt::format("{} waits, because its image {} could not be pulled ({}); next pull {} ({})",
                    who, image, why, when,
                    pull_backoff_text(question_.pulls, question_.pod, refusal.container)));
    sentence.occasion += until_text(refusal);
  }

  // Each window is a separate wait.
  static std::string until_text(const StartRefusal& refusal) {
    return fmt::format(" until {}", refusal.until.time_since_epoch().count());
  }

  void describe_over() {
    std::vector<std::string> ends;
    for (const api::Container& container : question_.pod->spec.containers) {
      ends.push_back(fmt::format("{} {}", container_text(&*question_.pod, container.name),
                                 ended(container.name)));
    }
    constexpr std::size_t kNamed = 4;  // more would obscure the point
    const std::string list = ends.size() > kNamed
                                 ? fmt::format("all {} containers have ended", ends.size())
                                 : fmt::format("{}", fmt::join(ends, "; "));
    const std::string& policy = question_.pod->spec.restartPolicy;
    const bool own =
        question_.options.container_restart_rules && has_own_restart_policy(question_.pod);
    add("pod", "NothingLeftToRun",
        fmt::format("the pod has finished: {}; {} no container again", list,
                    own ? "the containers' own restart policies start"
                        : fmt::format("restartPolicy {} starts", policy)));
  }

  void describe_deadline() {
    const auto seconds = question_.pod->spec.activeDeadlineSeconds.value_or(0);
    add("pod", kDeadlineExceeded,
        fmt::format("the pod is stopped: it has been active for longer than its "
                    "activeDeadlineSeconds, {}",
                    span_text(std::chrono::seconds(seconds))));
  }

  const LedgerRecord& record_;
  const PlanInput& question_;
  const Plan& plan_;
  WallTime now_;
  std::vector<Sentence> out_{};
};

bool is_quiet(const Plan& plan) {
  return !plan.deadline_exceeded && plan.refusals.empty() && is_idle(plan.actions);
}

// After a start or a kill, a plan without actions is expected; after a wait it is news.
std::optional<News> news(const PlanInput& /*question*/, const Plan& plan) {
  return News{.says = value_hash(plan), .quiet = is_quiet(plan), .waits = !plan.refusals.empty()};
}

std::vector<Sentence> describe(const Decoded<PlanInput, Plan>& decoded) {
  auto& newest = decoded.context.so_far.plan;
  newest = RecordedPlan{.question = decoded.question, .plan = decoded.decision};
  return PlanDescription(decoded.record, *newest, decoded.context.now).sentences();
}

}  // namespace

template <>
const KindOf<PlanInput, Plan>& kind_of() {
  static const RecordedKind kKind(Kind<PlanInput, Plan>{
      .name = "plan",
      .decide = plan,
      .reasons = [](const auto& /*input*/, const auto& plan) { return plan.actions.reasons; },
      .taken_at = [](const auto& input) { return input.now; },
      .next = [](const auto& /*input*/, const auto& plan,
                 WallTime /*at*/) { return plan.look_again_at; },
      .news = news,
      .describe = describe});
  return kKind;
}

}  // namespace berth::lifecycle
