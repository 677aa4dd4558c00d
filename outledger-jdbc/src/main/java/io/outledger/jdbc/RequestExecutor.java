// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Causes;
import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.jdbc.RequestWork.SoFar;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.ErrorClass;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.TakenBack;
import io.outledger.jdbc.spi.VerbText;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does what operators ask for, one rule for all verbs: a step locks the request's row, acts, and
 * writes progress, result and state in that transaction. Killed at any moment it has left nothing,
 * and the next executor does the step. Any number may run, in any number of processes. Thread-safe.
 */
final class RequestExecutor {

  private static final Logger LOG = LoggerFactory.getLogger(RequestExecutor.class);
  private static final int RACES_MAX = 100;
  private static final String STOPPED = "stopped";

  /** How many requests whose next step is due are read at once. */
  static final int DUE_MAX = 100;

  /** What is about the names themselves. */
  private static final Set<String> OF_NAMES = Set.of("rename", "delete");

  private static final Duration AFTER_FAILURE = Duration.ofSeconds(5);

  private final Database database;
  private final RequestTable table;
  private final OperatorTransactions transactions;
  private final RequestWorks works;
  private final PresentNames names;

  RequestExecutor(Database database, DataSource dataSource) {
    this.database = database;
    this.table = database.requests();
    this.transactions = database.transactions(dataSource);
    this.works = new RequestWorks(database, database.subscriptions(), transactions);
    this.names = new PresentNames(database);
  }

  /**
   * Returns the ids of requests whose next step is due, {@value #DUE_MAX} at most.
   *
   * @param skipped so many that wait longest are left out
   */
  List<UUID> due(int skipped) {
    return transactions.run(
        Kind.READS,
        "looking for requests",
        transaction -> table.due(transaction, skipped, DUE_MAX));
  }

  /** Returns a request as it stands; empty where there is none. */
  Optional<RequestRow> get(UUID id) {
    return transactions.run(
        Kind.READS, "reading request " + id, transaction -> table.get(transaction, id));
  }

  /**
   * Does the next step of a request.
   *
   * @return what it has come to; empty where it is over, somebody else is at it, or a newer release
   *     has asked for what this one does not know
   * @throws StoreException if the database failed or refused; the request waits
   */
  Optional<RequestStep> step(UUID id) {
    Optional<RequestRow> row =
        get(id).filter(found -> !found.status().state().isOver()).map(this::inNamesOfNow);
    if (row.isEmpty()) {
      return Optional.empty();
    }
    Optional<Verb> verb = VerbText.read(row.get());
    if (verb.isEmpty()) {
      return Optional.empty();
    }
    try {
      return step(row.get(), verb.get());
    } catch (ConfigurationException | InvalidMessageException e) {
      return refuse(row.get(), verb.get(), e.code(), String.valueOf(e.getMessage()));
    }
  }

  /** Returns what is asked for in the names of now. */
  PresentNames.Asked present(PresentNames.Asked asked) {
    return transactions.run(
        Kind.READS, "reading names", transaction -> names.of(transaction, asked));
  }

  /**
   * Has a request that was asked for in an old name be about whoever has the new one, before its
   * first step. Later a rename takes it along.
   */
  private RequestRow inNamesOfNow(RequestRow row) {
    RequestStatus status = row.status();
    if (status.state() != RequestState.WAITING || OF_NAMES.contains(status.verb())) {
      return row;
    }
    PresentNames.Asked asked = new PresentNames.Asked(status.reader(), status.selection());
    PresentNames.Asked now = present(asked);
    if (now.equals(asked)) {
      return row;
    }
    transactions.run(
        Kind.CHANGES,
        "request " + status.id() + ": naming whom it is about",
        transaction -> {
          Optional<RequestRow> locked =
              table.lockFree(transaction, status.id()).filter(each -> isSame(row, each));
          if (locked.isPresent()) {
            table.rename(transaction, locked.get(), now.reader().name(), now.selection());
          }
          return locked.isPresent();
        });
    return get(status.id()).orElse(row);
  }

  private Optional<RequestStep> step(RequestRow row, Verb verb) {
    for (int race = 1; ; race++) {
      try {
        Attempt attempt = attempt(row, works.of(verb));
        if (!attempt.isOvertaken()) {
          attempt.step().ifPresent(step -> tell(row.status(), step));
          return attempt.step();
        }
      } catch (StoreException e) {
        if (race == RACES_MAX || !isDuplicate(e)) {
          throw e;
        }
      }
    }
  }

  /** What one transaction has come to: nothing, where the row was not to be had. */
  private record Attempt(Optional<RequestStep> step, boolean isOvertaken) {}

  private Attempt attempt(RequestRow seen, RequestWork work) {
    work.prepare(seen);
    return transactions.run(
        Kind.CHANGES,
        "request " + seen.status().id() + ": " + seen.status().verb(),
        transaction -> {
          Optional<RequestRow> locked = table.lockFree(transaction, seen.status().id());
          if (locked.isEmpty() || !isSame(seen, locked.get())) {
            return new Attempt(Optional.empty(), false);
          }
          Optional<RequestStep> step =
              Stopping.isSaidBy(locked.get())
                  ? Optional.of(work.stop(transaction, locked.get(), STOPPED))
                  : work.step(transaction, locked.get());
          if (step.isEmpty()) {
            transaction.rollback();
            return new Attempt(step, true);
          }
          table.write(transaction, locked.get(), step.get());
          return new Attempt(step, false);
        });
  }

  /** Returns whether it is still about the same; not where that was renamed meanwhile. */
  private static boolean isSame(RequestRow seen, RequestRow locked) {
    return seen.status().reader().equals(locked.status().reader())
        && seen.status().selection().equals(locked.status().selection());
  }

  /** Puts off a request whose step has failed, so that others have their turn. */
  void putOff(UUID id) {
    transactions.run(
        Kind.CHANGES,
        "putting off request " + id,
        transaction -> {
          Optional<RequestRow> locked = table.lockFree(transaction, id);
          if (locked.isPresent()) {
            table.putOff(transaction, locked.get(), AFTER_FAILURE);
          }
          return locked.isPresent();
        });
  }

  /**
   * Ends a request that is not over, after the step that is running, batch by batch.
   *
   * @return whether it is over; not as long as others have locked what waits for its owner
   */
  boolean stop(UUID id) {
    Optional<RequestStep> step;
    do {
      step =
          transactions.run(
              Kind.CHANGES, "stopping request " + id, transaction -> stop(transaction, id));
    } while (step.isPresent() && !step.get().state().isOver() && step.get().next().isZero());
    return step.isEmpty() || step.get().state().isOver();
  }

  private Optional<RequestStep> stop(Connection transaction, UUID id) throws SQLException {
    Optional<RequestRow> locked = table.lock(transaction, id);
    if (locked.isEmpty()) {
      return Optional.empty();
    }
    RequestRow row = locked.get();
    Optional<Verb> verb = VerbText.read(row);
    RequestStep step =
        verb.isEmpty()
            ? Stopping.of(row, STOPPED).step(row, TakenBack.Rest.NONE, SoFar.told(row))
            : works.of(verb.get()).stop(transaction, row, STOPPED);
    table.write(transaction, row, step);
    return Optional.of(step);
  }

  private static RequestStep ended(
      RequestRow row, RequestState state, String result, @Nullable String code) {
    RequestStatus before = row.status();
    return new RequestStep(
        state, before.done(), before.total(), row.place(), result, code, Duration.ZERO);
  }

  /**
   * Refuses what was seen, unless somebody else has come further with it meanwhile. One that was
   * begun has changed something: what waits of it is taken back, and it is stopped.
   */
  private Optional<RequestStep> refuse(RequestRow seen, Verb verb, ErrorCode code, String message) {
    String prefix = code.code() + " ";
    String text = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    UUID id = seen.status().id();
    return transactions.run(
        Kind.CHANGES,
        "refusing request " + id,
        transaction -> {
          Optional<RequestRow> locked =
              table
                  .lockFree(transaction, id)
                  .filter(row -> isSame(seen, row))
                  .filter(row -> row.status().changedAt().equals(seen.status().changedAt()));
          if (locked.isEmpty()) {
            return Optional.empty();
          }
          RequestRow row = locked.get();
          RequestStep step =
              row.status().state() == RequestState.WAITING
                  ? ended(row, RequestState.REFUSED, text, code.code())
                  : works
                      .of(verb)
                      .stop(transaction, row, "stopped, because it could not go on: " + message);
          table.write(transaction, row, step);
          tell(row.status(), step);
          return Optional.of(step);
        });
  }

  private static void tell(RequestStatus request, RequestStep step) {
    if (step.state() == RequestState.RUNNING) {
      return;
    }
    LOG.info(
        "request {}: {} of {} is {}: {} (asked by {}: {})",
        request.id(),
        request.verb(),
        request.reader(),
        step.state().stored(),
        Printable.value(step.result()),
        Printable.value(request.askedBy()),
        Printable.value(request.reason()));
  }

  private boolean isDuplicate(StoreException failure) {
    return isOf(failure, ErrorClass.DUPLICATE_KEY);
  }

  /** Returns whether a failure is that of a role without a right. */
  boolean lacksRight(StoreException failure) {
    return isOf(failure, ErrorClass.RIGHT_MISSING);
  }

  private boolean isOf(StoreException failure, ErrorClass wanted) {
    return Causes.of(failure).stream()
        .anyMatch(
            cause -> cause instanceof SQLException sql && database.errors().classOf(sql) == wanted);
  }
}
