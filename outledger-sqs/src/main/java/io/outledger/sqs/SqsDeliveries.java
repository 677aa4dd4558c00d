// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.Deliveries;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.ReceiverSettings;
import io.outledger.receive.Redelivery;
import io.outledger.time.TimeSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Deliveries of one queue. Where handling is quick, a long poll for the next ones runs beside it.
 * For one thread.
 */
final class SqsDeliveries implements Deliveries<SqsReader.Place> {

  private static final Duration LAST_POLL_MAX = SqsCalls.WAIT.plusSeconds(1);
  private static final int OVERHEAD_BYTES = 500;

  private final SqsCalls calls;
  private final Duration visibility;
  private final ReceiverSettings settings;
  private final Unfinished unfinished;
  private final Told told;
  private final SqsReader reader = new SqsReader();
  private final TimeSource time = TimeSource.system(); // of the network, whatever the receiver's is
  private @Nullable CompletableFuture<Polled> poll;
  private long returnedAt;

  /**
   * What a queue says of itself.
   *
   * @param redelivery how long it keeps a message; null where that is unknown
   * @param limit after how many receives it moves a message away; null if it does not say so
   */
  record Told(@Nullable Redelivery redelivery, @Nullable DeliveryLimit limit) {

    static final Told NOTHING = new Told(null, null);
  }

  /** What a poll returned, and when it did. */
  private record Polled(List<Message> messages, long atNanos) {}

  /** A delivery that is not acknowledged. */
  private static final class Delivery {
    private Message message;
    private long untilNanos;

    private Delivery(Message message, long untilNanos) {
      this.message = message;
      this.untilNanos = untilNanos;
    }
  }

  /**
   * What was delivered and is neither acknowledged nor given back, also because SQS could not be
   * reached: it would deliver that again only when its visibility timeout is over.
   */
  static final class Unfinished {
    private final Map<SqsReader.Place, Delivery> deliveries = new LinkedHashMap<>();
  }

  private SqsDeliveries(
      SqsCalls calls,
      Duration visibility,
      ReceiverSettings settings,
      Unfinished unfinished,
      Told told) {
    this.calls = calls;
    this.visibility = visibility;
    this.settings = settings;
    this.unfinished = unfinished;
    this.told = told;
    this.returnedAt = time.nanoTime();
  }

  /**
   * Opens deliveries, and gives back what earlier ones had.
   *
   * @param told what the queue says of itself
   * @throws DestinationUnavailableException if SQS cannot be reached, or has no such queue
   */
  static SqsDeliveries open(
      SqsCalls calls,
      Duration visibility,
      ReceiverSettings settings,
      Unfinished unfinished,
      Told told)
      throws InterruptedException {
    SqsDeliveries open = new SqsDeliveries(calls, visibility, settings, unfinished, told);
    open.giveBackAll();
    return open;
  }

  @Override
  public List<Batch<SqsReader.Place>> receive(Duration patience) throws Exception {
    boolean isQuick = time.nanoTime() - returnedAt < visibility.toNanos() / 4;
    try {
      CompletableFuture<Polled> current = poll == null ? startPoll() : poll;
      poll = current;
      Polled came = await(current, patience);
      if (came == null) {
        return List.of();
      }
      // What waits here for long would be delivered again meanwhile.
      poll = isQuick && !came.messages().isEmpty() ? startPoll() : null;
      return batches(came);
    } finally {
      returnedAt = time.nanoTime();
    }
  }

  private CompletableFuture<Polled> startPoll() {
    return calls.receive(visibility).thenApply(messages -> new Polled(messages, time.nanoTime()));
  }

  /** Returns null where nothing has come yet. */
  private @Nullable Polled await(CompletableFuture<Polled> current, Duration patience)
      throws InterruptedException {
    try {
      return current.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      poll = null;
      throw AwsOutcomes.unavailable(calls.queue().given(), e);
    }
  }

  private List<Batch<SqsReader.Place>> batches(Polled came) {
    long until = came.atNanos() + visibility.toNanos();
    if (left(until) < visibility.toNanos() / 4) {
      return List.of(); // SQS delivers it again
    }
    Map<Object, List<Arrival<SqsReader.Place>>> streams = new LinkedHashMap<>();
    for (Message message : came.messages()) {
      SqsReader.Place place = new SqsReader.Place(calls.queue().name(), message.messageId());
      Delivery known = unfinished.deliveries.get(place);
      if (known == null) {
        unfinished.deliveries.put(place, new Delivery(message, until));
        Arrival<SqsReader.Place> arrival = arrival(place, message);
        streams.computeIfAbsent(stream(arrival, message), any -> new ArrayList<>()).add(arrival);
      } else { // it took longer than SQS waits, and comes again with another receipt
        known.message = message;
        known.untilNanos = until;
      }
    }
    return streams.entrySet().stream()
        .map(stream -> new Batch<>(stream.getKey(), stream.getValue()))
        .toList();
  }

  private long left(long untilNanos) {
    return untilNanos - time.nanoTime();
  }

  private Arrival<SqsReader.Place> arrival(SqsReader.Place place, Message message) {
    String body = message.body();
    int bytes = OVERHEAD_BYTES + (body == null ? 0 : body.length());
    return Arrival.read(place, bytes, () -> reader.read(place, message, settings.origin()));
  }

  /**
   * A group keeps its order. A standard queue keeps none, so what cannot be read there holds
   * nothing but itself.
   */
  private Object stream(Arrival<SqsReader.Place> arrival, Message message) {
    if (calls.queue().isFifo()) {
      return message.attributes().getOrDefault(MessageSystemAttributeName.MESSAGE_GROUP_ID, "");
    }
    return arrival.message() == null ? arrival.place() : calls.queue();
  }

  /**
   * SQS itself delivers nothing of a group while it waits for a message of it, and an unreadable
   * message of a standard queue is a stream without a second one. The rest of such a queue is one
   * stream, beside which there is nothing else to receive.
   */
  @Override
  public boolean pause(Object stream) {
    return !stream.equals(calls.queue());
  }

  /** The deletion of what was delivered has SQS go on. */
  @Override
  public void resume(Object stream) {}

  /** What could not be deleted comes again until SQS deletes it by itself. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.ofNullable(told.redelivery());
  }

  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.ofNullable(told.limit());
  }

  @Override
  public void acknowledge(List<SqsReader.Place> done) throws Exception {
    Map<Integer, String> failed = calls.delete(receipts(done));
    for (int i = 0; i < done.size(); i++) {
      if (!failed.containsKey(i)) {
        unfinished.deliveries.remove(done.get(i));
      }
    }
    if (!failed.isEmpty()) {
      throw new IOException(
          "SQS did not delete messages of '"
              + calls.queue().given()
              + "' that have taken effect, and delivers them again: "
              + new TreeSet<>(failed.values())
              + "; where they took longer than their visibility timeout, raise visibility of"
              + " SqsReceiver");
    }
  }

  private List<String> receipts(List<SqsReader.Place> places) {
    return places.stream().map(place -> delivery(place).message.receiptHandle()).toList();
  }

  private Delivery delivery(SqsReader.Place place) {
    return Objects.requireNonNull(
        unfinished.deliveries.get(place), "delivered and not acknowledged");
  }

  @Override
  public void keep(List<SqsReader.Place> held) throws Exception {
    List<SqsReader.Place> ending =
        held.stream()
            .filter(place -> left(delivery(place).untilNanos) < visibility.toNanos() / 2)
            .toList();
    long until = time.nanoTime() + visibility.toNanos();
    // What SQS refuses comes again, with a receipt that is good.
    Map<Integer, String> refused = calls.changeVisibility(receipts(ending), visibility);
    for (int i = 0; i < ending.size(); i++) {
      if (!refused.containsKey(i)) {
        delivery(ending.get(i)).untilNanos = until;
      }
    }
  }

  @Override
  public void setAside(Arrival<SqsReader.Place> arrival) throws Exception {
    settings.setAside(arrival, SqsReader.bytes(delivery(arrival.place()).message));
  }

  /** Has SQS deliver again at once what is not acknowledged. */
  private void giveBackAll() throws InterruptedException {
    List<String> receipts =
        unfinished.deliveries.values().stream()
            .filter(delivery -> left(delivery.untilNanos) > 0)
            .map(delivery -> delivery.message.receiptHandle())
            .toList();
    // What SQS refuses here is no longer ours.
    Map<Integer, String> unused = calls.changeVisibility(receipts, Duration.ZERO);
    unfinished.deliveries.clear();
  }

  @Override
  public void close() throws Exception {
    endPoll();
    giveBackAll();
  }

  /**
   * Waits for the last poll, and takes what it brings: given up, it would take what is given back.
   */
  private void endPoll() throws InterruptedException {
    CompletableFuture<Polled> last = poll;
    poll = null;
    if (last == null) {
      return;
    }
    try {
      Polled came = last.get(LAST_POLL_MAX.toMillis(), TimeUnit.MILLISECONDS);
      long until = came.atNanos() + visibility.toNanos();
      for (Message message : came.messages()) {
        SqsReader.Place place = new SqsReader.Place(calls.queue().name(), message.messageId());
        unfinished.deliveries.put(place, new Delivery(message, until));
      }
    } catch (TimeoutException | ExecutionException e) {
      last.cancel(true);
    }
  }
}
