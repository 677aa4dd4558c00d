// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Causes;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.inbox.InboxRetention;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.RetentionStore;
import io.outledger.jdbc.spi.RetentionStore.Step;
import io.outledger.jdbc.spi.SqlErrors;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Removes messages that every subscription has settled, and old inbox records. It deletes range by
 * range, each in its own transaction, so that no transaction is long. A crash loses nothing,
 * because only settled messages are removed.
 *
 * <p>Without a subscription, no message is removed. A purge started here removes inbox records of
 * every consumer in the schema, so configure the longest inbox retention that any service in the
 * schema needs. The default retention of a relay purges only the consumers of its own {@link
 * Outledger}. Once the {@link Outledger} it comes from is closed, everything fails with a {@link
 * StoreException} {@code OUT-026}. Thread-safe; two concurrent purges wait for each other.
 */
public final class Retention {

  /** The default age at which messages are removed: 7 days. */
  public static final Duration MESSAGES_DEFAULT = Duration.ofDays(7);

  /** The default interval between two purges: 10 minutes. */
  public static final Duration EVERY_DEFAULT = Duration.ofMinutes(10);

  /** The default age at which operators' requests are removed: 400 days. */
  public static final Duration AUDIT_DEFAULT = Duration.ofDays(400);

  /** The default number of positions, and of inbox records, that one transaction removes. */
  public static final int BATCH_DEFAULT = 10_000;

  /** The largest number of positions, and of inbox records, that one transaction removes. */
  public static final int BATCH_MAX = 1_000_000;

  private static final String USE = "purge old rows";
  private static final int REQUESTS_A_STEP = 1_000;
  private static final Duration AGE_MAX = Duration.ofDays(1000 * 365);

  private final RetentionStore store;
  private final SqlErrors errors;
  private final Duration messageAge;
  private final Duration inboxAge;
  private final Duration auditAge;
  private final RequestTable requests;
  private final OperatorTransactions transactions;
  private final OpenRetentions open;

  /**
   * What is kept for how long, and how it is removed.
   *
   * @param batch how many positions, and inbox records, one transaction removes
   */
  record Terms(Duration messages, InboxRetention inboxes, Duration audit, int batch) {}

  Retention(Database database, DataSource dataSource, Terms terms, OpenRetentions open) {
    this.store = database.retention(dataSource, terms.batch());
    this.errors = database.errors();
    this.requests = database.requests();
    this.transactions = database.transactions(dataSource);
    this.messageAge = terms.messages();
    this.inboxAge = terms.inboxes().keep();
    this.auditAge = terms.audit();
    this.open = open;
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is
   * @param inboxRetention the longest inbox retention of all services in the schema
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name, {@code OUT-020} if no
   *     module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Retention of(DataSource dataSource, String schema, InboxRetention inboxRetention) {
    Require.nonNull("schema", schema);
    Require.nonNull("inboxRetention", inboxRetention);
    return new Retention(
        Databases.find(dataSource, schema),
        dataSource,
        new Terms(MESSAGES_DEFAULT, inboxRetention, AUDIT_DEFAULT, BATCH_DEFAULT),
        new OpenRetentions(new OpenState(), false));
  }

  /**
   * Purges now and then every ten minutes: messages older than {@link
   * OutledgerBuilder#messageRetention} says, seven days by default, and inbox records of every
   * consumer in the schema that are older than the configured inbox retention.
   *
   * @return the running retention; closing its {@link Outledger} also closes it
   * @throws StoreException {@code OUT-026} if the {@link Outledger} it comes from was closed
   */
  public RunningRetention start() {
    return start(messageAge, EVERY_DEFAULT);
  }

  /**
   * Purges now and then at the given interval.
   *
   * @param messages how old a message must be to be removed; zero or more
   * @param every how long to wait between two purges; a millisecond or more
   * @throws ConfigurationException {@code OUT-021} if one of them is less
   * @throws StoreException {@code OUT-026} if the {@link Outledger} it comes from was closed
   */
  public RunningRetention start(Duration messages, Duration every) {
    Require.nonNull("messages", messages);
    Require.nonNull("every", every);
    if (messages.isNegative() || every.compareTo(Duration.ofMillis(1)) < 0) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "invalid retention: age "
              + Printable.span(messages)
              + ", interval "
              + Printable.span(every)
              + "; the age must not be negative and the interval must be positive");
    }
    InboxPurge inboxes =
        new InboxPurge(inboxAge, "of every consumer in this schema", () -> purgeInbox(inboxAge));
    return open.choose(() -> RunningRetention.start(this, messages, inboxes, every));
  }

  /**
   * Removes messages that every subscription has settled, below the first that is younger than the
   * age. A message's age counts from its insertion, by the database's clock: its own time, and the
   * clock of the process that appended it, do not matter.
   *
   * @param age how old a message must be; zero or more
   * @return how many were removed
   * @throws ConfigurationException {@code OUT-021} if it is negative
   * @throws StoreException if the database failed; some may have been removed
   */
  public long purgeMessages(Duration age) {
    if (Require.nonNull("age", age).isNegative()) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "age is " + Printable.span(age) + " but must not be negative");
    }
    open.require(USE);
    return toTheEnd(last -> store.purgeMessages(finite(age), last));
  }

  /**
   * Removes records of inboxes that are older than an age, of every consumer in the schema. A
   * message that is delivered again after that takes effect again.
   *
   * @param age the minimum age of a record; not less than the inbox retention
   * @return how many were removed
   * @throws ConfigurationException {@code OUT-018} if it is less; nothing was removed
   * @throws StoreException if the database failed; some may have been removed
   */
  public long purgeInbox(Duration age) {
    if (Require.nonNull("age", age).compareTo(inboxAge) < 0) {
      throw new ConfigurationException(
          ErrorCode.RETENTION_TOO_SHORT,
          "cannot purge inbox records older than "
              + Printable.span(age)
              + " because the inboxes keep ids for "
              + Printable.span(inboxAge)
              + "; a message delivered again after the purge would take effect twice. Use a higher"
              + " age, or configure a shorter inbox retention");
    }
    open.require(USE);
    return toTheEnd(last -> store.purgeInbox(finite(age)));
  }

  /**
   * Removes operators' requests that were over longer ago than the audit's retention, 400 days by
   * default.
   *
   * @return how many were removed
   * @throws StoreException if the database failed; some may have been removed
   */
  public long purgeRequests() {
    open.require(USE);
    return toTheEnd(
        last -> {
          int removed =
              transactions.run(
                  OperatorTransactions.Kind.CHANGES,
                  "purging requests",
                  transaction -> requests.purge(transaction, finite(auditAge), REQUESTS_A_STEP));
          return new Step(removed, removed == REQUESTS_A_STEP, 0);
        });
  }

  Duration auditAge() {
    return auditAge;
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
    return Causes.of(failure).stream()
        .filter(cause -> cause instanceof SQLException sql && isOfRights(sql))
        .findFirst()
        .map(cause -> store.rights());
  }

  private boolean isOfRights(SQLException failure) {
    return errors.classOf(failure) == ErrorClass.RIGHT_MISSING;
  }

  /** Returns up to which position messages have been removed; 0 where none was. */
  public long purgedTo() {
    open.require(USE);
    return store.purgedTo();
  }
}
