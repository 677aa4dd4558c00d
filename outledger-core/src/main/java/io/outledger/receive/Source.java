// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import java.time.Duration;
import java.util.List;

/**
 * A broker's consumer, as a {@link Receiver} uses it. What it throws ends the receiver's step and
 * passes through; the next step must be able to continue. For one thread, except for {@link
 * #isStopping}.
 *
 * @param <P> the broker's places
 */
public interface Source<P> {

  /**
   * Waits for a moment for deliveries and returns them, by stream. A stream is delivered in order,
   * and not while it is paused.
   *
   * @return what came, with a bound on number and bytes; possibly empty
   */
  List<Batch<P>> receive();

  /**
   * Notes that deliveries of one stream are done with: they have taken effect, or are stored in the
   * consumer's database, durably. The broker must not be told before this call, and must be told at
   * the next {@link #commit} at the latest.
   *
   * @param done deliveries of one stream that follow each other, the first not done with first
   */
  void acknowledge(List<Arrival<P>> done);

  /**
   * Gives deliveries of one stream back and pauses the stream. They come again, the same first one
   * first, once the delay is over.
   *
   * @param rest what was delivered of the stream and is not done with, in order
   * @param delay how long to pause the stream
   * @param wantsMore whether more of the stream is of use meanwhile, behind these, to find out who
   *     is to blame
   */
  void giveBack(Batch<P> rest, Duration delay, boolean wantsMore);

  /**
   * Sets aside a delivery that is no message.
   *
   * @throws Exception if that is not the user's choice, or failed: the delivery is given back
   */
  void setAside(Arrival<P> unreadable) throws Exception;

  /** Tells the broker of what was acknowledged. Where that fails, it may deliver that again. */
  void commit();

  /** Says whether the receiver is to do nothing more. Called by any thread. */
  boolean isStopping();
}
