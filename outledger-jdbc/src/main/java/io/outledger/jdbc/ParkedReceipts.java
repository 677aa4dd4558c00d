// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import io.outledger.StoreException;
import io.outledger.jdbc.admin.Pace;
import io.outledger.jdbc.admin.ParkedRequest;
import io.outledger.jdbc.admin.ParkedSelection;
import io.outledger.jdbc.admin.Reader;
import io.outledger.jdbc.admin.Request;
import io.outledger.jdbc.admin.Verb;
import io.outledger.jdbc.admin.Which;

/**
 * Retries and discards what a consumer has received and parked: short for {@link Requests}, in the
 * name of this process, or of {@link #by somebody}. A running receiver of the consumer carries a
 * request out within about a second. {@link Admin#parked} lists what is parked. Once the {@link
 * Outledger} it comes from is closed, everything fails with a {@link StoreException} {@code
 * OUT-026}. Thread-safe.
 *
 * <p>A consumer is known once it has processed or parked a message in this schema, or a receiver
 * has declared what it handles.
 */
public final class ParkedReceipts {

  private final Requester requester;
  private final Reader reader;

  ParkedReceipts(Requester requester, String consumer) {
    this.requester = requester;
    this.reader = Reader.consumer(consumer);
  }

  /**
   * Returns the same, which asks in somebody's name and not in that of this process: the audit then
   * says who and why.
   *
   * @param who 1 to {@value Request#ASKED_BY_CHARS_MAX} characters
   * @param reason 1 to {@value Request#REASON_CHARS_MAX} characters; what asks refuses others with
   *     {@code OUT-021}
   */
  public ParkedReceipts by(String who, String reason) {
    Require.nonNull("who", who);
    Require.nonNull("reason", reason);
    return new ParkedReceipts(requester.by(who, reason), reader.name());
  }

  /**
   * Requests an immediate retry of a dead or retrying message: one more attempt.
   *
   * @return whether there was one; a held message follows the one that it is held behind
   * @throws ConfigurationException {@code OUT-025} if there is no such consumer
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public boolean retry(long number) {
    return request(ParkedRequest.RETRY, new Which.Numbered(number)) > 0;
  }

  /** Requests that a dead or retrying message be discarded permanently. */
  public boolean discard(long number) {
    return request(ParkedRequest.DISCARD, new Which.Numbered(number)) > 0;
  }

  /**
   * Requests an immediate retry of all selected messages that are dead or retrying, a thousand in
   * each transaction.
   *
   * @return the number of requests recorded
   * @throws ConfigurationException {@code OUT-021} if held messages or a route are selected; {@code
   *     OUT-025} if there is no such consumer
   * @throws StoreException if the database failed. What was asked for may still be carried out,
   *     once; the message then names the request, which {@link Requests#stop} ends
   */
  public int retry(ParkedSelection selection) {
    return request(ParkedRequest.RETRY, new Which.Selected(selection));
  }

  /** Requests that all selected messages that are dead or retrying be discarded permanently. */
  public int discard(ParkedSelection selection) {
    return request(ParkedRequest.DISCARD, new Which.Selected(selection));
  }

  private int request(ParkedRequest what, Which which) {
    Verb verb =
        what == ParkedRequest.RETRY
            ? new Verb.Retry(reader, which, Pace.UNLIMITED)
            : new Verb.Discard(reader, which, Pace.UNLIMITED);
    return Math.toIntExact(requester.count(verb));
  }
}
