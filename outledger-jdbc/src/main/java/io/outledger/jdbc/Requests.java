// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.RequestState;
import io.outledger.jdbc.admin.RequestStatus;
import io.outledger.jdbc.spi.Database;
import io.outledger.jdbc.spi.OperatorTransactions;
import io.outledger.jdbc.spi.OperatorTransactions.Kind;
import io.outledger.jdbc.spi.RequestRow;
import io.outledger.jdbc.spi.RequestStep;
import io.outledger.jdbc.spi.RequestTable;
import io.outledger.jdbc.spi.VerbText;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;

/**
 * The door through which operators change things. A request is committed, with who and why, before
 * anything is done for it; what it does, and what came of it, is one transaction. If this process
 * dies between, or on the way, a process that runs a relay or a receiver goes on with it within a
 * second. Requests are kept as an audit: nothing but {@linkplain OutledgerBuilder#auditRetention
 * their own retention} removes them.
 *
 * <p>Once the {@link Outledger} it comes from is closed, everything fails with a {@link
 * StoreException} {@code OUT-026}. Thread-safe.
 */
public final class Requests {

  private static final String USE = "use requests";
  private static final long LOOK_MILLIS = 50;
  private static final Duration STEPS_MIN = Duration.ofSeconds(1);
  private static final Duration NANOS_MAX = Duration.ofNanos(Long.MAX_VALUE);
  private static final Duration REQUIRED_MAX = Duration.ofMinutes(10);

  private final RequestTable table;
  private final OperatorTransactions transactions;
  private final RequestExecutor executor;
  private final OpenState openState;
  private final TimeSource time;

  Requests(Database database, DataSource dataSource, OpenState openState, TimeSource time) {
    this.table = database.requests();
    this.transactions = database.transactions(dataSource);
    this.executor = new RequestExecutor(database, dataSource);
    this.openState = openState;
    this.time = time;
  }

  /**
   * Creates it for the tables in a schema.
   *
   * @param dataSource is asked what database it is
   * @throws ConfigurationException {@code OUT-006} if it is not a valid name, {@code OUT-020} if no
   *     module on the class path supports the database
   * @throws StoreException {@code OUT-016} if the database cannot be reached
   */
  public static Requests of(DataSource dataSource, String schema) {
    Require.nonNull("schema", schema);
    return new Requests(
        Databases.find(dataSource, schema), dataSource, new OpenState(), TimeSource.system());
  }

  /**
   * Asks for something: notes it, and begins with it at once. What is done in one step, such as a
   * move, has an end when this returns, unless another process was faster and takes longer than a
   * second. Of what takes many steps this does those of about a second; processes that run a relay
   * or a receiver go on with it. What goes on, such as a retry that the owner carries out, is
   * running.
   *
   * @param request what, who and why; one with the id of an earlier one changes nothing
   * @return how far it has come
   * @throws ConfigurationException {@code OUT-021} if an earlier request with its id asked for
   *     something else; nothing was noted
   * @throws StoreException if the database failed or refused. If the request was noted, it is tried
   *     again: the text says so
   */
  public RequestStatus ask(Request request) {
    return ask(request, Duration.ZERO);
  }

  /**
   * Asks for something, and waits for its end.
   *
   * @param waitMax how long to wait at most; zero for not at all
   * @return how far it has come by then
   * @throws ConfigurationException as {@link #ask(Request)} does, and {@code OUT-021} if the wait
   *     is negative
   * @throws StoreException as {@link #ask(Request)} does
   */
  public RequestStatus ask(Request request, Duration waitMax) {
    Require.nonNull("request", request);
    if (Require.nonNull("waitMax", waitMax).isNegative()) {
      throw invalid("waitMax is " + waitMax + " but must not be negative");
    }
    openState.require(USE);
    note(request);
    return follow(request.id(), waitMax);
  }

  /** Notes it, unless it was noted before. */
  private void note(Request request) {
    Optional<RequestRow> before = executor.get(request.id());
    if (before.isEmpty()) {
      try {
        transactions.run(
            Kind.CHANGES,
            "noting request " + request.id(),
            transaction -> {
              table.insert(transaction, request);
              return Boolean.TRUE;
            });
        return;
      } catch (StoreException e) {
        before = executor.get(request.id()); // another caller may have been faster
        if (before.isEmpty()) {
          throw e;
        }
      }
    }
    requireSame(request, before.get().status());
  }

  /** It may be about somebody, or a route, that was renamed since. */
  private void requireSame(Request request, RequestStatus before) {
    PresentNames.Asked asked =
        new PresentNames.Asked(request.verb().reader(), VerbText.selection(request.verb()));
    PresentNames.Asked then = new PresentNames.Asked(before.reader(), before.selection());
    boolean isSame =
        before.verb().equals(VerbText.name(request.verb()))
            && (then.equals(asked) || then.equals(executor.present(asked)));
    if (!isSame) {
      throw invalid(
          "request "
              + request.id()
              + " was asked for before, for something else: "
              + before.verb()
              + " of "
              + before.reader()
              + "; nothing was noted. Use another id");
    }
  }

  private RequestStatus follow(UUID id, Duration waitMax) {
    Duration stepsMax = waitMax.compareTo(STEPS_MIN) > 0 ? waitMax : STEPS_MIN;
    return follow(id, within(stepsMax), within(waitMax));
  }

  /**
   * Does the steps that are due, and waits.
   *
   * @param mayGoOn whether to do further steps, and to wait for whoever was faster with the first
   * @param mayWait whether to wait for the end
   */
  private RequestStatus follow(UUID id, BooleanSupplier mayGoOn, BooleanSupplier mayWait) {
    RequestStatus status = goOn(id, mayGoOn);
    while (!status.state().isOver()
        && (status.state() == RequestState.WAITING ? mayGoOn : mayWait).getAsBoolean()
        && waitBetweenLooks()) {
      status = goOn(id, mayGoOn);
    }
    return status;
  }

  private BooleanSupplier within(Duration max) {
    long start = time.nanoTime();
    long nanos = max.compareTo(NANOS_MAX) < 0 ? max.toNanos() : Long.MAX_VALUE;
    return () -> time.nanoTime() - start < nanos;
  }

  /** Does the steps that are due, at least one, and returns how far it has come. */
  private RequestStatus goOn(UUID id, BooleanSupplier mayGoOn) {
    Optional<RequestStep> step;
    do {
      step = step(id);
    } while (step.isPresent()
        && !step.get().state().isOver()
        && step.get().next().isZero()
        && mayGoOn.getAsBoolean()
        && !Thread.currentThread().isInterrupted());
    return get(id).orElseThrow(() -> gone(id));
  }

  private Optional<RequestStep> step(UUID id) {
    try {
      return executor.step(id);
    } catch (StoreException e) {
      throw new StoreException(
          e.code(),
          "request "
              + id
              + " was noted, but could not be carried out; processes that run a relay"
              + " or a receiver try it again, until it is stopped: "
              + e.getMessage(),
          e);
    }
  }

  /** Waits a moment, and returns whether to look again: not where the thread is interrupted. */
  private static boolean waitBetweenLooks() {
    try {
      return !new CountDownLatch(1).await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Returns a request; {@link Admin#requests} lists them.
   *
   * @return how far it has come; empty if there is none with this id, or its time in the audit is
   *     over
   * @throws StoreException if the database failed
   */
  public Optional<RequestStatus> get(UUID id) {
    Require.nonNull("id", id);
    openState.require(USE);
    return executor.get(id).map(RequestRow::status);
  }

  /**
   * Ends a request before all of it is done, after the step that is running. What was done stays;
   * what waits for its owner is taken back. A message that is at work at this moment is waited for,
   * up to a second; if that takes longer, the request is running until it has ended, and processes
   * that run a relay or a receiver end it then.
   *
   * @return how far it had come
   * @throws ConfigurationException {@code OUT-025} if there is no request with this id
   * @throws StoreException if the database failed
   */
  public RequestStatus stop(UUID id) {
    Require.nonNull("id", id);
    openState.require(USE);
    BooleanSupplier mayWait = within(STEPS_MIN);
    boolean isOver = executor.stop(id);
    while (!isOver && mayWait.getAsBoolean() && waitBetweenLooks()) {
      isOver = executor.stop(id);
    }
    return get(id)
        .orElseThrow(
            () ->
                new ConfigurationException(
                    ErrorCode.UNKNOWN_SUBSCRIPTION,
                    "there is no request " + id + "; Admin.requests() lists those that are kept"));
  }

  /**
   * Asks, for a short-hand that returns when all steps are done, and returns the request.
   *
   * @throws ConfigurationException what refused it
   * @throws StoreException {@code OUT-027} if its steps, here or in another process, take longer
   *     than ten minutes: others go on with it; or if somebody has stopped it
   */
  RequestStatus askAndRequire(Request request) {
    openState.require(USE);
    note(request);
    BooleanSupplier mayGoOn = within(REQUIRED_MAX);
    RequestStatus status = follow(request.id(), mayGoOn, () -> false);
    String code = status.code();
    if (status.state() == RequestState.REFUSED && code != null) {
      throw new ConfigurationException(codeOf(code), status.result());
    }
    if (status.state() == RequestState.STOPPED) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "request "
              + request.id()
              + " was stopped by somebody before all of it was done: "
              + status.result());
    }
    if (!status.state().isOver() && !mayGoOn.getAsBoolean()) {
      throw new StoreException(
          ErrorCode.STORE_FAILED,
          "request "
              + request.id()
              + " is still being carried out after "
              + REQUIRED_MAX
              + "; processes that run a relay or a receiver go on with it. Look for it by its id");
    }
    return status;
  }

  private static ErrorCode codeOf(String code) {
    for (ErrorCode each : ErrorCode.values()) {
      if (each.code().equals(code)) {
        return each;
      }
    }
    return ErrorCode.INVALID_CONFIGURATION;
  }

  private static StoreException gone(UUID id) {
    return new StoreException(
        ErrorCode.STORE_FAILED,
        "request " + id + " is gone from the table outledger_request: somebody has removed it");
  }

  private static ConfigurationException invalid(String text) {
    return new ConfigurationException(ErrorCode.INVALID_CONFIGURATION, text);
  }
}
