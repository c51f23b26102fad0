// SPDX-License-Identifier: Apache-2.0

// The process of a sandbox: holds its namespaces, reaps orphans, exits on SIGINT and SIGTERM.
#include <csignal>

#include <sys/wait.h>
#include <unistd.h>

int main() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, &signals, nullptr);
  for (;;) {
    int signal = 0;
    if (sigwait(&signals, &signal) != 0) continue;
    if (signal != SIGCHLD) return 0;
    while (waitpid(-1, nullptr, WNOHANG) > 0) {
    }
  }
}
