// SPDX-License-Identifier: Apache-2.0

// A container's environment and command: variables that refer to each other, to ConfigMaps, Secrets
// and fields.
//
// One item per line: "NAME=VALUE" is a variable; others start with one of the words below. "long"
// and "too-long" repeat the rest of their line up to the length that is expanded, and beyond: no
// input of the fuzzer is that long itself.
#include <map>
#include <memory>
#include <vector>

#include "node/container/environment.hpp"
#include "tests/fuzz/fuzz_target.hpp"

namespace berth::fuzz {
namespace {

using node::Variables;

constexpr std::size_t kFewWords = 4;  // before a long one: each costs milliseconds

struct Asked {
  api::Pod pod{};
  api::ConfigMap map{};
  api::Secret secret{};
  std::vector<api::Service> services{};
  std::vector<std::string> words{};
  std::vector<std::string> sub_paths{};

  [[nodiscard]] api::Container& container() { return pod.spec.containers.front(); }
};

std::pair<std::string, std::string> cut(std::string_view text, char at) {
  const auto found = text.find(at);
  if (found == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, found)), std::string(text.substr(found + 1))};
}

api::EnvVar from_key(const std::string& name, const std::string& key, bool secret) {
  api::EnvVar variable{.name = name};
  auto& from = variable.valueFrom.emplace();
  if (secret) {
    from.secretKeyRef = api::SecretKeySelector{.name = "all", .key = key};
  } else {
    from.configMapKeyRef = api::ConfigMapKeySelector{.name = "all", .key = key};
  }
  return variable;
}

api::Service service_of(const std::string& name, const std::string& address) {
  api::Service service;
  service.metadata.name = name;
  service.metadata.namespace_ = "default";
  service.spec.clusterIP = address;
  service.spec.ports.push_back({.name = "web-port", .port = 80});
  return service;
}

std::string repeated(const std::string& piece, bool beyond) {
  std::string out;
  while (!piece.empty() && out.size() + piece.size() <= node::kLongestText) out += piece;
  return beyond ? out + piece : out;
}

void take(Asked& asked, std::string_view line) {
  const auto [word, rest] = cut(line, ' ');
  const auto [name, value] = cut(rest, '=');
  if (word == "map") {
    asked.map.data[name] = value;
  } else if (word == "secret") {
    asked.secret.data[name].data = value;
  } else if (word == "all-of-map") {
    asked.container().envFrom.push_back(
        {.prefix = name, .configMapRef = api::ConfigMapEnvSource{.name = "all"}});
  } else if (word == "all-of-secret") {
    asked.container().envFrom.push_back(
        {.prefix = name, .secretRef = api::SecretEnvSource{.name = value.empty() ? "all" : value}});
  } else if (word == "of-map" || word == "of-secret") {
    asked.container().env.push_back(from_key(name, value, word == "of-secret"));
  } else if (word == "of-field") {
    api::EnvVar variable{.name = name};
    variable.valueFrom.emplace().fieldRef = api::ObjectFieldSelector{.fieldPath = value};
    asked.container().env.push_back(std::move(variable));
  } else if (word == "service") {
    asked.services.push_back(service_of(name, value));
  } else if (word == "word") {
    asked.words.push_back(rest);
  } else if (word == "long" || word == "too-long") {
    if (asked.words.size() < kFewWords) asked.words.push_back(repeated(rest, word != "long"));
  } else if (word == "sub-path") {
    asked.sub_paths.push_back(rest);
  } else {
    auto [variable, text] = cut(line, '=');
    asked.container().env.push_back({.name = std::move(variable), .value = std::move(text)});
  }
}

Asked read(std::string_view text) {
  Asked asked;
  asked.pod.metadata.name = "web";
  asked.pod.metadata.namespace_ = asked.map.metadata.namespace_ = asked.secret.metadata.namespace_ =
      "default";
  asked.pod.metadata.labels["tier"] = "$(A)";
  asked.map.metadata.name = asked.secret.metadata.name = "all";
  asked.pod.spec.enableServiceLinks = true;
  asked.pod.spec.containers.push_back({.name = "app"});
  while (!text.empty()) {
    const auto end = text.find('\n');
    take(asked, text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return asked;
}

std::string twice(std::string_view text, char doubled) {
  std::string out;
  for (const char c : text) out.append(c == doubled ? 2 : 1, c);
  return out;
}

void check_variables(const Variables& variables) {
  std::size_t bytes = 0;
  for (const auto& [name, value] : variables) {
    const std::size_t size = name.size() + value.size() + 1;
    require(size <= node::kLongestString, "a variable keeps to its limit", name);
    bytes += size + 1;
  }
  require(bytes <= node::kMostStringBytes, "an environment keeps to its limit");
}

// The values of variables whose last definition refers to nothing.
void check_plain_values(const Asked& asked, const Variables& variables) {
  std::map<std::string, const api::EnvVar*> last;
  for (const auto& variable : asked.pod.spec.containers.front().env) {
    last[variable.name] = &variable;
  }
  for (const auto& [name, variable] : last) {
    if (variable->value.empty() || variable->value.find('$') != std::string::npos) continue;
    const auto found = variables.find(name);
    require(found != variables.end() && found->second == variable->value,
            "a value without references is as it was written", name);
  }
}

void check_text(const std::string& text, const Variables& variables) {
  const auto plain = node::expand_command({twice(text, '$')}, variables);
  if (text.size() <= node::kLongestString) {
    require(plain && plain->front() == text, "$$ is a dollar and nothing else", text);
  } else {
    require(!plain.has_value(), "a string keeps to its limit");
  }
  const auto nothing = node::expand_variables(
      text, [](const std::string& name) { return std::optional<std::string>("$(" + name + ")"); });
  const auto unknown = node::expand_command({text}, {});
  require(nothing.has_value() == unknown.has_value() && (!nothing || *nothing == unknown->front()),
          "a reference to what is not there stays as it was written", text);
  const auto path = node::expand_sub_path(text, variables);
  const auto word = node::expand_command({text}, variables);
  if (path) {
    require(word && word->front() == *path, "a subPathExpr is expanded as a word is", text);
  } else {
    require(!path.error().message.empty(), "an error has words");
  }
}

void check_words(const std::vector<std::string>& words, const Variables& variables) {
  const auto expanded = node::expand_command(words, variables);
  const auto probed = node::expand_probe_command(words, variables);
  require(probed == (expanded ? *expanded : words), "a probe's words are a command's, or stay");
  if (!expanded) {
    require(expanded.error().message.starts_with("word "), "an error names the word",
            expanded.error().message);
    return;
  }
  require(expanded->size() == words.size(), "words stay words");
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = (*expanded)[i];
    require(word.size() <= node::kLongestString, "a word keeps to its limit");
    bytes += word.size() + 1;
    const auto alone = node::expand_command({words[i]}, variables);
    require(alone && alone->front() == word, "words do not depend on each other");
    if (words[i].find('$') == std::string::npos) require(word == words[i], "a plain word stays");
  }
  require(bytes <= node::kMostStringBytes, "a command keeps to its limit");
}

void check_error(const Error& error) {
  bool named = false;
  for (const char* about : {"env variable ", "configmaps \"", "secrets \"", "couldn't find key ",
                            "field label ", "unsupported fieldPath: "}) {
    named = named || error.message.starts_with(about);
  }
  require(named, "an error names what it is about", error.message);
}

}  // namespace
}  // namespace berth::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const fuzz::Asked asked = fuzz::read(fuzz::text_of(data, size));
  const node::EnvironmentSources sources{
      .pod_ips = {"10.0.0.5", "fd00::5"},
      .host_ips = {"10.0.0.1"},
      .services = asked.services,
      .objects = node::make_objects({asked.map}, {asked.secret})};
  const auto& container = asked.pod.spec.containers.front();
  const auto made = node::container_environment(asked.pod, container, sources);
  const auto again = node::container_environment(asked.pod, container, sources);
  fuzz::require(made == again, "the same gives the same");
  if (!made) fuzz::check_error(made.error());
  const node::Variables variables = made ? *made : node::Variables{{"A", "$(B)"}, {"B", "b"}};
  if (made) {
    fuzz::check_variables(variables);
    fuzz::check_plain_values(asked, variables);
  }
  fuzz::check_words(asked.words, variables);
  for (const auto* texts : {&asked.words, &asked.sub_paths}) {
    for (const std::string& text : *texts) fuzz::check_text(text, variables);
  }
  return 0;
}
