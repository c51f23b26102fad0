// berthctl get pods [NAME...] [-w]
#include <cstdio>

#include <fmt/format.h>

#include "ctl/command.hpp"
#include "ctl/objects.hpp"
#include "ctl/pod_query.hpp"
#include "ctl/pod_row.hpp"

namespace berth::ctl {
namespace {

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

PodColumns columns_for(const Options& options) {
  return {.with_namespace = options.all_namespaces, .wide = options.output == Output::kWide};
}

bool is_table(Output output) {
  return output == Output::kTable || output == Output::kWide;
}

Outcome print_table(const Options& options, const std::vector<std::string>& pods) {
  std::vector<Row> rows;
  for (const auto& json : pods) {
    const auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    rows.push_back(pod_row(*pod, columns_for(options), now()));
  }
  print_rows(options, pod_header(columns_for(options)), rows);
  return 0;
}

Outcome print_names(const std::vector<std::string>& pods) {
  for (const auto& json : pods) {
    const auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    print(fmt::format("pod/{}\n", pod->metadata.name));
  }
  return 0;
}

Outcome print_documents(const Options& options, const std::vector<std::string>& pods, bool single) {
  const auto text =
      single ? print_object(pods.front(), options.output) : print_list(pods, options.output);
  if (!text) return std::unexpected(text.error());
  print(*text);
  return 0;
}

// Prints pods as they change: the first table with a header, then one line a change.
class PodWatch {
 public:
  explicit PodWatch(const Options& options) : options_(options) {}

  Outcome on_change(const control::v1::PodChange& change) {
    if (change.type() == control::v1::SYNCED) return print_first();
    if (!synced_) {
      first_.push_back(change.pod_json());
      return 0;
    }
    return print_one(change.pod_json());
  }

 private:
  Outcome print_first() {
    synced_ = true;
    if (!is_table(options_.output)) {
      for (const auto& json : first_) {
        if (auto done = print_one(json); !done) return done;
      }
      return 0;
    }
    std::vector<Row> rows;
    if (!options_.no_headers) rows.push_back(pod_header(columns_for(options_)));
    for (const auto& json : first_) {
      const auto pod = pod_from(json);
      if (!pod) return std::unexpected(pod.error());
      rows.push_back(pod_row(*pod, columns_for(options_), now()));
    }
    widths_ = column_widths(rows);
    for (const Row& row : rows) print(format_row(row, widths_));
    return 0;
  }

  Outcome print_one(const std::string& json) {
    if (options_.output == Output::kJson) {  // one object a line
      print(json + "\n");
      return 0;
    }
    if (options_.output == Output::kYaml) {
      const auto text = print_object(json, Output::kYaml);
      if (!text) return std::unexpected(text.error());
      print("---\n" + *text);
      return 0;
    }
    if (options_.output == Output::kName) return print_names({json});
    const auto pod = pod_from(json);
    if (!pod) return std::unexpected(pod.error());
    print(format_row(pod_row(*pod, columns_for(options_), now()), widths_));
    return 0;
  }

  const Options& options_;
  bool synced_ = false;
  std::vector<std::string> first_;
  std::vector<std::size_t> widths_;
};

Outcome watch_pods(Connection& agent, const Options& options, const std::string& name) {
  control::v1::WatchPodsRequest request;
  request.set_namespace_(chosen_namespace(options));
  request.set_all_namespaces(options.all_namespaces);
  request.set_name(name);
  const auto context = Connection::endless_context();
  const auto stream = agent.stub().WatchPods(context.get(), request);
  PodWatch watch(options);
  control::v1::PodChange change;
  while (stream->Read(&change)) {
    if (auto done = watch.on_change(change); !done) {
      context->TryCancel();
      return done;
    }
  }
  const grpc::Status status = stream->Finish();
  if (!status.ok()) return fail(agent.explain(status));
  return 0;
}

}  // namespace

Outcome get_pods(Connection& agent, const Options& options, const std::vector<std::string>& names,
                 bool watch) {
  if (watch) {
    return watch_pods(agent, options, names.empty() ? "" : names.front());
  }
  const auto pods = fetch_pods(agent, options, names);
  if (!pods) return std::unexpected(pods.error());
  if (options.output == Output::kName) return print_names(*pods);
  if (!is_table(options.output)) return print_documents(options, *pods, names.size() == 1);
  if (pods->empty()) {
    const std::string where =
        options.all_namespaces ? "" : fmt::format(" in {} namespace", chosen_namespace(options));
    std::fputs(fmt::format("No resources found{}.\n", where).c_str(), stderr);
    return 0;
  }
  return print_table(options, *pods);
}

}  // namespace berth::ctl
