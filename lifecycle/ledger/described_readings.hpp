// SPDX-License-Identifier: Apache-2.0

// Descriptions of eviction's readings, for the code that writes them as strict JSON: the ledger's
// kind and the pressure history. Included by sources only.
#pragma once

#include <boost/describe.hpp>

#include "eviction/readings.hpp"

namespace berth::eviction {

BOOST_DESCRIBE_STRUCT(MemoryReading, (), (available, working_set, limit, time))
BOOST_DESCRIBE_STRUCT(FileSystemReading, (), (available, capacity, inodes_free, inodes, time))
BOOST_DESCRIBE_STRUCT(PidReading, (), (running, max, time))
BOOST_DESCRIBE_STRUCT(AmountReading, (), (available, capacity, time))
BOOST_DESCRIBE_STRUCT(StallReading, (),
                      (some_avg10, some_avg60, some_avg300, full_avg10, full_avg60, full_avg300,
                       time))
BOOST_DESCRIBE_STRUCT(OwnReadings, (),
                      (memory_with_cache, allocatable_memory_with_cache, swap, memory_pressure,
                       allocatable_memory_pressure, io_pressure, allocatable_io_pressure))
BOOST_DESCRIBE_STRUCT(NodeReadings, (),
                      (memory, allocatable_memory, node_fs, image_fs, container_fs, pids, own))
BOOST_DESCRIBE_STRUCT(UsedSpace, (), (bytes, inodes))
BOOST_DESCRIBE_STRUCT(UsedMemory, (), (working_set))
BOOST_DESCRIBE_STRUCT(ContainerReading, (), (name, working_set, rootfs, logs))
BOOST_DESCRIBE_STRUCT(VolumeReading, (), (name, used))
BOOST_DESCRIBE_STRUCT(PodReading, (),
                      (memory, ephemeral_storage, processes, io_pressure, containers, volumes))

}  // namespace berth::eviction
