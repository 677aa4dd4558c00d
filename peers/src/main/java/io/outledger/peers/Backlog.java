// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Messages that an application has written and nobody has published yet. */
final class Backlog {

  /** A backlog of old need not be waited for. */
  private static final String UNFLUSHED = "&options=-c%20synchronous_commit=off";

  private static final int TRANSACTION_MESSAGES = 100;
  private static final int WRITERS = 4;

  private Backlog() {}

  /** Writes so many, the way the application always writes. */
  static void write(Contender contender, String jdbcUrl, int messages) throws Exception {
    try (Application application = contender.open(Site.forWriting(jdbcUrl + UNFLUSHED))) {
      for (int done = 0; done < messages; done += TRANSACTION_MESSAGES) {
        int count = Math.min(TRANSACTION_MESSAGES, messages - done);
        application.commit(Business.NONE, NumberedMessage.range(done + 1, count));
      }
    }
  }

  /**
   * Writes so many in a transaction each, from several threads, of which each has its own keys.
   *
   * @param losses what is rolled back between them
   */
  static void writeSingly(
      Contender contender, String jdbcUrl, int messages, Transactions.Losses losses)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (Application application = contender.open(Site.forWriting(jdbcUrl + UNFLUSHED))) {
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(
            threads.submit(
                () -> {
                  Transactions transactions = new Transactions(application, Business.NONE, losses);
                  for (int number = 1; number <= messages; number++) {
                    if (NumberedMessage.keyOf(number) % WRITERS == writer) {
                      transactions.loseSome();
                      transactions.commit(new NumberedMessage(number));
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    } finally {
      Background.close(threads);
    }
  }
}
