// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/** A stream of its own on a server behind a line that can be taken away. */
final class NatsFixture implements PublisherFixture {

  private static final int TOO_LARGE_BYTES = 1_100_000;
  private static final AtomicInteger STREAMS = new AtomicInteger();

  private final ProxiedNats nats;
  private final String stream = "contract-" + STREAMS.incrementAndGet();
  private final Publisher publisher;
  private final NatsReader reader = new NatsReader();

  NatsFixture(ProxiedNats nats) throws Exception {
    this.nats = nats;
    nats.createStream(stream, stream + ".>");
    publisher = NatsPublisher.with(nats.options());
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return stream + ".orders";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    List<Received> arrivals = new ArrayList<>();
    Await.until(
        "messages arrive",
        Duration.ofSeconds(30),
        () -> {
          arrivals.clear();
          nats.messages(stream).forEach(message -> arrivals.add(reader.read(message, null)));
          return arrivals.stream().map(Received::id).toList().containsAll(awaited);
        });
    return arrivals;
  }

  @Override
  public void takeAway() {
    nats.line.refuse();
  }

  @Override
  public void loseAnswers() {
    nats.line.swallowReplies();
  }

  @Override
  public void cutAt(String text) {
    nats.line.cutAt(text);
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
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  /** More than the server's default of 1 MiB. */
  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), "order.placed").key(key).payload(new byte[TOO_LARGE_BYTES]).build();
  }

  @Override
  public void close() throws Exception {
    nats.line.pass();
    nats.deleteStream(stream);
  }
}
