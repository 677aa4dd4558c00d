// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the jar brings for migration tools is the schema's own SQL. */
class ChangeFilesTest {

  private static final String PRINTED = Sqlite.schema().print();

  @Test
  void flywaysIsTheSchemas() throws IOException {
    assertThat(file("flyway/V1__outledger.sql")).startsWith("-- ").endsWith("\n" + PRINTED);
  }

  @Test
  void liquibasesIsTheSchemas() throws IOException {
    assertThat(file("liquibase/changelog.sql"))
        .startsWith("--liquibase formatted sql\n")
        .endsWith("stripComments:false\n" + PRINTED);
  }

  private static String file(String name) throws IOException {
    try (var in =
        Objects.requireNonNull(Sqlite.class.getResourceAsStream("/io/outledger/sqlite/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
