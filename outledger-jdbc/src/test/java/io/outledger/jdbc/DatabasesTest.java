// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.ErrorCode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No module that supports a database is on this module's class path. */
class DatabasesTest {

  @Test
  void withoutAnyModuleTheErrorSaysToAddOne() {
    assertThat(Databases.unsupported("PostgreSQL 16", List.of()))
        .hasMessageContainingAll(
            "PostgreSQL 16", "no module for a database", "outledger-postgresql")
        .hasMessageStartingWith(ErrorCode.UNSUPPORTED_DATABASE.code());
  }

  @Test
  void unknownDatabaseIsToldWhatTheModulesSupport() {
    assertThat(Databases.unsupported("Oracle 23", List.of("PostgreSQL 13 or later", "H2 2.2")))
        .hasMessageContainingAll("Oracle 23", "support PostgreSQL 13 or later and H2 2.2");
  }
}
