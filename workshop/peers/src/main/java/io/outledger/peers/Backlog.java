// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

import java.util.List;

/** Messages that an application has written and nobody has published yet. */
final class Backlog {

  /** A backlog of old need not be waited for. */
  private static final String UNFLUSHED = "&options=-c%20synchronous_commit=off";

  private static final int TRANSACTION_MESSAGES = 100;
  private static final int WRITERS = 4;

  private Backlog() {}

  /** Writes this number of messages, the way the application always writes. */
  static void write(ApplicationFactory factory, String jdbcUrl, int messages) throws Exception {
    try (Application application = factory.open(Site.forWriting(jdbcUrl + UNFLUSHED))) {
      for (int done = 0; done < messages; done += TRANSACTION_MESSAGES) {
        int count = Math.min(TRANSACTION_MESSAGES, messages - done);
        application.commit(Business.NONE, NumberedMessage.range(done + 1, count));
      }
    }
  }

  /**
   * Writes this number of messages, one per transaction, from threads with keys of their own.
   *
   * @param losses what is rolled back between them
   */
  static void writeSingly(
      ApplicationFactory factory, String jdbcUrl, int messages, Transactions.Losses losses)
      throws Exception {
    try (Application application = factory.open(Site.forWriting(jdbcUrl + UNFLUSHED))) {
      List<Integer> written =
          Background.inThreads(
              WRITERS, writer -> () -> writeKeysOf(writer, application, messages, losses));
      if (written.stream().mapToInt(Integer::intValue).sum() != messages) {
        throw new IllegalStateException("wrote " + written + " and not " + messages);
      }
    }
  }

  private static int writeKeysOf(
      int writer, Application application, int messages, Transactions.Losses losses)
      throws Exception {
    Transactions transactions = new Transactions(application, Business.NONE, losses);
    int count = 0;
    for (int number = 1; number <= messages; number++) {
      if (NumberedMessage.keyOf(number) % WRITERS == writer) {
        transactions.loseSome();
        transactions.commit(new NumberedMessage(number));
        count++;
      }
    }
    return count;
  }
}
