// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Given;
import io.outledger.StoreException;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.spi.SqlErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Removes what is no longer needed: messages that every subscription has settled, and old records
 * of inboxes. Range by range, each in a transaction of its own, so that none is long and a crash
 * loses nothing: what was removed was settled.
 *
 * <p>Where there is no subscription, no message is removed: nobody has read it. What is asked for
 * here forgets for every consumer in the schema, so the retention it is given must be the longest
 * that any service in the schema needs; what a relay starts by default forgets for the consumers of
 * its own {@link Outledger} only. Thread-safe; two that purge at the same time wait for each other.
 */
public final class Retention {

  /** How old messages are when they are removed, unless told otherwise: 7 days. */
  public static final Duration MESSAGES_DEFAULT = Duration.ofDays(7);

  /** How long to wait between two purges, unless told otherwise: 10 minutes. */
  public static final Duration EVERY_DEFAULT = Duration.ofMinutes(10);

  private static final Duration AGE_MAX = Duration.ofDays(1000 * 365);

  private final RetentionStore store;
  private final SqlErrors errors;
  private final Duration inboxAge;
  private final UnaryOperator<Supplier<RunningRetention>> starting;

  Retention(
      Database database,
      DataSource dataSource,
      InboxRetention inboxRetention,
      UnaryOperator<Supplier<RunningRetention>> starting) {
    this.store = database.retention(dataSource);
    this.errors = database.errors();
    this.inboxAge = inboxRetention.keep();
    this.starting = starting;
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is
   * @param inboxRetention how long the inboxes of every service in the schema are to remember
   * @throws ConfigurationException {@code OUT-006} where it is not a valid name, {@code OUT-020}
   *     where no module on the class path supports the database
   * @throws StoreException {@code OUT-016} where the database cannot be reached
   */
  public static Retention of(DataSource dataSource, String schema, InboxRetention inboxRetention) {
    return new Retention(
        Databases.find(dataSource, schema),
        dataSource,
        Given.check("retention of the inbox", inboxRetention),
        UnaryOperator.identity());
  }

  /**
   * Purges now and then every ten minutes: messages older than seven days, and inbox records of
   * every consumer in the schema that are older than this service's inboxes are to remember.
   *
   * @return what runs; it ends with the {@link Outledger} that it comes from, if not before
   */
  public RunningRetention start() {
    return start(MESSAGES_DEFAULT, EVERY_DEFAULT);
  }

  /**
   * The same with a choice.
   *
   * @param messages how old a message must be to be removed; zero or more
   * @param every how long to wait between two purges; a millisecond or more
   * @throws ConfigurationException {@code OUT-021} where one of them is less
   * @throws StoreException {@code OUT-026} where the {@link Outledger} it comes from was closed
   */
  public RunningRetention start(Duration messages, Duration every) {
    Given.check("age of messages", messages);
    Given.check("time between two purges", every);
    if (messages.isNegative() || every.compareTo(Duration.ofMillis(1)) < 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "invalid retention: age "
              + messages
              + ", interval "
              + every
              + "; the age must not be negative and the interval must be positive");
    }
    InboxPurge inboxes =
        new InboxPurge(inboxAge, "of every consumer in this schema", () -> purgeInbox(inboxAge));
    return starting.apply(() -> RunningRetention.start(this, messages, inboxes, every)).get();
  }

  /**
   * Removes messages that every subscription has settled, below the first that is younger than the
   * age by its own time. A message from more than a day in the future counts as old.
   *
   * @param age how old a message must be; zero or more
   * @return how many were removed
   * @throws ConfigurationException {@code OUT-021} where it is negative
   * @throws StoreException where the database failed; some may have been removed
   */
  public long purgeMessages(Duration age) {
    if (Given.check("age", age).isNegative()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "age is " + age + " but must not be negative");
    }
    return toTheEnd(last -> store.purgeMessages(finite(age), last));
  }

  /**
   * Removes records of inboxes that are older than an age, of every consumer in the schema. A
   * message that is delivered again after that takes effect again.
   *
   * @param age how old a record must be; not less than inboxes are to remember
   * @return how many were removed
   * @throws ConfigurationException {@code OUT-018} where it is less; nothing was removed
   * @throws StoreException where the database failed; some may have been removed
   */
  public long purgeInbox(Duration age) {
    if (Given.check("age", age).compareTo(inboxAge) < 0) {
      throw new ConfigurationException(
          ErrorCode.RETENTION_TOO_SHORT,
          "cannot purge inbox records older than "
              + age
              + " because the inboxes keep ids for "
              + inboxAge
              + "; a message delivered again after the purge would take effect twice. Use a higher"
              + " age, or configure a shorter inbox retention");
    }
    return toTheEnd(last -> store.purgeInbox(finite(age)));
  }

  /** Returns an age that a database can count back: "forever" is longer than that. */
  private static Duration finite(Duration age) {
    return age.compareTo(AGE_MAX) < 0 ? age : AGE_MAX;
  }

  /** Returns what forgets for these consumers alone, as many as there are at each purge. */
  InboxPurge inboxesOf(Set<String> consumers) {
    return new InboxPurge(
        inboxAge,
        "of this application's consumers",
        () -> toTheEnd(last -> store.purgeInbox(finite(inboxAge), Set.copyOf(consumers))));
  }

  private static long toTheEnd(UnaryOperator<Step> next) {
    long removed = 0;
    Step last = Step.NONE;
    do {
      last = next.apply(last);
      removed += last.removed();
    } while (last.more() && !Thread.currentThread().isInterrupted());
    return removed;
  }

  /** Returns what to grant, where a failure is that of a role without a right. */
  Optional<String> missingRights(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql && errors.classOf(sql) == ErrorClass.RIGHT_MISSING) {
        return Optional.of(store.rights());
      }
    }
    return Optional.empty();
  }

  /** Returns up to which position messages have been removed; 0 where none was. */
  public long purgedTo() {
    return store.purgedTo();
  }
}
