// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Given;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.store.Declaration;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The inbox of one consumer: makes each message take effect once. Thread-safe; a connection is used
 * by one thread at a time. Once its {@link Outledger} was closed, it and its handlers fail with
 * {@code OUT-026}.
 *
 * <p>Works at every isolation level. READ COMMITTED, PostgreSQL's default, never asks to try again;
 * above it, two deliveries of one message at the same time may end in {@code OUT-027} for one of
 * them, which is then received again and found a duplicate.
 */
public final class JdbcInbox {

  private static final String USE = "process a message";

  /** How long the database is asked whether it is there. */
  private static final int ANSWER_SECONDS = 5;

  private final Inbox<Connection> inbox;
  private final JdbcTransactions transactions;
  private final InboxRetention retention;
  private final TypedWork.Parts parts;
  private final Set<String> handled;
  private final SessionHarm harm;

  /**
   * Makes it.
   *
   * @param handled is told of this consumer once there is a handler for it
   */
  JdbcInbox(
      Inbox<Connection> inbox,
      JdbcTransactions transactions,
      InboxRetention retention,
      TypedWork.Parts parts,
      Set<String> handled) {
    this.inbox = inbox;
    this.handled = handled;
    this.transactions = transactions;
    this.retention = retention;
    this.parts = parts;
    this.harm = new SessionHarm(parts.database());
  }

  /**
   * Runs the work in the caller's transaction, unless the message was processed before. Whatever is
   * thrown, roll the transaction back.
   *
   * @param connection the connection of the caller's transaction
   * @param message the message
   * @param work what to do with it
   * @return {@link InboxOutcome#PROCESSED} where the work ran; it takes effect with the commit
   * @throws X what the work throws
   * @throws io.outledger.StoreException {@code OUT-001} if no transaction is open; {@code OUT-016}
   *     or {@code OUT-027} if the database failed or asks to try again
   */
  public <X extends Exception> InboxOutcome process(
      Connection connection, Received message, Inbox.Work<X> work) throws X {
    parts.life().require(USE);
    return inbox.process(connection, message, work);
  }

  /**
   * Runs the work once for those messages of a batch that were not processed before, in the
   * caller's transaction; all ids in one statement. Whatever is thrown, roll the transaction back.
   *
   * @param connection the connection of the caller's transaction
   * @param messages the batch, in the order received
   * @param work what to do with the new ones
   * @return the outcome of each message, in the batch's order
   * @throws X what the work throws
   * @throws io.outledger.StoreException as {@link #process} does
   */
  public <X extends Exception> List<InboxOutcome> processAll(
      Connection connection, List<Received> messages, Inbox.BatchWork<X> work) throws X {
    parts.life().require(USE);
    return inbox.processAll(connection, messages, work);
  }

  /**
   * Returns a handler for a broker's consumer. It processes a batch and its inbox rows in one
   * transaction. If the batch fails, it rolls back and processes the messages one by one, so that
   * those before the first bad message take effect; {@link
   * io.outledger.inbox.ReceiveFailedException} reports how many. In a receiver of Outledger, what
   * fails is parked with its key in this database instead.
   *
   * @param work processes each new message; may run again after a roll-back
   */
  public BatchHandler handler(ReceivedWork work) {
    Given.check("work", work);
    BatchHandler handler = batches(Concern.ALL, work);
    ReceivedRows rows =
        rows(
            Concern.ALL,
            (connection, message, attempt) -> {
              parts.life().require(USE);
              work.handle(connection, message);
            });
    return new InboxHandler(whileOpen(handler), rows);
  }

  /**
   * Returns a handler that dispatches events to handlers by class; otherwise like {@link
   * #handler(ReceivedWork)}. A message whose type has no handler is skipped without a transaction
   * or an inbox row. A message of an unregistered type is also skipped, and counted by {@link
   * Outledger#passedOver()} once its delivery is done.
   *
   * <pre>{@code
   * inbox.handler(h -> h.on(OrderPlaced.class, (order, context) -> stock.reserve(order)));
   * }</pre>
   *
   * @param handlers adds a handler for each event class
   * @throws io.outledger.ConfigurationException {@code OUT-011} if a class is not registered,
   *     {@code OUT-021} if none is named, or one twice
   */
  public BatchHandler handler(Consumer<EventHandlers.Builder<EventContext>> handlers) {
    TypedWork work = typed(handlers);
    BatchHandler handler = batches(work.concern(), work::handle);
    ReceivedRows rows =
        rows(
            work.concern(),
            (connection, message, attempt) -> {
              parts.life().require(USE);
              work.handle(connection, message, attempt);
            });
    return new InboxHandler(whileOpen(handler), rows);
  }

  /**
   * Returns a handler for messages that stay in the application. It processes each message and its
   * inbox row in one transaction, so that the message takes effect once. The inbox row holds the
   * position of the message.
   *
   * @param subscription the subscription whose messages are handled
   * @param handler what to do with each new message
   */
  public PositionedHandler handler(String subscription, TransactionalHandler handler) {
    Given.check("handler", handler);
    return (position, attempt, message) ->
        once(
            Received.ofLedger(subscription, position, message),
            connection -> handler.handle(connection, message));
  }

  /**
   * Returns a handler that dispatches events to handlers by class; otherwise like {@link
   * #handler(String, TransactionalHandler)}. Skipped messages cost no transaction and no inbox row.
   *
   * @param subscription the subscription whose messages are handled
   * @param handlers adds a handler for each event class
   * @throws io.outledger.ConfigurationException as {@link #handler(Consumer)} does
   */
  public PositionedHandler handler(
      String subscription, Consumer<EventHandlers.Builder<EventContext>> handlers) {
    return handler(subscription, typed(handlers));
  }

  PositionedHandler handler(String subscription, TypedWork work) {
    return (position, attempt, message) -> {
      Received told = Received.of(Received.LEDGER + subscription, message);
      if (!work.handles(told)) {
        work.count(told);
        return;
      }
      EventHandlers.Call<EventContext> call = work.read(told);
      once(
          Received.ofLedger(subscription, position, message),
          connection -> call.run(work.context(connection, told, position, attempt)));
    };
  }

  /**
   * Processes a message in a transaction of its own that a framework runs, unless it was processed
   * before. For a handler of a relay, which throws what this throws: an outage of the database is
   * told from a message whose work ends its session each time.
   *
   * @param transaction not begun yet; is committed where the work returns, else rolled back
   * @param message the message
   * @param work what to do with it
   * @throws io.outledger.StoreException {@code OUT-016} and others that tell of an outage if the
   *     database could not be reached, is read-only or has no room, however a library has wrapped
   *     that; {@code OUT-027} if the work is at fault
   * @throws Exception what the work or the framework throws
   */
  public void processIn(
      FrameworkTransaction transaction, Received message, Inbox.Work<Exception> work)
      throws Exception {
    Given.check("transaction", transaction);
    Given.check("work", work);
    Given.check("message", message);
    attempt(
        message,
        attempt -> {
          Connection connection = transaction.begin();
          attempt.begun();
          try {
            attempt.processed(process(connection, message, () -> attempt.work(connection, work)));
          } catch (Throwable failure) {
            transaction.rollBack(failure);
            throw failure;
          }
          transaction.commit(() -> attempt.failsBeforeCommit(connection));
        });
  }

  /**
   * Counts a message that this consumer passes over, because its type is not registered; see {@link
   * Outledger#passedOver()}. For handlers that a framework calls: those of this class do it.
   *
   * @param type the message's type, as it came
   * @param version the type's version
   */
  public void passOver(String type, int version) {
    parts.passedOver().count(inbox.consumer(), type, version);
  }

  /**
   * Returns the administration of what receivers of this consumer have parked: list, retry and
   * discard.
   */
  public ParkedReceipts parked() {
    parts.life().require("administer parked messages");
    return new ParkedReceipts(
        parts.database(), transactions, inbox.consumer(), handled, parts.life());
  }

  /**
   * Returns what the members of this consumer have declared: which types each handles.
   *
   * @throws io.outledger.StoreException if the database failed
   */
  public Set<Declaration> declarations() {
    return declarations(Set.of()).all();
  }

  /**
   * Ends what a member has declared, because no member handles it any more: such messages are
   * passed over again, and not parked. A member that handles it declares it again.
   *
   * @return whether it was declared
   * @throws io.outledger.StoreException if the database failed; nothing has changed
   */
  public boolean endDeclaration(Declaration declared) {
    return declarations(Set.of()).end(Given.check("declared", declared));
  }

  private ConsumerDeclarations declarations(Set<Declaration> own) {
    return new ConsumerDeclarations(inbox.consumer(), parts.database(), transactions, own);
  }

  String consumer() {
    return inbox.consumer();
  }

  JdbcTransactions transactions() {
    return transactions;
  }

  SqlErrors errors() {
    return parts.database().errors();
  }

  private BatchHandler batches(Concern concern, ReceivedWork work) {
    return new TransactionalBatchHandler(
        inbox, transactions, declarations(concern.declared()), concern, work);
  }

  private ReceivedRows rows(Concern concern, ReceivedRows.Work work) {
    handled.add(inbox.consumer());
    ReceivedRows.Memory memory = new ReceivedRows.Memory(inbox.consumer(), retention, harm);
    return new ReceivedRows(
        memory,
        parts.database(),
        transactions,
        concern,
        (connection, message, attempt) ->
            harm.watched(
                connection, message.inboxId(), () -> work.handle(connection, message, attempt)));
  }

  private BatchHandler whileOpen(BatchHandler handler) {
    return batch -> {
      parts.life().require(USE);
      handler.handle(batch);
    };
  }

  TypedWork typed(Consumer<EventHandlers.Builder<EventContext>> handlers) {
    return new TypedWork(inbox.consumer(), parts, handlers);
  }

  private void once(Received message, JdbcTransactions.Work<Exception> work) throws Exception {
    once(message, connection -> {}, work);
  }

  /**
   * Processes a message in a transaction of its own, unless it was processed before, and explains
   * what that throws.
   *
   * @param begun is told of the transaction's connection before anything else
   */
  void once(
      Received message,
      JdbcTransactions.Work<Exception> begun,
      JdbcTransactions.Work<Exception> work)
      throws Exception {
    attempt(
        message,
        attempt ->
            transactions.runNew(
                connection -> {
                  begun.run(connection);
                  attempt.begun();
                  attempt.processed(
                      inbox.process(
                          connection,
                          message,
                          () -> attempt.work(connection, () -> work.run(connection))));
                }));
  }

  /** Makes one attempt at a message, and explains what its transaction throws. */
  private void attempt(Received message, Transaction transaction) throws Exception {
    Attempt attempt = new Attempt(harm, message.inboxId());
    try {
      transaction.run(attempt);
    } catch (Exception e) {
      throw attempt.explain(e, this::databaseAnswers);
    }
    attempt.succeeded();
  }

  /** Runs the transaction of an attempt, and tells the attempt how far it has come. */
  @FunctionalInterface
  private interface Transaction {
    void run(Attempt attempt) throws Exception;
  }

  /** Notes that a message's transaction was ended from outside, so that it is not at fault. */
  void acquit(Received message) {
    harm.acquit(message.inboxId());
  }

  private boolean databaseAnswers() {
    try {
      return transactions.callNew(connection -> connection.isValid(ANSWER_SECONDS));
    } catch (Exception e) {
      return false; // that it does not answer is told by the failure that made us ask
    }
  }

  /**
   * Checks at start that this inbox keeps ids for longer than messages may be delivered again. A
   * receiver of Outledger does so by itself where its broker says how long that is.
   *
   * @param retrySpan the longest time after which a message may be delivered again, such as the
   *     retention of the topic
   * @return this inbox
   * @throws io.outledger.ConfigurationException {@code OUT-018} if the inbox forgets ids sooner
   */
  public JdbcInbox covers(Duration retrySpan) {
    retention.check(Given.check("retrySpan", retrySpan), "the sender of " + inbox.consumer());
    return this;
  }
}
