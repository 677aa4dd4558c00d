// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.cloudevents.CloudEvents;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/**
 * Carries messages into another database. Each message is handled in one transaction there, in
 * which that database's inbox also remembers it, so its effect happens once in both databases: a
 * message that is delivered again is found in the inbox and changes nothing.
 *
 * <p>Messages of one key are handled one after the other, those of different keys side by side.
 *
 * <p>A statement without an answer within half of the relay's lease counts as a lost connection.
 * How long it takes to get a connection is the data source's affair.
 *
 * <p>A handler of a relay ({@link RelayBuilder#handlerWithoutTransaction}) can do the same. There a
 * driver's exception counts as a failure of each message; here a database that is away is an
 * outage, in which no attempt is counted and nothing is parked.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class JdbcPublisher implements Publisher {

  private static final int THREADS_DEFAULT = 4;
  private static final int THREADS_MAX = 1_000;

  private final JdbcInbox inbox;
  private final String source;
  private final TransactionalHandler handler;
  private final int threads;

  private JdbcPublisher(JdbcInbox inbox, String source, TransactionalHandler handler, int threads) {
    this.inbox = inbox;
    this.source = source;
    this.handler = handler;
    this.threads = threads;
  }

  /**
   * Makes a publisher.
   *
   * @param inbox an inbox of the other database's {@link Outledger}
   * @param source names the ledger that the messages come from, and must never change: with the
   *     message's id it is what the inbox remembers. Each ledger that leads to this inbox has
   *     another one
   * @param handler writes a message into the other database, in the transaction it is given there
   * @throws ConfigurationException {@code OUT-021} if an argument is null, or the source is not a
   *     URI reference of 1 to 200 characters
   */
  public static JdbcPublisher into(JdbcInbox inbox, String source, TransactionalHandler handler) {
    return new JdbcPublisher(
        Require.nonNull("inbox", inbox),
        CloudEvents.checkedSource(source),
        Require.nonNull("handler", handler),
        THREADS_DEFAULT);
  }

  /**
   * Returns a publisher that works with this number of threads, each of which takes a connection to
   * the other database while it handles a message.
   *
   * @param value 1 to 1,000; the default is 4
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public JdbcPublisher threads(int value) {
    if (value < 1 || value > THREADS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "threads must be 1 to 1,000, not " + value);
    }
    return new JdbcPublisher(inbox, source, handler, value);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new JdbcPublisherClient(this, deliveryTimeMax, outcomes);
  }

  JdbcInbox inbox() {
    return inbox;
  }

  String source() {
    return source;
  }

  TransactionalHandler handler() {
    return handler;
  }

  int threadCount() {
    return threads;
  }

  /** Names the source and the consumer. */
  @Override
  public String toString() {
    return "JdbcPublisher[" + source + " into " + inbox.consumer() + "]";
  }
}
