// SPDX-License-Identifier: Apache-2.0
package io.outledger.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Whatever a schema is called, it is refused, or is nothing but a quoted name in every statement.
 */
class TablesTest {

  private static final int NAMES = 20_000;
  private static final String PLACE = "{schema}";
  private static final Pattern PLAIN = Pattern.compile("\"[A-Za-z_][A-Za-z0-9_]*\"");
  private static final int BYTES_MAX = 63;

  private static final String[] NASTY = {
    "\"",
    "\"\"",
    "'",
    "''",
    "`",
    ";",
    "--",
    "/*",
    "*/",
    "\\",
    "$$",
    "$1",
    "?",
    "{schema}",
    "{",
    "}",
    ".",
    " ",
    "\t",
    "\n",
    "\r",
    "\0",
    "\u00a0",
    "\u200b",
    "\u202e",
    "\ud800",
    "\ud83d\udd11",
    "é",
    "ſ",
    "İ",
    "public",
    "pg_catalog",
    "DROP TABLE x",
    "%s",
    "%1$s",
    "Ａ",
    "１",
    "_",
    "a",
    "Z",
    "9",
    "\b",
    "::regclass",
    "U&\"",
    "E'"
  };

  @Test
  void nameIsRefusedOrStandsQuotedInEveryStatement() throws Exception {
    long seed = Long.getLong("outledger.seed", 20_261_121L);
    Random random = new Random(seed);
    List<String> statements = statements();
    assertThat(statements).hasSizeGreaterThan(30);
    int accepted = 0;
    for (int i = 0; i < NAMES; i++) {
      String name = name(random);
      try {
        assertEachIsSafe(new Tables(name), statements);
        accepted++;
      } catch (ConfigurationException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.INVALID_NAME);
      } catch (AssertionError e) {
        throw new AssertionError("seed " + seed + ", name " + i + ": " + name, e);
      }
    }
    assertThat(accepted).as("seed %d", seed).isBetween(NAMES / 100, NAMES * 9 / 10);
  }

  @Test
  void namesAtTheLimitsAreAsTheErrorSays() {
    String longest = "s".repeat(BYTES_MAX);
    assertThat(new Tables(longest).quotedSchema()).isEqualTo('"' + longest + '"');
    for (String name : new String[] {"", "s".repeat(BYTES_MAX + 1), "1a", "a\n", "\na", "a b"}) {
      assertThatThrownBy(() -> new Tables(name)).as(name).hasMessageContaining("OUT-006");
    }
  }

  private static void assertEachIsSafe(Tables tables, List<String> statements) {
    String quoted = tables.quotedSchema();
    assertThat(quoted).matches(PLAIN);
    assertThat(quoted.length() - 2).isBetween(1, BYTES_MAX);
    for (String statement : statements) {
      String sql = tables.in(statement);
      String left = sql.replace(quoted, PLACE);
      if (!left.equals(statement) && !quoted.contains("outledger")) {
        throw new AssertionError("more than the name has changed in " + sql);
      }
    }
  }

  /** One to eight parts, mostly plain ones or mostly nasty ones. */
  private static String name(Random random) {
    boolean plain = random.nextBoolean();
    StringBuilder name = new StringBuilder();
    for (int parts = 1 + random.nextInt(8); parts > 0; parts--) {
      if (plain && random.nextInt(20) > 0) {
        name.append((char) ('a' + random.nextInt(26)));
      } else {
        name.append(NASTY[random.nextInt(NASTY.length)]);
      }
    }
    return name.toString();
  }

  /** Every text of the module with a place for the name, and the scripts of the schema. */
  private static List<String> statements() throws Exception {
    List<String> found = new ArrayList<>();
    Path classes =
        Path.of(Tables.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    List<Path> files;
    try (var walk = Files.walk(classes)) {
      files = walk.toList();
    }
    for (Path file : files) {
      String name = classes.relativize(file).toString();
      if (name.endsWith(".sql")) {
        found.add(Files.readString(file));
      } else if (name.startsWith("io/outledger/postgresql/") && name.endsWith(".class")) {
        found.addAll(texts(Class.forName(name.replace(".class", "").replace('/', '.'))));
      }
    }
    return found;
  }

  private static List<String> texts(Class<?> type) throws IllegalAccessException {
    List<String> texts = new ArrayList<>();
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.trySetAccessible()) {
        Object value = field.get(null);
        List<?> values = value instanceof List<?> list ? list : List.of(String.valueOf(value));
        values.stream().map(String::valueOf).filter(t -> t.contains(PLACE)).forEach(texts::add);
      }
    }
    return texts;
  }
}
