// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.Require;
import io.outledger.publish.KeyOrder;
import io.outledger.publish.Outcomes;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import java.time.Duration;

/**
 * Sends one mail for each message, through an SMTP server. Which messages become mails is the
 * route's filter; what is in a mail is the {@link MailMapper}'s.
 *
 * <p>Mails of one key are sent one after the other, those of different keys side by side. The
 * message's id is in the header {@code Message-ID}, the same at each attempt: where the server's
 * last answer is lost, or the relay crashes after it, the mail is sent a second time, and nothing
 * can prevent that. {@code Date} is the message's time.
 *
 * <p>Immutable and thread-safe; each setter returns a copy.
 */
public final class MailPublisher implements Publisher {

  private static final int THREADS_DEFAULT = 4;
  private static final int THREADS_MAX = 100;
  private static final int BYTES_DEFAULT = 10 << 20;
  private static final int BYTES_MIN = 1_000;
  private static final int BYTES_MAX = 200 << 20;

  private final MailServer server;
  private final MailAddress from;
  private final MailMapper mapper;
  private final int threads;
  private final int mailBytesMax;

  private MailPublisher(
      MailServer server, MailAddress from, MailMapper mapper, int threads, int mailBytesMax) {
    this.server = server;
    this.from = from;
    this.mapper = mapper;
    this.threads = threads;
    this.mailBytesMax = mailBytesMax;
  }

  /**
   * Makes a publisher.
   *
   * @param server takes the mails
   * @param from the sender of all mails; what cannot be delivered comes back to it. Its domain is
   *     part of each {@code Message-ID}
   * @param mapper makes a mail of a message
   * @throws ConfigurationException {@code OUT-021} if an argument is null
   */
  public static MailPublisher through(MailServer server, MailAddress from, MailMapper mapper) {
    return new MailPublisher(
        Require.nonNull("server", server),
        Require.nonNull("from", from),
        Require.nonNull("mapper", mapper),
        THREADS_DEFAULT,
        BYTES_DEFAULT);
  }

  /**
   * Returns a publisher that sends with this number of threads, and so of connections.
   *
   * @param value 1 to 100; the default is 4. Servers allow few connections of one client
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public MailPublisher threads(int value) {
    if (value < 1 || value > THREADS_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION, "threads must be 1 to 100, not " + value);
    }
    return new MailPublisher(server, from, mapper, value, mailBytesMax);
  }

  /**
   * Returns a publisher with another limit for a mail as it is sent, its encoding included. A
   * larger one is a failed attempt; the server's own limit holds too.
   *
   * @param value 1,000 bytes to 200 MiB; the default is 10 MiB
   * @throws ConfigurationException {@code OUT-021} if it is out of range
   */
  public MailPublisher mailBytesMax(int value) {
    if (value < BYTES_MIN || value > BYTES_MAX) {
      throw new ConfigurationException(
          ErrorCode.INVALID_CONFIGURATION,
          "mailBytesMax must be 1,000 to 209,715,200 bytes, not " + value);
    }
    return new MailPublisher(server, from, mapper, threads, value);
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.ONE_AT_A_TIME;
  }

  @Override
  public PublisherClient open(Duration deliveryTimeMax, Outcomes outcomes) {
    return new MailClient(this, deliveryTimeMax, outcomes);
  }

  MailServer server() {
    return server;
  }

  MailAddress from() {
    return from;
  }

  MailMapper mapper() {
    return mapper;
  }

  int threadCount() {
    return threads;
  }

  int bytesMax() {
    return mailBytesMax;
  }

  /** Names the server. */
  @Override
  public String toString() {
    return "MailPublisher[" + server + "]";
  }
}
