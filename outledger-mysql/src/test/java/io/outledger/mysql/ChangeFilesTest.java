// SPDX-License-Identifier: Apache-2.0
package io.outledger.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import io.outledger.jdbc.Schema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the jar brings for migration tools is the schema's own SQL, the same file for both. */
class ChangeFilesTest {

  /** MariaDB executes the second comment alone; MySQL the first, and from 8.0.17 on the third. */
  private static final String COLLATION =
      "COLLATE = /*!80000 utf8mb4_bin */ /*M! utf8mb4_nopad_bin */"
          + " /*!80017 COLLATE = utf8mb4_0900_bin */";

  /** What both print, apart from that. */
  enum Printed {
    BY_MYSQL(MySql.schema("here"), Product.MYSQL),
    BY_MARIADB(MariaDb.schema("here"), Product.MARIADB);

    private final String tables;

    Printed(Schema schema, Product product) {
      String printed = schema.print();
      // They are made in the database of the tool's connection.
      this.tables =
          printed
              .substring(printed.indexOf("CREATE TABLE"))
              .replace("`here`.", "")
              .replace("COLLATE = " + product.collation(), COLLATION);
    }
  }

  @ParameterizedTest
  @EnumSource
  void flywaysIsTheSchemas(Printed printed) throws IOException {
    assertThat(file("flyway/V1__outledger.sql")).startsWith("-- ").endsWith("\n" + printed.tables);
  }

  @ParameterizedTest
  @EnumSource
  void liquibasesIsTheSchemas(Printed printed) throws IOException {
    assertThat(file("liquibase/changelog.sql"))
        .startsWith("--liquibase formatted sql\n")
        .endsWith("stripComments:false\n" + printed.tables);
  }

  /** MySQL refuses any other from 8.0.16 on, where it has read no check before. */
  @Test
  void eachCheckIsAComparison() {
    String tables = Printed.BY_MYSQL.tables.replaceAll("CHECK \\(\\s+", "CHECK (");
    assertThat(tables.lines().filter(line -> line.contains(" CHECK (")))
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).containsPattern("( BETWEEN |>= |<= | = TRUE| IN )"));
  }

  @Test
  void nothingElseLooksLikeAPlaceholder() {
    assertThat(Printed.BY_MYSQL.tables).doesNotContain("${");
  }

  private static String file(String name) throws IOException {
    try (var in =
        Objects.requireNonNull(MySql.class.getResourceAsStream("/io/outledger/mysql/" + name))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
