// SPDX-License-Identifier: Apache-2.0
package io.outledger.receive;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An open consumer of a broker that acknowledges each delivery by itself, as a queue does. This is
 * all that such a broker's module implements; {@link QueueReceiver} does the rest. For one thread.
 *
 * <p>Whatever a method throws makes the receiver close this consumer, and open another one after a
 * pause: the broker then delivers again what was not acknowledged.
 *
 * @param <P> what the broker knows a delivery by, such as a delivery tag or a receipt
 */
public interface Deliveries<P> {

  /**
   * Waits for deliveries, and returns what came, by stream. A stream is what keeps an order and is
   * paused as a whole when one of its messages can neither be handled nor parked.
   *
   * <p>The broker must bound what it delivers without an acknowledgement, or this method what it
   * asks for. Deliveries that are not acknowledged stay with the receiver, so none of them is
   * returned again while this consumer is open.
   *
   * @param patience how long to wait if there is nothing; less than a second
   * @return deliveries in the order in which they came; empty if none did
   * @throws Exception if the broker cannot be read
   */
  List<Batch<P>> receive(Duration patience) throws Exception;

  /**
   * Stops a stream of which messages wait in the receiver: {@link #receive} returns nothing more of
   * it before it is resumed, and leaves that with the broker. A new consumer has none that is
   * paused.
   *
   * <p>A stream that cannot be paused goes on delivering until the receiver holds 1,000 messages or
   * 16 MiB. Then nothing is received at all, of no stream, until it continues: so only a consumer
   * that has one stream may do without, and implements {@link SingleStreamDeliveries}.
   *
   * @param stream one that has delivered, and is not paused
   * @return whether nothing more of it comes; false if it cannot be paused
   * @throws Exception if the broker cannot be told
   */
  boolean pause(Object stream) throws Exception;

  /**
   * Lets a stream that was paused deliver again. Called only where {@link #pause} returned true.
   *
   * @param stream a stream that is paused
   * @throws Exception if the broker cannot be told
   */
  void resume(Object stream) throws Exception;

  /**
   * Returns for how long the broker may deliver a message again after it was acknowledged, or after
   * the acknowledgement was lost. Asked once, before the first delivery; the receiver compares it
   * with what the consumer remembers.
   *
   * @return empty where the broker does not say
   * @throws Exception if it cannot be read now; receiving goes on without
   */
  Optional<Redelivery> redelivery() throws Exception;

  /**
   * Returns what the broker does with a message that it has delivered too often. Asked before the
   * first delivery: the log says so then where the limit is known and low, and where consumers end
   * at the same place again and again.
   *
   * @return empty where the broker gives up no message
   */
  Optional<DeliveryLimit> deliveryLimit();

  /**
   * Acknowledges deliveries to the broker. They have taken effect, or are parked, durably.
   *
   * @param done one or more, in the order in which each stream delivered them
   * @throws Exception if that failed or may have failed; what was not told is delivered again
   */
  void acknowledge(List<P> done) throws Exception;

  /**
   * Tells the broker that deliveries are still being worked on, where it delivers again what takes
   * too long. Called about once a second, with all that is held back.
   *
   * @param held what was delivered and waits for its stream to continue
   * @throws Exception if the broker cannot be told
   */
  void keep(List<P> held) throws Exception;

  /**
   * Sets aside a delivery that is no message. On return it is acknowledged. Unless implemented, it
   * throws, and the delivery holds its stream.
   *
   * @param unreadable a delivery whose {@code message} is null
   * @throws Exception to hold the stream, and be asked again after the back-off
   */
  default void setAside(Arrival<P> unreadable) throws Exception {
    throw Objects.requireNonNull(unreadable.problem(), "only unreadable deliveries are set aside");
  }

  /**
   * Gives everything back that was delivered and not acknowledged, so that it is delivered again
   * soon, and disconnects. Takes a few seconds at most.
   *
   * @throws Exception if that could not be done cleanly; it is logged
   */
  void close() throws Exception;
}
