// SPDX-License-Identifier: Apache-2.0
package io.outledger.peers;

/** Messages that an application has written and nobody has published yet. */
final class Backlog {

  /** A backlog of old need not be waited for. */
  private static final String UNFLUSHED = "&options=-c%20synchronous_commit=off";

  private static final int TRANSACTION_MESSAGES = 100;

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
}
