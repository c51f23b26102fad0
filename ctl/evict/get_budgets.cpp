// SPDX-License-Identifier: Apache-2.0

// berthctl get poddisruptionbudgets [NAME...]
#include <algorithm>
#include <cstdio>

#include <fmt/format.h>

#include "api/codec.hpp"
#include "ctl/command.hpp"
#include "ctl/evict/budget_row.hpp"
#include "ctl/object_text.hpp"

namespace berth::ctl {
namespace {

struct Found {
  api::PodDisruptionBudget budget{};
  std::string json{};
};

Result<std::vector<Found>> fetch(Connection& agent, const Options& options) {
  control::v1::ListBudgetsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_all_namespaces(options.all_namespaces);
  control::v1::ListBudgetsReply reply;
  const auto context = agent.context();
  const grpc::Status status = agent.stub().ListBudgets(context.get(), request, &reply);
  if (!status.ok()) return fail(agent.explain(status));
  std::vector<Found> found;
  for (const std::string& json : reply.budgets_json()) {
    auto budget = api::from_json_text<api::PodDisruptionBudget>(json);
    if (!budget) return fail(budget.error());
    found.push_back({.budget = std::move(*budget), .json = json});
  }
  return found;
}

// The named ones, in the order of the names.
Result<std::vector<Found>> named(const std::vector<Found>& all, const Options& options,
                                 const std::vector<std::string>& names) {
  std::vector<Found> chosen;
  for (const std::string& name : names) {
    const auto one = std::ranges::find_if(
        all, [&](const Found& found) { return found.budget.metadata.name == name; });
    if (one == all.end())
      return fail(ErrorCode::kNotFound,
                  fmt::format("poddisruptionbudgets \"{}\" not found in namespace \"{}\"", name,
                              chosen_namespace(options)));
    chosen.push_back(*one);
  }
  return chosen;
}

Outcome print_objects(const Options& options, const std::vector<Found>& found, bool one) {
  std::vector<std::string> objects;
  for (const Found& budget : found) objects.push_back(budget.json);
  const auto text =
      one ? object_text(objects.front(), options.output) : list_text(objects, options.output);
  if (!text) return fail(text.error());
  print(*text);
  return 0;
}

}  // namespace

Outcome get_budgets(Connection& agent, const Options& options,
                    const std::vector<std::string>& names) {
  auto found = fetch(agent, options);
  if (found && !names.empty()) found = named(*found, options, names);
  if (!found) return fail(found.error());
  if (options.output == Output::kJson || options.output == Output::kYaml)
    return print_objects(options, *found, names.size() == 1);
  const auto with_namespace = options.all_namespaces ? WithNamespace::kYes : WithNamespace::kNo;
  std::vector<Row> rows;
  for (const Found& one : *found) {
    if (options.output == Output::kName)
      print(fmt::format("poddisruptionbudget.policy/{}\n", one.budget.metadata.name));
    else
      rows.push_back(budget_row(one.budget, with_namespace, now()));
  }
  if (found->empty()) std::fputs("No resources found.\n", stderr);
  if (!rows.empty()) print_rows(options, budget_header(with_namespace), rows);
  return 0;
}

}  // namespace berth::ctl
