// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Message;
import io.outledger.event.EventHandlers;
import io.outledger.inbox.Received;
import io.outledger.relay.handler.PositionedHandler;
import java.sql.Connection;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A relay's typed handler, in transactions that a framework runs. Thread-safe. */
final class FrameworkHandler implements PositionedHandler {

  private final String subscription;
  private final JdbcInbox inbox;
  private final TypedWork work;
  private final Supplier<FrameworkTransaction> framework;

  FrameworkHandler(
      String subscription,
      JdbcInbox inbox,
      TypedWork work,
      Supplier<FrameworkTransaction> framework) {
    this.subscription = subscription;
    this.inbox = inbox;
    this.work = work;
    this.framework = framework;
  }

  @Override
  public void handle(long position, int attempt, Message message) throws Exception {
    Received told = Received.of(Received.LEDGER + subscription, message);
    if (!work.handles(told)) {
      work.count(told); // it costs neither transaction nor row
      return;
    }
    EventHandlers.Call<EventContext> call = work.read(told);
    Begun transaction = new Begun(framework.get());
    inbox.processIn(
        transaction,
        Received.ofLedger(subscription, position, message),
        () -> call.run(work.context(transaction.connection(), told, position, attempt)));
  }

  /** A framework's transaction that remembers its connection, which the handler is given. */
  private static final class Begun implements FrameworkTransaction {

    private final FrameworkTransaction transaction;
    private @Nullable Connection connection;

    private Begun(FrameworkTransaction transaction) {
      this.transaction = transaction;
    }

    private Connection connection() {
      return Objects.requireNonNull(connection);
    }

    @Override
    public Connection begin() throws Exception {
      Connection begun = transaction.begin();
      connection = begun;
      return begun;
    }

    @Override
    public void commit(Runnable failing) throws Exception {
      transaction.commit(failing);
    }

    @Override
    public void rollBack(Throwable failure) {
      transaction.rollBack(failure);
    }
  }
}
