// SPDX-License-Identifier: Apache-2.0

// A disk that can be held: meanwhile no write becomes durable (`fsync` does not return).
//
// It is SQLite's own file system with another xSync, and the default one while this object lives:
// files opened meanwhile use it. Any thread may block in it; `release` unblocks all of them.
#pragma once

#include <sqlite3.h>

#include <atomic>
#include <map>
#include <stdexcept>

namespace berth::agent {

class HeldDisk {
 public:
  HeldDisk() {
    usual_ = sqlite3_vfs_find(nullptr);
    vfs_ = *usual_;
    vfs_.zName = "held-disk";
    vfs_.pAppData = this;
    vfs_.xOpen = open;
    if (sqlite3_vfs_register(&vfs_, 1) != SQLITE_OK) throw std::runtime_error("no such VFS");
  }
  HeldDisk(const HeldDisk&) = delete;
  HeldDisk& operator=(const HeldDisk&) = delete;
  // Every file opened through this file system must be closed by now.
  ~HeldDisk() {
    sqlite3_vfs_register(usual_, 1);
    sqlite3_vfs_unregister(&vfs_);
  }

  void hold() { held_ = true; }
  void release() {
    held_ = false;
    held_.notify_all();
  }

 private:
  static int open(sqlite3_vfs* vfs, const char* name, sqlite3_file* file, int flags, int* out) {
    auto* disk = static_cast<HeldDisk*>(vfs->pAppData);
    const int opened = disk->usual_->xOpen(disk->usual_, name, file, flags, out);
    if (opened != SQLITE_OK || file->pMethods == nullptr) return opened;
    // A database and its log have separate tables; both sync in the same way. SQLite calls C
    // functions, which do not know their owner.
    static std::map<const sqlite3_io_methods*, sqlite3_io_methods> tables;
    static std::atomic<HeldDisk*> current;
    static int (*usual_sync)(sqlite3_file*, int);
    current = disk;
    auto [table, made] = tables.emplace(file->pMethods, *file->pMethods);
    if (made) usual_sync = file->pMethods->xSync;
    table->second.xSync = [](sqlite3_file* synced, int how) {
      current.load()->held_.wait(true);
      return usual_sync(synced, how);
    };
    file->pMethods = &table->second;
    return opened;
  }

  sqlite3_vfs* usual_ = nullptr;
  sqlite3_vfs vfs_{};
  std::atomic<bool> held_ = false;
};

}  // namespace berth::agent
