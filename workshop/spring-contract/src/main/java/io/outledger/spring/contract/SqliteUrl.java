// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.contract;

import java.nio.file.Path;

/** The URL that docs/databases.md shows. */
public final class SqliteUrl {

  private static final String DOCUMENTED =
      "jdbc:sqlite:%s?journal_mode=WAL&busy_timeout=30000&transaction_mode=IMMEDIATE";

  private SqliteUrl() {}

  /** Returns it, for a file in a folder. */
  public static String in(Path folder) {
    return DOCUMENTED.formatted(folder.resolve("shop.db"));
  }
}
