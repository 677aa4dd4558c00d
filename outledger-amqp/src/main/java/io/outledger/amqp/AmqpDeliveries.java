// SPDX-License-Identifier: Apache-2.0
package io.outledger.amqp;

import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.inbox.Received;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.receive.Arrival;
import io.outledger.receive.Batch;
import io.outledger.receive.DeliveryLimit;
import io.outledger.receive.Redelivery;
import io.outledger.receive.SingleStreamDeliveries;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.engine.IncomingDelivery;
import org.apache.qpid.protonj2.engine.Receiver;
import org.apache.qpid.protonj2.types.Symbol;
import org.apache.qpid.protonj2.types.UnsignedLong;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Modified;
import org.apache.qpid.protonj2.types.messaging.Rejected;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.messaging.Source;
import org.apache.qpid.protonj2.types.messaging.Target;
import org.apache.qpid.protonj2.types.transport.AmqpError;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.apache.qpid.protonj2.types.transport.ErrorCondition;
import org.apache.qpid.protonj2.types.transport.ReceiverSettleMode;
import org.apache.qpid.protonj2.types.transport.SenderSettleMode;
import org.jspecify.annotations.Nullable;

/**
 * An open link from an address. The broker sends as many deliveries as it has credit for, and they
 * wait here until they are received; credit and what is not settled are the window together. Used
 * by one thread, and by the connection's, which alone touches the link.
 */
final class AmqpDeliveries implements SingleStreamDeliveries<AmqpDeliveries.Delivered> {

  private static final Duration REQUEST_MAX = Duration.ofSeconds(3);
  private static final long BATCH_BYTES_MAX = 16L * 1024 * 1024;

  private final AmqpReceiver.Choices choices;
  private final AmqpBinding.From from;
  private final AmqpBinding.Reader reader = new AmqpBinding.Reader();
  private final BlockingQueue<Delivered> pushed = new LinkedBlockingQueue<>();
  private final CompletableFuture<Receiver> opened = new CompletableFuture<>();
  private final AmqpConnection connection;
  private long count; // of deliveries, by the connection's thread
  private int unsettled; // by the connection's thread
  private volatile @Nullable String ended;

  /** A delivery and what came of it; AMQP has no name for it that outlives the link. */
  static final class Delivered {
    private final IncomingDelivery delivery;
    private final String name;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean isTooLarge;
    private DeliveryState outcome = Accepted.getInstance();

    private Delivered(IncomingDelivery delivery, String name) {
      this.delivery = delivery;
      this.name = name;
    }

    /** Takes what has come, however much: what is left unread uses up the session's window. */
    private void take(int bytesMax) {
      ProtonBuffer more = delivery.readAll();
      if (more == null) {
        return;
      }
      try (more) {
        isTooLarge |= (long) bytes.size() + more.getReadableBytes() > bytesMax;
        if (isTooLarge) {
          bytes.reset();
        } else {
          byte[] array = new byte[more.getReadableBytes()];
          more.readBytes(array, 0, array.length);
          bytes.writeBytes(array);
        }
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private AmqpDeliveries(AmqpBroker broker, AmqpReceiver.Choices choices) {
    this.choices = choices;
    String origin = choices.settings().origin();
    this.from =
        new AmqpBinding.From(choices.address(), origin == null ? choices.address() : origin);
    this.connection =
        AmqpConnection.open(
            broker, "outledger receiver", REQUEST_MAX, (reason, error) -> ended = reason);
  }

  /**
   * Connects and subscribes.
   *
   * @throws Exception if the broker cannot be reached in time, or has no such address
   */
  static AmqpDeliveries open(AmqpBroker broker, AmqpReceiver.Choices choices) throws Exception {
    AmqpDeliveries opening = new AmqpDeliveries(broker, choices);
    try {
      opening.connection.execute(opening::subscribe);
      var unused = opening.opened.get(REQUEST_MAX.toMillis(), TimeUnit.MILLISECONDS);
      return opening;
    } catch (ExecutionException e) {
      opening.connection.sever();
      throw e.getCause() instanceof IOException cause ? cause : e;
    } catch (TimeoutException e) {
      opening.connection.sever();
      throw opening.silent(REQUEST_MAX, e);
    } catch (Exception e) {
      opening.connection.sever();
      throw e;
    }
  }

  private void subscribe() {
    Source source =
        new Source()
            .setAddress(choices.address())
            .setOutcomes(AmqpTarget.OUTCOMES)
            .setDefaultOutcome(Released.getInstance());
    String capability = choices.capability();
    if (capability != null) {
      source.setCapabilities(Symbol.valueOf(capability));
    }
    Receiver link =
        connection
            .session()
            .receiver("outledger from " + choices.address())
            .setSenderSettleMode(SenderSettleMode.UNSETTLED)
            .setReceiverSettleMode(ReceiverSettleMode.FIRST)
            .setMaxMessageSize(UnsignedLong.valueOf(choices.limits().messageBytesMax()))
            .setSource(source)
            .setTarget(new Target());
    link.openHandler(this::attached)
        .deliveryReadHandler(this::read)
        .deliveryAbortedHandler(this::settled)
        .detachHandler(this::detached)
        .closeHandler(this::detached)
        .open();
  }

  /** The broker shows by a source that it has opened the link, and is not about to refuse it. */
  private void attached(Receiver link) {
    if (link.getRemoteSource() != null) {
      link.addCredit(choices.limits().window());
      opened.complete(link);
    }
  }

  private void detached(Receiver link) {
    String reason =
        "the AMQP broker ended the link from address '"
            + choices.address()
            + "': "
            + AmqpOutcomes.text(link.getRemoteCondition());
    ended = reason;
    opened.completeExceptionally(new IOException(reason));
  }

  private void read(IncomingDelivery delivery) {
    Delivered known = delivery.getLinkedResource();
    Delivered one = known == null ? begun(delivery) : known;
    one.take(choices.limits().messageBytesMax());
    if (!delivery.isPartial()) {
      pushed.add(one);
    }
  }

  private Delivered begun(IncomingDelivery delivery) {
    unsettled++;
    Delivered one =
        new Delivered(delivery, "message " + ++count + " from address " + choices.address());
    delivery.setLinkedResource(one);
    return one;
  }

  /** What the broker did not send to the end is nothing. */
  private void settled(IncomingDelivery aborted) {
    unsettled -= aborted.getLinkedResource() == null ? 0 : 1;
    aborted.settle();
    refill(aborted.getLink());
  }

  /** A broker that has used up its credit, be it for what it aborted, sends nothing more. */
  private void refill(Receiver link) {
    int free = choices.limits().window() - link.getCredit() - unsettled;
    if (free >= Math.max(1, choices.limits().window() / 4)) {
      link.addCredit(free);
    }
  }

  @Override
  public List<Batch<Delivered>> receive(Duration patience) throws Exception {
    Delivered first = pushed.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    checkOpen();
    if (first == null) {
      return List.of();
    }
    List<Arrival<Delivered>> arrivals = new ArrayList<>();
    long bytes = 0;
    for (Delivered next = first;
        next != null;
        next = bytes < BATCH_BYTES_MAX ? pushed.poll() : null) {
      Arrival<Delivered> arrival = arrival(next);
      bytes += arrival.bytes();
      arrivals.add(arrival);
    }
    return List.of(new Batch<>(choices.address(), arrivals));
  }

  /** Nothing of what is left could be settled. */
  private void checkOpen() throws IOException {
    String reason = ended;
    if (reason != null) {
      throw new IOException(reason);
    }
  }

  private Arrival<Delivered> arrival(Delivered one) {
    return Arrival.read(one, one.bytes.size(), () -> read(one));
  }

  private Received read(Delivered one) {
    if (one.isTooLarge) {
      throw AmqpBinding.tooLarge(one.toString(), choices.limits().messageBytesMax());
    }
    return reader.read(one.toString(), from, one.bytes.toByteArray());
  }

  /** The protocol does not tell how long an address keeps a message. */
  @Override
  public Optional<Redelivery> redelivery() {
    return Optional.empty();
  }

  /** Brokers count deliveries, each in its way, and the protocol does not tell how many. */
  @Override
  public Optional<DeliveryLimit> deliveryLimit() {
    return Optional.of(
        new DeliveryLimit(
            null,
            "brokers drop a message, or move it to their dead letters, after so many deliveries:"
                + " give the address dead letters"));
  }

  /** What is not settled stays with the link until it ends. */
  @Override
  public void keep(List<Delivered> held) {}

  @Override
  public void acknowledge(List<Delivered> done) throws Exception {
    within(
        REQUEST_MAX,
        link -> {
          for (Delivered one : done) {
            one.delivery.disposition(one.outcome, true);
          }
          unsettled -= done.size();
          refill(link);
        });
  }

  @Override
  public void setAside(Arrival<Delivered> arrival) throws Exception {
    Delivered one = arrival.place();
    InvalidMessageException problem = arrival.problem();
    String reason = problem == null ? "unreadable" : String.valueOf(problem.getMessage());
    switch (choices.unreadable()) {
      case NOTED -> choices.settings().setAside(arrival, one.bytes.toByteArray());
      case REJECTED ->
          one.outcome = new Rejected(new ErrorCondition(AmqpError.DECODE_ERROR, reason));
      case PASSED_ON -> one.outcome = new Modified(true, true);
    }
  }

  /** What is done to the link, by the connection's thread. */
  private interface Work {
    void on(Receiver link);
  }

  private void within(Duration limit, Work work) throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    Receiver link = opened.join();
    connection.execute(
        () -> {
          work.on(link);
          done.complete(true);
        });
    try {
      var unused = done.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw silent(limit, e);
    } finally {
      checkOpen();
    }
  }

  private DestinationUnavailableException silent(Duration limit, TimeoutException e) {
    return new DestinationUnavailableException(
        "no answer about AMQP address '"
            + Printable.value(choices.address())
            + "' in "
            + Printable.span(limit),
        e);
  }

  /**
   * Gives back what is not settled, in its order, and disconnects. The broker sends nothing more
   * once it has no credit, or what was given back might overtake what it sends meanwhile.
   */
  @Override
  public void close() throws Exception {
    try {
      if (ended == null) {
        drain();
        within(REQUEST_MAX, AmqpDeliveries::giveBack);
      }
    } finally {
      connection.close();
    }
  }

  private void drain() throws Exception {
    CompletableFuture<Boolean> drained = new CompletableFuture<>();
    within(
        REQUEST_MAX,
        link -> {
          link.creditStateUpdateHandler(
              updated -> {
                if (!updated.isDraining()) {
                  drained.complete(true);
                }
              });
          if (!link.drain()) {
            drained.complete(true);
          }
        });
    var unused = drained.completeOnTimeout(false, 1, TimeUnit.SECONDS).get();
  }

  private static void giveBack(Receiver link) {
    Collection<IncomingDelivery> all = link.unsettled();
    all.forEach(delivery -> delivery.disposition(Released.getInstance(), true));
    link.detachHandler(detached -> {}).closeHandler(closed -> {}).close();
  }
}
