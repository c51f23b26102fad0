#include "lifecycle/ledger/record_codec.hpp"

#include <algorithm>
#include <utility>

#include "lifecycle/ledger/decision_describe.hpp"
#include "lifecycle/ledger/strict_json.hpp"
#include "lifecycle/pod_spec.hpp"

namespace berth::lifecycle {
namespace {

namespace json = boost::json;

constexpr std::string_view kDigest = "digest";

// Pods are deep, but not endlessly: what a manifest may hold, with room for the record around it.
constexpr std::size_t kMaxDepth = 128;

Result<json::value> parsed(std::string_view text, std::string_view what) {
  json::parse_options options;
  options.max_depth = kMaxDepth;
  boost::system::error_code error;
  json::value value = json::parse(text, error, {}, options);
  if (!error) return value;
  return fail(ErrorCode::kInvalid,
              fmt::format("the {} of the record is not JSON: {}", what, error.message()));
}

// One text for one value: members sorted, so that a record may pass through other tools.
using Members = std::vector<std::pair<std::string_view, const json::value*>>;

Members sorted_members(const json::object& object) {
  Members members;
  members.reserve(object.size());
  for (const auto& member : object) members.emplace_back(member.key(), &member.value());
  std::ranges::sort(members);
  return members;
}

void append_canonical(const json::value& value, std::string& out);

void append_members(const Members& members, std::string& out) {
  out += '{';
  for (const auto& [name, member] : members) {
    out += json::serialize(name);
    out += ':';
    append_canonical(*member, out);
    out += ',';
  }
  out += '}';
}

void append_canonical(const json::value& value, std::string& out) {
  if (const auto* object = value.if_object()) {
    append_members(sorted_members(*object), out);
  } else if (const auto* list = value.if_array()) {
    out += '[';
    for (const json::value& item : *list) {
      append_canonical(item, out);
      out += ',';
    }
    out += ']';
  } else {
    out += json::serialize(value);
  }
}

// FNV-1a, 64 bits: guards against loss, not against an adversary.
std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

json::value without_status(const api::Pod& pod) {
  json::value value = api::to_json(pod);
  value.as_object().erase("status");
  return value;
}

template <class T>
Result<T> input_values(std::string_view text) {
  const auto input = recorded_input(text);
  if (!input) return fail(input.error());
  T out{};
  strict_json::Reader reader;
  reader.read(input->value, out, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, *reader.problem());
  if (auto changed = changed_inputs(*input)) return fail(std::move(*changed));
  return out;
}

template <class T>
Result<T> output_value(std::string_view text) {
  auto value = parsed(text, "output");
  if (!value) return fail(value.error());
  T out{};
  strict_json::Reader reader;
  reader.read(*value, out, "");
  if (reader.problem()) return fail(ErrorCode::kInvalid, "output: " + *reader.problem());
  return out;
}

}  // namespace

std::string input_digest(const json::object& input) {
  std::string text;
  Members members = sorted_members(input);
  std::erase_if(members, [](const auto& member) { return member.first == kDigest; });
  append_members(members, text);
  return fmt::format("{:016x}", fnv1a(text));
}

std::string with_digest(json::object input) {
  std::string digest = input_digest(input);
  input.emplace(kDigest, std::move(digest));
  return json::serialize(input);
}

Result<RecordedInput> recorded_input(std::string_view text) {
  auto value = parsed(text, "input");
  if (!value) return fail(value.error());
  if (!value->is_object()) {
    return fail(ErrorCode::kInvalid, "the input of the record is not an object");
  }
  json::object& input = value->get_object();
  const json::value* digest = input.if_contains(kDigest);
  if (digest == nullptr || !digest->is_string()) {
    return fail(ErrorCode::kInvalid, "digest: this input is missing");
  }
  RecordedInput out{.stated = std::string(digest->get_string()), .actual = input_digest(input)};
  input.erase(kDigest);
  out.value = std::move(*value);
  return out;
}

std::optional<Error> changed_inputs(const RecordedInput& input) {
  if (input.stated == input.actual) return std::nullopt;
  return Error{ErrorCode::kInvalid,
               fmt::format("the inputs are not those that were recorded: their digest is {}, "
                           "the record says {}",
                           input.actual, input.stated)};
}

std::string input_json(const PlanInput& input) {
  using strict_json::write;
  // All of them: a new member of PlanInput does not compile here until it is recorded.
  const auto& [pod, runtime, probes, actuated, restarts, pulls, present_images, start_time, now,
               restart_policy, pull_policy, options] = input;
  return with_digest({{"pod", without_status(input.pod)},
                      {"runtime", write(runtime)},
                      {"probes", write(probes)},
                      {"actuated", write(actuated)},
                      {"restarts", write(restarts)},
                      {"pulls", write(pulls)},
                      {"present_images", write(present_images)},
                      {"start_time", write(start_time)},
                      {"now", write(now)},
                      {"restart_policy", write(restart_policy)},
                      {"pull_policy", write(pull_policy)},
                      {"options", write(options)}});
}

std::string input_json(const StopsInput& input) {
  return with_digest({{"pod", without_status(input.pod)},
                      {"containers", strict_json::write(input.containers)},
                      {"now", strict_json::write(input.now)}});
}

std::string input_json(const AdmissionInput& input) {
  json::value node = api::to_json(input.node);
  if (json::value* status = node.as_object().if_contains("status")) {
    status->as_object().erase("images");
  }
  json::array active;
  for (const api::Pod* pod : input.active) active.push_back(without_status(counted_part(*pod)));
  return with_digest({{"config", strict_json::write(input.config)},
                      {"host", strict_json::write(input.host)},
                      {"node", std::move(node)},
                      {"active", std::move(active)},
                      {"pod", without_status(input.pod)}});
}

std::string input_json(const PhaseQuestion& question) {
  using strict_json::write;
  const auto& [pod, statuses, starting_again, pod_is_terminal, pod_has_initialized, options,
               previous, known, deadline_exceeded, finalised, shown_before, containers_may_run] =
      question;
  json::array parts;
  for (const api::ContainerStatus& status : statuses) parts.push_back(write(phase_part(status)));
  return with_digest({{"pod", without_status(phase_part(pod))},
                      {"statuses", std::move(parts)},
                      {"starting_again", write(starting_again)},
                      {"pod_is_terminal", pod_is_terminal},
                      {"pod_has_initialized", pod_has_initialized},
                      {"options", write(options)},
                      {"previous", previous},
                      {"known", known},
                      {"deadline_exceeded", deadline_exceeded},
                      {"finalised", finalised},
                      {"shown_before", shown_before},
                      {"containers_may_run", containers_may_run}});
}

std::string input_json(const GraceQuestion& question) {
  using strict_json::write;
  const auto& [pod, previous, override_seconds, cause, forced, requested_at] = question;
  return with_digest({{"pod", without_status(grace_part(pod))},
                      {"previous", previous},
                      {"override_seconds", write(override_seconds)},
                      {"cause", write(cause)},
                      {"forced", forced},
                      {"requested_at", write(requested_at)}});
}

std::string input_json(const ImageQuestion& question) {
  const auto& [pod, container, image, policy, present] = question;
  return with_digest({{"pod", without_status(named_part(pod))},
                      {"container", container},
                      {"image", image},
                      {"policy", policy},
                      {"present", present}});
}

std::string input_json(const PreStopQuestion& question) {
  const auto& [pod, container, situation, now] = question;
  return with_digest({{"pod", without_status(named_part(pod))},
                      {"container", container},
                      {"situation", strict_json::write(situation)},
                      {"now", strict_json::write(now)}});
}

std::string input_json(const DeletionQuestion& question) {
  const auto& [pod, situation] = question;
  return with_digest(
      {{"pod", without_status(named_part(pod))}, {"situation", strict_json::write(situation)}});
}

std::string input_json(const CollectionQuestion& question) {
  const auto& [pod, finished, before, threshold] = question;
  return with_digest({{"pod", without_status(named_part(pod))},
                      {"finished", finished},
                      {"before", before},
                      {"threshold", threshold}});
}

std::string input_json(const LossQuestion& question) {
  const auto& [pod, had_containers, judged, ending] = question;
  return with_digest({{"pod", without_status(loss_part(pod))},
                      {"had_containers", had_containers},
                      {"judged", judged},
                      {"ending", ending}});
}

std::string output_json(const Plan& plan) {
  return json::serialize(strict_json::write(plan));
}

std::string output_json(const TerminationStep& step) {
  return json::serialize(strict_json::write(step));
}

std::string output_json(const node::Admission& admission) {
  return json::serialize(strict_json::write(admission));
}

std::string output_json(const PhaseDecision& decision) {
  return json::serialize(strict_json::write(decision));
}

std::string output_json(const GraceDecision& decision) {
  return json::serialize(strict_json::write(decision));
}

std::string output_json(const ImageDecision& decision) {
  return json::serialize(strict_json::write(decision));
}

std::string output_json(const PreStopStep& step) {
  return json::serialize(strict_json::write(step));
}

std::string output_json(const DeletionPeriod& period) {
  return json::serialize(strict_json::write(period));
}

std::string output_json(const CollectionDecision& decision) {
  return json::serialize(strict_json::write(decision));
}

std::string output_json(const LossDecision& decision) {
  return json::serialize(strict_json::write(decision));
}

Result<PlanValues> plan_values(std::string_view input_json) {
  return input_values<PlanValues>(input_json);
}

Result<StopsValues> stops_values(std::string_view input_json) {
  return input_values<StopsValues>(input_json);
}

Result<AdmissionValues> admission_values(std::string_view input_json) {
  return input_values<AdmissionValues>(input_json);
}

Result<PhaseValues> phase_values(std::string_view input_json) {
  return input_values<PhaseValues>(input_json);
}

Result<GraceValues> grace_values(std::string_view input_json) {
  return input_values<GraceValues>(input_json);
}

Result<ImageValues> image_values(std::string_view input_json) {
  return input_values<ImageValues>(input_json);
}

Result<PreStopValues> pre_stop_values(std::string_view input_json) {
  return input_values<PreStopValues>(input_json);
}

Result<DeletionValues> deletion_values(std::string_view input_json) {
  return input_values<DeletionValues>(input_json);
}

Result<CollectionValues> collection_values(std::string_view input_json) {
  return input_values<CollectionValues>(input_json);
}

Result<LossValues> loss_values(std::string_view input_json) {
  return input_values<LossValues>(input_json);
}

Result<Plan> recorded_plan(std::string_view output_json) {
  return output_value<Plan>(output_json);
}

Result<TerminationStep> recorded_stops(std::string_view output_json) {
  return output_value<TerminationStep>(output_json);
}

Result<node::Admission> recorded_admission(std::string_view output_json) {
  return output_value<node::Admission>(output_json);
}

Result<PhaseDecision> recorded_phase(std::string_view output_json) {
  return output_value<PhaseDecision>(output_json);
}

Result<GraceDecision> recorded_grace(std::string_view output_json) {
  return output_value<GraceDecision>(output_json);
}

Result<ImageDecision> recorded_image(std::string_view output_json) {
  return output_value<ImageDecision>(output_json);
}

api::Pod counted_part(const api::Pod& pod) {
  api::Pod out = named_part(pod);
  const auto counted = [](const std::vector<api::Container>& containers) {
    std::vector<api::Container> kept;
    for (const api::Container& container : containers) {
      api::Container& part = kept.emplace_back();
      part.name = container.name;
      part.ports = container.ports;
      part.resources = container.resources;
      part.restartPolicy = container.restartPolicy;
    }
    return kept;
  };
  out.spec.containers = counted(pod.spec.containers);
  out.spec.initContainers = counted(pod.spec.initContainers);
  out.spec.resources = pod.spec.resources;
  out.spec.overhead = pod.spec.overhead;
  return out;
}

}  // namespace berth::lifecycle
