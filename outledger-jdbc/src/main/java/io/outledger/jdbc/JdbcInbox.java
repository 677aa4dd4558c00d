// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Outbox;
import io.outledger.Require;
import io.outledger.event.ContextPropagator;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.InboxOutcome;
import io.outledger.inbox.InboxRetention;
import io.outledger.inbox.Received;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.spi.SqlErrors;
import io.outledger.relay.handler.PositionedHandler;
import io.outledger.store.Declaration;
import io.outledger.store.Declaring;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

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

  private final Inbox<Connection> inbox;
  private final JdbcTransactions transactions;
  private final InboxRetention retention;
  private final TypedWork.Parts parts;
  private final SessionHarm harm;
  private final InboxAttempts attempts;
  private final Set<String> replaces;

  JdbcInbox(
      Inbox<Connection> inbox,
      JdbcTransactions transactions,
      InboxRetention retention,
      TypedWork.Parts parts) {
    this.inbox = inbox;
    this.transactions = transactions;
    this.retention = retention;
    this.parts = parts;
    this.harm = new SessionHarm(parts.database());
    this.attempts = new InboxAttempts(inbox, transactions, harm, parts.events().context());
    this.replaces = Set.of();
  }

  private JdbcInbox(JdbcInbox of, Set<String> replaces) {
    this.inbox = of.inbox;
    this.transactions = of.transactions;
    this.retention = of.retention;
    this.parts = of.parts;
    this.harm = of.harm;
    this.attempts = of.attempts;
    this.replaces = replaces;
  }

  /**
   * Returns the inbox for a release that handles less than those before, or other types: each
   * handler that is made of it first ends what members have declared and it does not handle.
   * Otherwise such messages are kept for a member that does.
   */
  public JdbcInbox replaces() {
    return new JdbcInbox(this, Set.of(""));
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
    parts.openState().require(USE);
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
    parts.openState().require(USE);
    return inbox.processAll(connection, messages, work);
  }

  /**
   * Returns a handler for a broker's consumer. It processes a batch and its inbox rows in one
   * transaction. If the batch fails, it rolls back and processes the messages one by one, so that
   * those before the first bad message take effect; {@link
   * io.outledger.inbox.ReceiveFailedException} reports how many. In a receiver of Outledger, what
   * fails is parked with its key in this database instead.
   *
   * <p>Declares in the database what it handles: from then on no other member passes that over.
   *
   * @param work processes each new message; may run again after a roll-back
   * @throws io.outledger.OutledgerException if the database failed: nothing was declared, try again
   */
  public BatchHandler handler(ReceivedWork work) {
    Require.nonNull("work", work);
    return handler(
        WorkTransactions.own(transactions, harm, context()),
        Concern.ALL,
        work,
        (connection, message, attempt) -> work.handle(connection, message));
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
    return handler(WorkTransactions.own(transactions, harm, context()), typed(handlers));
  }

  /**
   * Returns a handler that dispatches events to handlers by class, in transactions that a framework
   * runs; otherwise like {@link #handler(Consumer)}. Give it to a receiver with a {@linkplain
   * io.outledger.receive.ReceiverOptions#withTransactionPerMessage() transaction for each message}
   * where the framework keeps state for each transaction.
   *
   * @param framework makes each transaction, not begun yet
   * @param outbox what handlers append to, in the framework's transaction
   * @param handlers adds a handler for each event class
   * @throws io.outledger.ConfigurationException as {@link #handler(Consumer)} does
   */
  public BatchHandler handler(
      Supplier<FrameworkTransaction> framework,
      Outbox outbox,
      Consumer<EventHandlers.Builder<EventContext>> handlers) {
    Require.nonNull("framework", framework);
    Require.nonNull("outbox", outbox);
    return handler(
        WorkTransactions.of(framework, harm, context()), typed(handlers, connection -> outbox));
  }

  private BatchHandler handler(WorkTransactions working, TypedWork work) {
    return handler(working, work.concern(), work::handle, work::handle);
  }

  private BatchHandler handler(
      WorkTransactions working, Concern concern, ReceivedWork batches, ReceivedRows.Work rows) {
    Declaring own = new Declaring(concern.declared(), replaces);
    ConsumerDeclarations declarations =
        new ConsumerDeclarations(
            inbox.consumer(), parts.database(), transactions, own, parts.newConsumers());
    declarations.declareFirst();
    BatchHandler handler =
        new TransactionalBatchHandler(inbox, working, declarations, concern, batches);
    ReceivedRows received =
        new ReceivedRows(
            new ReceivedRows.Memory(inbox.consumer(), retention, working, declarations),
            parts.database(),
            transactions,
            concern,
            (connection, message, attempt) -> {
              parts.openState().require(USE);
              harm.watched(
                  connection, message.inboxId(), () -> rows.handle(connection, message, attempt));
            });
    return new InboxHandler(
        batch -> {
          parts.openState().require(USE);
          handler.handle(batch);
        },
        received,
        parts.inBackground());
  }

  private ContextPropagator context() {
    return parts.events().context();
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
    Require.nonNull("handler", handler);
    return (position, attempt, message) ->
        attempts.once(
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
      attempts.once(
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
    Require.nonNull("transaction", transaction);
    Require.nonNull("work", work);
    Require.nonNull("message", message);
    parts.openState().require(USE);
    attempts.in(transaction, message, work);
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
   * Returns what retries and discards the messages that receivers of this consumer have parked;
   * {@link Admin#parked} lists them.
   */
  public ParkedReceipts parked() {
    parts.openState().require("administer parked messages");
    return new ParkedReceipts(parts.requester().get(), inbox.consumer());
  }

  /**
   * Ends what a member has declared, because no member handles it any more: such messages are
   * passed over again, and not parked. A member that handles it declares it again.
   *
   * @return whether it was declared
   * @throws io.outledger.StoreException if the database failed. What was asked for may still be
   *     carried out, once; the message then names the request, which {@link Requests#stop} ends
   */
  public boolean endDeclaration(Declaration declared) {
    Require.nonNull("declared", declared);
    return parts.requester().get().endDeclaration(Reader.consumer(consumer()), declared);
  }

  /**
   * Returns the name by which a broker knows this consumer, where its group or durable subscription
   * has the consumer's name: the one that it had first. Under it a consumer that was {@linkplain
   * io.outledger.jdbc.admin.Verb.Rename renamed} gets what waits for it at its broker.
   *
   * @throws io.outledger.OutledgerException if the database failed, or its tables are missing
   */
  public String brokerName() {
    parts.openState().require("read a consumer's first name");
    return transactions.callHandling(
        connection -> {
          try {
            return parts.database().renamedRows().firstName(connection, consumer());
          } catch (SQLException e) {
            throw WriteFailure.of(errors(), e, "read the first name of consumer " + consumer());
          }
        });
  }

  String consumer() {
    return inbox.consumer();
  }

  InboxAttempts attempts() {
    return attempts;
  }

  JdbcTransactions transactions() {
    return transactions;
  }

  SqlErrors errors() {
    return parts.database().errors();
  }

  TypedWork typed(Consumer<EventHandlers.Builder<EventContext>> handlers) {
    return typed(handlers, parts.outbox()::on);
  }

  TypedWork typed(
      Consumer<EventHandlers.Builder<EventContext>> handlers,
      Function<Connection, Outbox> outboxes) {
    return new TypedWork(inbox.consumer(), parts, outboxes, handlers);
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
    retention.check(Require.nonNull("retrySpan", retrySpan), "the sender of " + inbox.consumer());
    return this;
  }
}
