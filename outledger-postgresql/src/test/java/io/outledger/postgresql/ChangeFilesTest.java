// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the jar brings for migration tools is the schema's own SQL. */
class ChangeFilesTest {

  private static final String PRINTED = PostgreSql.schema("here").print();

  /** The tool has made the schema itself. */
  private static final String TABLES = PRINTED.substring(PRINTED.indexOf("CREATE TABLE"));

  @Test
  void flywaysIsTheSchemas() throws IOException {
    assertThat(file("flyway/V1__outledger.sql"))
        .startsWith("-- ")
        .endsWith("\n" + TABLES.replace("\"here\"", "\"${flyway:defaultSchema}\""));
  }

  @Test
  void liquibasesIsTheSchemas() throws IOException {
    assertThat(file("liquibase/changelog.sql"))
        .startsWith("--liquibase formatted sql\n")
        .endsWith("stripComments:false\n" + TABLES.replace("\"here\"", "\"${outledger.schema}\""));
  }

  private static String file(String name) throws IOException {
    try (var in =
        Objects.requireNonNull(
            PostgreSql.class.getResourceAsStream("/io/outledger/postgresql/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
