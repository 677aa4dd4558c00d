// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import org.junit.jupiter.api.Test;

/** No module that supports a database is on this module's class path. */
class DatabasesTest {

  @Test
  void knownDatabaseNamesTheModuleToAdd() {
    assertThat(Databases.unsupported("PostgreSQL", 16))
        .hasMessageContaining("PostgreSQL 16")
        .hasMessageContaining("add outledger-postgresql")
        .hasMessageStartingWith(ErrorCode.UNSUPPORTED_DATABASE.code());
  }

  @Test
  void unknownDatabaseNamesWhatToUse() {
    assertThat(Databases.unsupported("Oracle", 23))
        .hasMessageContaining("Oracle 23")
        .hasMessageContaining("use PostgreSQL 13 or later");
  }
}
