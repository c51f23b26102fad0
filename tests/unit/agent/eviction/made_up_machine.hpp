// SPDX-License-Identifier: Apache-2.0

// A test's own /sys/fs/cgroup and /proc, in the forms in which kernels provide them.
#pragma once

#include <string>

#include "tests/unit/node/host_test_support.hpp"

namespace berth::agent {

class MadeUpMachine {
 public:
  [[nodiscard]] std::string cgroups() const { return folder_ / "cgroup"; }
  [[nodiscard]] std::string proc() const { return folder_ / "proc"; }
  [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
  void put(const std::string& name, const std::string& text) const {
    node::put_file(folder_ / name, text);
  }

  // A single tree with all controllers.
  void make_v2() const { make_v2_at("cgroup"); }
  // A tree for each controller.
  void make_v1() const {
    put("cgroup/cpu,cpuacct/cgroup.procs", "");
    put("cgroup/memory/memory.usage_in_bytes", "6000\n");
    put("cgroup/memory/memory.stat", "inactive_file 1\ntotal_inactive_file 1000\n");
    put("cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("cgroup/memory/cgroup.procs", "1\n");
  }
  // A version 1 tree for each controller, and a version 2 tree beside them without any.
  void make_hybrid() const {
    make_v1();
    put("cgroup/unified/cgroup.controllers", "\n");
  }
  // A hybrid with the memory controller in version 2.
  void make_hybrid_with_memory_in_v2() const {
    put("cgroup/cpu,cpuacct/cgroup.procs", "");
    make_v2_at("cgroup/unified");
  }
  void make_proc() const {
    put("proc/meminfo", "MemTotal: 16 kB\nMemAvailable: 12 kB\nSwapTotal: 8 kB\nSwapFree: 2 kB\n");
    put("proc/pressure/memory",
        "some avg10=1.00 avg60=2.00 avg300=0.00 total=9\n"
        "full avg10=0.50 avg60=0.25 avg300=0.00 total=5\n");
    put("proc/pressure/io",
        "some avg10=9.00 avg60=8.00 avg300=7.00 total=9\n"
        "full avg10=6.00 avg60=5.00 avg300=4.00 total=5\n");
    put("proc/loadavg", "0.00 0.01 0.05 2/345 999\n");
    put("proc/sys/kernel/pid_max", "4194304\n");
    put("proc/sys/kernel/threads-max", "1000\n");
  }

 private:
  void make_v2_at(const std::string& tree) const {
    put(tree + "/cgroup.controllers", "cpuset cpu memory pids\n");
    put(tree + "/memory.stat", "anon 3000\nfile 2000\ninactive_file 500\n");
    put(tree + "/kubepods/memory.current", "4000\n");
    put(tree + "/kubepods/memory.max", "9000\n");
    put(tree + "/kubepods/memory.stat",
        "anon 1\ninactive_file 300\nactive_file 200\nfile_dirty 0\nfile_writeback 0\n");
    put(tree + "/kubepods/memory.pressure",
        "some avg10=3.00 avg60=0.00 avg300=0.00 total=9\n"
        "full avg10=2.00 avg60=0.00 avg300=0.00 total=5\n");
    put(tree + "/kubepods/io.pressure",
        "some avg10=8.00 avg60=0.00 avg300=0.00 total=9\n"
        "full avg10=0.00 avg60=0.00 avg300=3.00 total=5\n");
  }

  node::TemporaryDirectory folder_{};
};

}  // namespace berth::agent
