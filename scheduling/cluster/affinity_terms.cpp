// SPDX-License-Identifier: Apache-2.0

#include "scheduling/cluster/affinity_terms.hpp"

#include <algorithm>
#include <expected>
#include <initializer_list>

#include "scheduling/predicates/pod_term.hpp"

namespace berth::scheduling {
namespace {

std::expected<AffinityTerm, std::string> compile(const api::PodAffinityTerm& stated,
                                                 std::int32_t weight, const api::Pod& owner,
                                                 Vocabulary& vocabulary) {
  const auto compiled = compile_pod_term(stated, owner.metadata.namespace_);
  if (!compiled) return std::unexpected(compiled.error());
  AffinityTerm term{.topology_key = vocabulary.name(compiled->topology_key),
                    .selector = vocabulary.selector(compiled->selector),
                    .namespace_selector = vocabulary.selector(compiled->namespace_selector),
                    .weight = weight};
  for (const std::string& name : compiled->namespaces) {
    term.namespaces.push_back(vocabulary.name(name));
  }
  std::sort(term.namespaces.begin(), term.namespaces.end());
  return term;
}

class Compiler {
 public:
  Compiler(const api::Pod& owner, Vocabulary& vocabulary)
      : owner_(owner), vocabulary_(vocabulary) {}

  std::vector<AffinityTerm> required(const std::vector<api::PodAffinityTerm>& stated,
                                     const char* group) {
    return all(
        stated, group, [](const api::PodAffinityTerm& term) { return &term; },
        [](const api::PodAffinityTerm&) { return 0; });
  }

  std::vector<AffinityTerm> preferred(const std::vector<api::WeightedPodAffinityTerm>& stated,
                                      const char* group) {
    return all(
        stated, group,
        [](const api::WeightedPodAffinityTerm& term) { return &term.podAffinityTerm; },
        [](const api::WeightedPodAffinityTerm& term) { return term.weight; });
  }

  // Lists several problems in brackets, without duplicates.
  [[nodiscard]] std::string problem() const {
    if (problems_.size() < 2) return problems_.empty() ? std::string() : problems_.front();
    std::string text = "[";
    for (const std::string& one : problems_) {
      if (text.size() > 1) text += ", ";
      text += one;
    }
    return text + "]";
  }

 private:
  template <class Stated, class TermOf, class WeightOf>
  std::vector<AffinityTerm> all(const std::vector<Stated>& stated, const char* group,
                                TermOf term_of, WeightOf weight_of) {
    std::vector<AffinityTerm> terms;
    for (const Stated& one : stated) {
      auto term = compile(*term_of(one), weight_of(one), owner_, vocabulary_);
      if (!term) {
        problems_.push_back(std::string(group) + ": " + term.error());
        return {};
      }
      terms.push_back(std::move(*term));
    }
    return terms;
  }

  const api::Pod& owner_;
  Vocabulary& vocabulary_;
  std::vector<std::string> problems_{};
};

}  // namespace

std::string AffinityTerms::to_key() const {
  std::string key;
  const auto number = [&](std::uint64_t value) {
    key.append(std::to_string(value)).append(1, ',');
  };
  for (const auto* group : {&required_affinity, &required_anti_affinity, &preferred_affinity,
                            &preferred_anti_affinity}) {
    for (const AffinityTerm& term : *group) {
      number(term.topology_key);
      number(term.selector);
      number(term.namespace_selector);
      number(static_cast<std::uint32_t>(term.weight));
      for (const NameId name : term.namespaces) number(name);
      key += ';';
    }
    key += '|';
  }
  return key;
}

CompiledAffinity compile_affinity(const api::Pod& pod, Vocabulary& vocabulary) {
  if (!pod.spec.affinity) return {};
  const api::Affinity& affinity = *pod.spec.affinity;
  Compiler compiler(pod, vocabulary);
  CompiledAffinity compiled;
  AffinityTerms& terms = compiled.terms;
  if (affinity.podAffinity) {
    terms.required_affinity =
        compiler.required(affinity.podAffinity->requiredDuringSchedulingIgnoredDuringExecution,
                          "requiredAffinityTerms");
  }
  if (affinity.podAntiAffinity) {
    terms.required_anti_affinity =
        compiler.required(affinity.podAntiAffinity->requiredDuringSchedulingIgnoredDuringExecution,
                          "requiredAntiAffinityTerms");
  }
  if (affinity.podAffinity) {
    terms.preferred_affinity =
        compiler.preferred(affinity.podAffinity->preferredDuringSchedulingIgnoredDuringExecution,
                           "preferredAffinityTerms");
  }
  if (affinity.podAntiAffinity) {
    terms.preferred_anti_affinity = compiler.preferred(
        affinity.podAntiAffinity->preferredDuringSchedulingIgnoredDuringExecution,
        "preferredAntiAffinityTerms");
  }
  compiled.problem = compiler.problem();
  return compiled;
}

}  // namespace berth::scheduling
