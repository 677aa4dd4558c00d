// SPDX-License-Identifier: Apache-2.0
package io.outledger.junit.crash;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.sql.CallableStatement;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A statement of a process that can crash: where it writes, running it is a step. */
final class CrashingStatement implements InvocationHandler {

  private static final Set<String> READING =
      Set.of("select", "show", "set", "reset", "values", "explain", "begin", "start", "");
  private static final Set<String> WRITING = Set.of("insert", "update", "delete", "merge");

  /** A relay's own tables are no step of the application; Outledger's own tests crash it. */
  private static final Pattern OUR_TABLE = Pattern.compile("(?i)\\boutledger_(\\w+)");

  private static final Set<String> APPLICATIONS = Set.of("message", "inbox");
  private static final Pattern COMMITTING = Pattern.compile("(?i)(^|;)\\s*COMMIT\\s*;?\\s*$");
  private static final int CHARS_SHOWN_MAX = 70;

  private final Statement real;
  private final CrashingConnection connection;
  private String sql;

  private CrashingStatement(Statement real, CrashingConnection connection, String sql) {
    this.real = real;
    this.connection = connection;
    this.sql = sql;
  }

  static Statement around(Statement real, CrashingConnection connection, String sql) {
    CrashingStatement guard = new CrashingStatement(real, connection, sql);
    if (real instanceof CallableStatement) {
      return CrashingConnection.proxy(CallableStatement.class, guard);
    }
    return real instanceof PreparedStatement
        ? CrashingConnection.proxy(PreparedStatement.class, guard)
        : CrashingConnection.proxy(Statement.class, guard);
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
      throws Throwable {
    String name = method.getName();
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(proxy, name, arguments);
    }
    if (name.equals("close") && connection.hasCrashed()) {
      return null;
    }
    if (arguments != null && arguments[0] instanceof String text && takesSql(name)) {
      sql = text;
    }
    if (name.startsWith("execute") && COMMITTING.matcher(sql).find()) {
      return connection.commit("COMMIT", real, method, arguments);
    }
    return name.startsWith("execute") && writes(sql)
        ? connection.write(shown(sql), real, method, arguments)
        : connection.call(real, method, arguments);
  }

  /** Also after the crash: a log line or a set may ask. */
  private Object ofObject(Object proxy, String name, Object @Nullable [] arguments) {
    return switch (name) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> real.toString();
    };
  }

  private static boolean takesSql(String method) {
    return method.startsWith("execute") || method.equals("addBatch");
  }

  private static boolean writes(String sql) {
    Matcher table = OUR_TABLE.matcher(sql);
    if (table.find() && !APPLICATIONS.contains(table.group(1).toLowerCase(Locale.ROOT))) {
      return false;
    }
    String text = sql.strip().toLowerCase(Locale.ROOT);
    String first = text.split("[^a-z]", 2)[0];
    return first.equals("with")
        ? WRITING.stream().anyMatch(text::contains)
        : !READING.contains(first);
  }

  private static String shown(String sql) {
    String line = sql.strip().replaceAll("\\s+", " ");
    return line.length() <= CHARS_SHOWN_MAX ? line : line.substring(0, CHARS_SHOWN_MAX) + "…";
  }
}
