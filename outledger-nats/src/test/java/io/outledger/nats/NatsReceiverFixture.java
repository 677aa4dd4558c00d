// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.contracts.Fuzz;
import io.outledger.contracts.ReceiverFixture;
import io.outledger.contracts.ReceiverSetup;
import io.outledger.publish.Publisher;
import io.outledger.receive.RunningReceiver;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A stream and a durable consumer of its own on a server behind a line. */
final class NatsReceiverFixture implements ReceiverFixture {

  private static final String STREAM = "received";
  private static final String TOPIC = "received.orders";
  private static final Duration REDELIVERED_AFTER = Duration.ofSeconds(3);

  private final ProxiedNats nats;
  private @Nullable NatsFuzz fuzz;

  NatsReceiverFixture(ProxiedNats nats) throws Exception {
    this.nats = nats;
    nats.createStream(STREAM, STREAM + ".>");
  }

  @Override
  public boolean receivesWhileItWaits() {
    return false;
  }

  @Override
  public Publisher publisher() {
    return NatsPublisher.with(nats.options());
  }

  @Override
  public String topic() {
    return TOPIC;
  }

  @Override
  public RunningReceiver start(ReceiverSetup setup) {
    NatsReceiver receiver =
        NatsReceiver.of(nats.options(), STREAM, "stock")
            .ackWait(REDELIVERED_AFTER)
            .options(setup.options())
            .listener(setup.listener());
    @Nullable Consumer<String> unreadable = setup.unreadable();
    if (unreadable != null) {
      receiver = receiver.unreadable((place, payload, reason) -> unreadable.accept(reason));
    }
    return receiver.start(setup.handler());
  }

  @Override
  public Duration redeliversWithin() {
    return REDELIVERED_AFTER.plusSeconds(1);
  }

  @Override
  public void sendForeign(byte[] payload) {
    try {
      var unused = nats.ask(connection -> connection.jetStream().publish(TOPIC, payload));
    } catch (Exception e) {
      throw new AssertionError("cannot send", e);
    }
  }

  @Override
  public Map<String, Runnable> strangers() {
    return NatsStrangers.to(nats.server.port(), TOPIC);
  }

  @Override
  public boolean sendFuzz(Fuzz given) {
    if (fuzz == null) {
      fuzz = new NatsFuzz(nats.server.port());
    }
    return fuzz.send(TOPIC, given);
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public void takeAway() {
    nats.line.refuse();
  }

  @Override
  public void bringBack() {
    nats.line.pass();
  }

  @Override
  public void crash() {
    nats.server.kill();
    nats.server.restart();
  }

  @Override
  public void close() throws Exception {
    if (fuzz != null) {
      fuzz.close();
    }
    nats.line.pass();
    nats.deleteStream(STREAM);
  }
}
