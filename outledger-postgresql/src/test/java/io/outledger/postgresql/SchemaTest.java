// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SchemaTest {

  @Test
  void documentedSqlIsTheJars() throws IOException {
    String documented = Files.readString(Path.of("..", "docs", "schema.md"));
    try (var in =
        Objects.requireNonNull(
            PostgreSql.class.getResourceAsStream("/io/outledger/postgresql/V1__ledger.sql"))) {
      assertThat(documented)
          .contains("```sql\n" + new String(in.readAllBytes(), StandardCharsets.UTF_8) + "```");
    }
  }

  @Test
  void printedSqlNamesTheSchemaAlone() {
    assertThat(PostgreSql.schema("App").print())
        .contains("\"App\".outledger_message")
        .contains("nextval('\"App\".outledger_message_position')")
        .doesNotContain("{schema}");
  }
}
