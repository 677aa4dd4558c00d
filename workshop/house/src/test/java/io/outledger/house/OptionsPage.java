// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import io.outledger.Printable;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.Retention;
import io.outledger.relay.options.Backoff;
import io.outledger.relay.options.BreakerPolicy;
import io.outledger.relay.options.HoleOptions;
import io.outledger.relay.options.LeaseOptions;
import io.outledger.relay.options.OutageOptions;
import io.outledger.relay.options.PollingOptions;
import io.outledger.relay.options.RetryPolicy;
import io.outledger.relay.options.WindowOptions;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The reference of a relay's options, as the code says it: names, defaults and Javadoc. */
final class OptionsPage {

  /** The page, relative to the root. */
  static final Path PATH = Path.of("docs", "options.md");

  private static final Path SOURCES =
      Path.of("outledger-core", "src", "main", "java", "io", "outledger", "relay", "options");
  private static final Pattern RECORD_DOC =
      Pattern.compile("/\\*\\*((?:(?!\\*/).)*)\\*/\\s*public record ", Pattern.DOTALL);

  /**
   * A group of options.
   *
   * @param title its name
   * @param defaults a record that holds the defaults
   * @param setter how it is changed
   */
  private record Group(String title, Record defaults, String setter) {}

  private static final List<Group> GROUPS =
      List.of(
          new Group("Lease", LeaseOptions.DEFAULT, "o.lease(…).saveWait(…)"),
          new Group("Polling", PollingOptions.DEFAULT, "o.polling(p -> p.withIdle(…))"),
          new Group("Window", WindowOptions.DEFAULT, "o.window(w -> w.withMessages(…))"),
          new Group("Retry", RetryPolicy.DEFAULT, "o.retry(RetryPolicy.DEFAULT.withBackoff(…))"),
          new Group("Outage", OutageOptions.DEFAULT, "o.outage(d -> d.withProbes(…))"),
          new Group("Breaker", BreakerPolicy.DEFAULT, "o.breaker(new BreakerPolicy(…))"),
          new Group("Holes", HoleOptions.DEFAULT, "o.holes(h -> h.withOpenRangesMax(…))"));

  /** What is set at the builder itself, for what removes old rows. */
  private static final List<List<String>> RETENTION =
      List.of(
          List.of(
              "messageRetention",
              Printable.span(Retention.MESSAGES_DEFAULT),
              "how long a message is kept after its insertion, by the database's clock; zero or"
                  + " more. It stays longer where a subscription has not settled it"),
          List.of(
              "inboxRetention",
              Printable.span(InboxRetention.DEFAULT.keep()),
              "how long inboxes keep the id of a message; more than zero"),
          List.of(
              "auditRetention",
              Printable.span(Retention.AUDIT_DEFAULT),
              "how long operators' requests are kept after their end; a day or more"),
          List.of(
              "retentionInterval",
              Printable.span(Retention.EVERY_DEFAULT),
              "the wait between two removals; a millisecond or more"),
          List.of(
              "retentionBatch",
              shown(Retention.BATCH_DEFAULT),
              "how many positions of the ledger, and how many inbox records, one transaction"
                  + " removes; 1 to "
                  + shown(Retention.BATCH_MAX)
                  + ". Fewer keep it, and what waits for it, shorter"));

  private OptionsPage() {}

  static String text() {
    StringBuilder page = new StringBuilder();
    page.append("# Options of a relay\n\n")
        .append("`outledger.relay(…).options(o -> …)` changes them; all have defaults. A test")
        .append(" writes this page from the code.\n");
    GROUPS.forEach(group -> append(page, group));
    page.append("\nA message that fails every time is a dead letter at most ")
        .append(shown(RetryPolicy.DEFAULT.span()))
        .append(" after its first attempt, with the defaults.\n")
        .append("\n## Retention\n\nWhat a process with a relay or a receiver removes, and when.")
        .append(" Set by `Outledger.builder(…).retentionBatch(…)`; `.withoutRetention()` turns it")
        .append(" off.\n\n| option | default | what it is |\n|---|---|---|\n");
    for (List<String> row : RETENTION) {
      page.append("| `%s` | %s | %s |\n".formatted(row.toArray()));
    }
    return page.toString();
  }

  private static void append(StringBuilder page, Group group) {
    Class<? extends Record> type = group.defaults().getClass();
    String doc = docOf(type.getSimpleName());
    page.append("\n## ")
        .append(group.title())
        .append("\n\n")
        .append(intro(doc))
        .append(" Set by `");
    page.append(group.setter()).append("`.\n\n| option | default | what it is |\n|---|---|---|\n");
    for (RecordComponent component : type.getRecordComponents()) {
      page.append("| `")
          .append(component.getName())
          .append("` | ")
          .append(shown(valueOf(component, group.defaults())))
          .append(" | ")
          .append(meaning(doc, component.getName()))
          .append(" |\n");
    }
  }

  private static Object valueOf(RecordComponent component, Record defaults) {
    try {
      return component.getAccessor().invoke(defaults);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component.toString(), e);
    }
  }

  private static String shown(Object value) {
    if (value instanceof Backoff backoff) {
      return shown(backoff.first()) + ", doubling to " + shown(backoff.max());
    }
    if (value instanceof Duration time) {
      return time.toString().substring(2).toLowerCase(Locale.ROOT);
    }
    return value instanceof Number number
        ? String.format(Locale.ROOT, "%,d", number.longValue())
        : "`" + value + "`";
  }

  /** What stands above a record, without its asterisks and tags. */
  private static String docOf(String record) {
    Matcher doc = RECORD_DOC.matcher(ProjectFiles.read(SOURCES.resolve(record + ".java")));
    if (!doc.find()) {
      throw new IllegalStateException(record + " has no Javadoc");
    }
    String plain = doc.group(1).replaceAll("\\n \\* ?", "\n");
    return plain.replaceAll("\\{@(?:code|link) ([^}]*)}", "`$1`").replaceAll("\\s+", " ").strip();
  }

  private static String intro(String doc) {
    return doc.substring(0, doc.indexOf(" @param"));
  }

  private static String meaning(String doc, String name) {
    Matcher meaning = Pattern.compile("@param " + name + " (.*?)(?= @param|$)").matcher(doc);
    if (!meaning.find()) {
      throw new IllegalStateException("nothing is said of " + name);
    }
    return meaning.group(1);
  }
}
