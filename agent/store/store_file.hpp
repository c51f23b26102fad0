// SPDX-License-Identifier: Apache-2.0

// One connection to one SQLite file, with its statements.
//
// The file is in WAL mode. What decides behaviour is written with synchronous=FULL (a commit is on
// the disk when it returns); history, and orders of the node to end a pod, with NORMAL (they
// survive a crash of berthd; a crash of the machine may lose the last moments). Failures are
// values: kUnavailable for conditions that may pass (full, I/O error, locked), kInvalid for a file
// that is damaged or no database, kPermission for one that we may not open. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace berth::agent {

// A prepared statement, bound and stepped; created by StoreFile::prepared and reset by its
// destructor.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}

  // Places count from 1. Text must live until the statement is reset.
  Statement& bind(int place, std::int64_t number);
  Statement& bind(int place, std::string_view text);
  Statement& bind_null(int place);

  // Columns count from 0.
  [[nodiscard]] std::int64_t number(int column) const;
  [[nodiscard]] std::string text(int column) const;
  [[nodiscard]] bool is_null(int column) const;

 private:
  friend class StoreFile;
  sqlite3_stmt* statement_;
};

enum class Durability : std::uint8_t { kFull, kNormal };

class StoreFile {
 public:
  // Opens an existing file, or creates an empty one (mode 0600); changes nothing in it.
  static Result<StoreFile> open(const std::string& path);
  // Read-only; leaves every byte as it is.
  static Result<StoreFile> open_to_look(const std::string& path);

  [[nodiscard]] bool is_open() const { return connection_ != nullptr; }

  // Connection settings: exclusive use of the file until it is closed, WAL, a small cache (512 KiB;
  // berthd's whole memory is 25 MiB), no mapping.
  Result<bool> configure();

  Result<bool> execute(const char* sql);
  // Returns the same statement each time for the same literal; it must be a constant.
  Result<Statement> prepared(const char* sql);
  // True if there is a row. After false or an error the statement may be reused.
  Result<bool> step(Statement& statement);
  // Runs to the end, for statements without rows.
  Result<bool> run(Statement& statement);
  Result<std::int64_t> number(const char* sql);
  void reset(Statement& statement);

  Result<bool> begin(Durability durability);
  Result<bool> commit();
  void roll_back();

  // Rows changed by the last statement.
  [[nodiscard]] std::int64_t changes() const;
  // Bytes in use; free pages do not count.
  Result<std::int64_t> used_bytes();
  // Pages in the write-ahead log after the last commit.
  [[nodiscard]] int log_pages() const;
  // Moves the log into the file as far as no reader needs it, and begins it anew.
  void checkpoint();

  // Whether the file was deleted, moved or replaced since it was opened.
  [[nodiscard]] bool has_moved() const;
  // Copies the whole content to another file, which must not exist yet.
  Result<bool> copy_to(const std::string& path);

  // Whether the last failure was lack of space, and whether it was damage.
  [[nodiscard]] bool out_of_space() const { return out_of_space_; }
  [[nodiscard]] bool damaged() const { return damaged_; }

 private:
  struct CloseConnection {
    void operator()(sqlite3* connection) const;
  };
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  static Result<StoreFile> open_with(const std::string& path, int flags);
  void begin_log();
  std::unexpected<Error> failure(std::string_view doing);

  std::string path_{};
  std::unique_ptr<sqlite3, CloseConnection> connection_{};
  // Declared after the connection, so that they are destroyed before it. Keyed by the literal's
  // address.
  std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_{};
  std::unique_ptr<int> log_pages_{};  // written by the hook; a stable address when this object
                                      // moves
  Durability durability_ = Durability::kNormal;
  bool out_of_space_ = false;
  bool damaged_ = false;
};

}  // namespace berth::agent
