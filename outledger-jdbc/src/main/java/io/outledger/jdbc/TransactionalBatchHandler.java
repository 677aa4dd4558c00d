// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ErrorCode;
import io.outledger.Printable;
import io.outledger.StoreException;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.store.Declaration;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;

/**
 * Receives a batch in one transaction; where that fails, one transaction for each message. What
 * does not concern the consumer costs no transaction and is not remembered.
 */
final class TransactionalBatchHandler implements BatchHandler {

  private final Inbox<Connection> inbox;
  private final WorkTransactions working;
  private final ConsumerDeclarations declarations;
  private final Concern concern;
  private final ReceivedWork work;
  private final QuietLog log;

  TransactionalBatchHandler(
      Inbox<Connection> inbox,
      WorkTransactions working,
      ConsumerDeclarations declarations,
      Concern concern,
      ReceivedWork work) {
    this.inbox = inbox;
    this.working = working;
    this.declarations = declarations;
    this.concern = concern;
    this.work = work;
    this.log =
        new QuietLog(
            TransactionalBatchHandler.class, "handler " + inbox.consumer(), TimeSource.system());
  }

  @Override
  public void handle(List<Received> batch) throws InterruptedException {
    declarations.declare();
    try {
      inOneTransaction(batch);
    } catch (Throwable failure) {
      throwWhatIsNotTheWorks(failure);
      if (batch.size() == 1) {
        throw new ReceiveFailedException(0, batch.get(0), failure);
      }
      log.batchFails(batch.size(), Printable.text(failure));
      oneByOne(batch);
    }
  }

  // A batch whose commit had an unknown outcome may come here too: what it did is then a duplicate.
  private void oneByOne(List<Received> batch) throws InterruptedException {
    for (int done = 0; done < batch.size(); done++) {
      try {
        inOneTransaction(batch.subList(done, done + 1));
      } catch (Throwable failure) {
        throwWhatIsNotTheWorks(failure);
        throw new ReceiveFailedException(done, batch.get(done), failure);
      }
    }
  }

  // An interrupt is for the thread. All else that work can throw, an Error too, is the failure of
  // one message.
  private static void throwWhatIsNotTheWorks(Throwable failure) throws InterruptedException {
    if (failure instanceof InterruptedException interrupt) {
      throw interrupt;
    }
  }

  private void inOneTransaction(List<Received> received) throws Exception {
    refuseWhatOthersHandle(concern.others(received));
    List<Received> batch = concern.of(received);
    for (List<Received> unit : working.units(batch)) {
      process(unit);
    }
    concern.passOver(received);
  }

  /** Here nothing can be parked for another member, so its message has to come again. */
  private void refuseWhatOthersHandle(List<Received> unhandled) {
    for (Optional<Declaration> other : declarations.others(unhandled)) {
      if (other.isPresent()) {
        throw new StoreException(
            ErrorCode.STORE_FAILED,
            "another member of consumer "
                + inbox.consumer()
                + " has declared "
                + other.get()
                + ", which this one does not handle: only a member that does may take the message",
            null);
      }
    }
  }

  private void process(List<Received> batch) throws Exception {
    working.run(
        batch.get(0).headers(),
        (connection, done) -> {
          declarations.lookNowAndThen(connection);
          return inbox.processAll(
              connection,
              batch,
              fresh -> {
                for (Received message : fresh) {
                  work.handle(connection, message);
                }
              });
        });
  }
}
