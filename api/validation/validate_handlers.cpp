// SPDX-License-Identifier: Apache-2.0

// Probes and lifecycle hooks: their handlers and numbers.
#include <algorithm>

#include "api/validation/validate_pod_parts.hpp"
#include "api/validation/validate_values.hpp"

namespace berth::api {

namespace {

void check_exec(FieldErrors& errors, const FieldPath& path, const ExecAction& exec) {
  if (exec.command.empty()) errors.push_back(required(path / "command"));
}

void check_port(FieldErrors& errors, const FieldPath& path, const IntOrString& port) {
  if (port.is_int()) {
    add_invalid(errors, path, number(port.int_value()), grammar::port_number(port.int_value()));
  } else {
    check_text(errors, path, port.string_value(), grammar::port_name);
  }
}

void check_http_get(FieldErrors& errors, const FieldPath& path, const HTTPGetAction& get) {
  require(errors, path / "path", get.path);
  check_port(errors, path / "port", get.port);
  check_one_of(errors, path / "scheme", get.scheme, {"HTTP", "HTTPS"});
  for (const HTTPHeader& header : get.httpHeaders) {
    check_text(errors, path / "httpHeaders", header.name, grammar::http_header_name);
  }
}

void check_sleep(FieldErrors& errors, const FieldPath& path, const SleepAction& sleep,
                 std::int64_t grace_seconds) {
  if (sleep.seconds >= 0 && sleep.seconds <= grace_seconds) return;
  errors.push_back(invalid(path, number(sleep.seconds),
                           "must be non-negative and less than terminationGracePeriodSeconds (" +
                               std::to_string(grace_seconds) + ")"));
}

// Checks the first handler; reports each further one as one too many.
class OneHandler {
 public:
  OneHandler(FieldErrors& errors, const FieldPath& path) : errors_(errors), path_(path) {}

  bool takes(bool present, std::string_view name) {
    if (!present) return false;
    if (!found_) {
      found_ = true;
      return true;
    }
    errors_.push_back(forbidden(path_ / name, "may not specify more than 1 handler type"));
    return false;
  }

  void finish() {
    if (!found_) errors_.push_back(required(path_, "must specify a handler type"));
  }

 private:
  FieldErrors& errors_;
  const FieldPath& path_;
  bool found_ = false;
};

template <class Handler>
void check_common_handlers(FieldErrors& errors, const FieldPath& path, const Handler& handler,
                           OneHandler& one) {
  if (one.takes(handler.exec.has_value(), "exec")) check_exec(errors, path / "exec", *handler.exec);
  if (one.takes(handler.httpGet.has_value(), "httpGet")) {
    check_http_get(errors, path / "httpGet", *handler.httpGet);
  }
  if (one.takes(handler.tcpSocket.has_value(), "tcpSocket")) {
    check_port(errors, path / "tcpSocket" / "port", handler.tcpSocket->port);
  }
}

void check_hook(FieldErrors& errors, const FieldPath& path, const LifecycleHandler& handler,
                std::int64_t grace_seconds) {
  OneHandler one(errors, path);
  check_common_handlers(errors, path, handler, one);
  if (one.takes(handler.sleep.has_value(), "sleep")) {
    check_sleep(errors, path / "sleep", *handler.sleep, grace_seconds);
  }
  one.finish();
}

void check_probe(FieldErrors& errors, const FieldPath& path, const Probe& probe) {
  OneHandler one(errors, path);
  check_common_handlers(errors, path, probe, one);
  if (one.takes(probe.grpc.has_value(), "grpc")) {
    add_invalid(errors, path / "grpc" / "port", number(probe.grpc->port),
                grammar::port_number(probe.grpc->port));
  }
  one.finish();
  check_non_negative(errors, path / "initialDelaySeconds", probe.initialDelaySeconds);
  check_non_negative(errors, path / "timeoutSeconds", probe.timeoutSeconds);
  check_non_negative(errors, path / "periodSeconds", probe.periodSeconds);
  check_non_negative(errors, path / "successThreshold", probe.successThreshold);
  check_non_negative(errors, path / "failureThreshold", probe.failureThreshold);
  if (probe.terminationGracePeriodSeconds && *probe.terminationGracePeriodSeconds <= 0) {
    errors.push_back(invalid(path / "terminationGracePeriodSeconds",
                             number(*probe.terminationGracePeriodSeconds),
                             "must be greater than 0"));
  }
}

// A probe whose failure ends the container must have a success threshold of one.
void check_ending_probe(FieldErrors& errors, const FieldPath& path,
                        const std::optional<Probe>& probe) {
  if (!probe) return;
  check_probe(errors, path, *probe);
  if (probe->successThreshold != 1) {
    errors.push_back(
        invalid(path / "successThreshold", number(probe->successThreshold), "must be 1"));
  }
}

// In byte order, as the error lists them.
const std::vector<std::string_view>& linux_signals() {
  static const std::vector<std::string_view> kSignals = {
      "SIGABRT",     "SIGALRM",     "SIGBUS",      "SIGCHLD",     "SIGCLD",      "SIGCONT",
      "SIGFPE",      "SIGHUP",      "SIGILL",      "SIGINT",      "SIGIO",       "SIGIOT",
      "SIGKILL",     "SIGPIPE",     "SIGPOLL",     "SIGPROF",     "SIGPWR",      "SIGQUIT",
      "SIGRTMAX",    "SIGRTMAX-1",  "SIGRTMAX-10", "SIGRTMAX-11", "SIGRTMAX-12", "SIGRTMAX-13",
      "SIGRTMAX-14", "SIGRTMAX-2",  "SIGRTMAX-3",  "SIGRTMAX-4",  "SIGRTMAX-5",  "SIGRTMAX-6",
      "SIGRTMAX-7",  "SIGRTMAX-8",  "SIGRTMAX-9",  "SIGRTMIN",    "SIGRTMIN+1",  "SIGRTMIN+10",
      "SIGRTMIN+11", "SIGRTMIN+12", "SIGRTMIN+13", "SIGRTMIN+14", "SIGRTMIN+15", "SIGRTMIN+2",
      "SIGRTMIN+3",  "SIGRTMIN+4",  "SIGRTMIN+5",  "SIGRTMIN+6",  "SIGRTMIN+7",  "SIGRTMIN+8",
      "SIGRTMIN+9",  "SIGSEGV",     "SIGSTKFLT",   "SIGSTOP",     "SIGSYS",      "SIGTERM",
      "SIGTRAP",     "SIGTSTP",     "SIGTTIN",     "SIGTTOU",     "SIGURG",      "SIGUSR1",
      "SIGUSR2",     "SIGVTALRM",   "SIGWINCH",    "SIGXCPU",     "SIGXFSZ"};
  return kSignals;
}

void check_stop_signal(FieldErrors& errors, const FieldPath& path, const std::string& signal,
                       const PodSpec& spec) {
  if (!spec.os) {
    errors.push_back(forbidden(path, "may not be set for containers with empty `spec.os.name`"));
  } else if (spec.os->name == "windows") {
    check_one_of(errors, path, signal, {"SIGKILL", "SIGTERM"});
  } else if (spec.os->name == "linux") {
    const auto& known = linux_signals();
    if (std::find(known.begin(), known.end(), signal) == known.end()) {
      errors.push_back(not_supported(path, json_string(signal), known));
    }
  }
}

}  // namespace

void check_probes(FieldErrors& errors, const FieldPath& path, const Container& container) {
  check_ending_probe(errors, path / "livenessProbe", container.livenessProbe);
  if (container.readinessProbe) {
    const FieldPath at = path / "readinessProbe";
    check_probe(errors, at, *container.readinessProbe);
    if (const auto& grace = container.readinessProbe->terminationGracePeriodSeconds) {
      errors.push_back(invalid(at / "terminationGracePeriodSeconds", number(*grace),
                               "must not be set for readinessProbes"));
    }
  }
  check_ending_probe(errors, path / "startupProbe", container.startupProbe);
}

void check_lifecycle(FieldErrors& errors, const FieldPath& path, const Lifecycle& lifecycle,
                     const ContainerScope& scope) {
  if (lifecycle.postStart) {
    check_hook(errors, path / "postStart", *lifecycle.postStart, scope.grace_seconds);
  }
  if (lifecycle.preStop) {
    check_hook(errors, path / "preStop", *lifecycle.preStop, scope.grace_seconds);
  }
  if (lifecycle.stopSignal) {
    check_stop_signal(errors, path / "stopSignal", *lifecycle.stopSignal, scope.spec);
  }
}

}  // namespace berth::api
