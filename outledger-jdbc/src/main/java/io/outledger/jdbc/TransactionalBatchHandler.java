// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.Printable;
import io.outledger.inbox.BatchHandler;
import io.outledger.inbox.Inbox;
import io.outledger.inbox.ReceiveFailedException;
import io.outledger.inbox.Received;
import io.outledger.log.QuietLog;
import io.outledger.time.TimeSource;
import java.sql.Connection;
import java.util.List;

/**
 * Receives a batch in one transaction; where that fails, one transaction for each message. What
 * does not concern the consumer costs no transaction and is not remembered.
 */
final class TransactionalBatchHandler implements BatchHandler {

  private final Inbox<Connection> inbox;
  private final JdbcTransactions transactions;
  private final Concern concern;
  private final ReceivedWork work;
  private final QuietLog log;

  TransactionalBatchHandler(
      Inbox<Connection> inbox, JdbcTransactions transactions, Concern concern, ReceivedWork work) {
    this.inbox = inbox;
    this.transactions = transactions;
    this.concern = concern;
    this.work = work;
    this.log =
        new QuietLog(
            TransactionalBatchHandler.class, "handler " + inbox.consumer(), TimeSource.system());
  }

  @Override
  public void handle(List<Received> batch) throws InterruptedException {
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
    List<Received> batch = concern.of(received);
    if (!batch.isEmpty()) {
      process(batch);
    }
    concern.passOver(received);
  }

  private void process(List<Received> batch) throws Exception {
    transactions.runNew(
        connection ->
            inbox.processAll(
                connection,
                batch,
                fresh -> {
                  for (Received message : fresh) {
                    work.handle(connection, message);
                  }
                }));
  }
}
