// SPDX-License-Identifier: Apache-2.0
package io.outledger.nats;

import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Options;
import io.nats.client.impl.Headers;
import io.outledger.Message;
import io.outledger.cloudevents.CloudEventWriter;
import io.outledger.publish.Line;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Streams of JetStream as a destination. A connection that is lost is given up: the client's own
 * reconnecting would send, behind later messages, what it had not sent before.
 */
final class NatsLine implements Line<Connection>, ErrorListener {

  private static final String DENIED = "permissions violation for publish to";

  private final NatsPublisher publisher;
  private final Options options;
  private final CloudEventWriter<NatsBinding.Written> writer; // guarded by itself
  private final Duration answerTime;
  private final Set<Sent> sent = ConcurrentHashMap.newKeySet();

  /** A message that was sent and has no outcome yet. */
  private static final class Sent {
    private final String subject;
    private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

    private Sent(String subject) {
      this.subject = subject;
    }
  }

  NatsLine(NatsPublisher publisher, Duration deliveryTimeMax) {
    this.publisher = publisher;
    this.answerTime = deliveryTimeMax.dividedBy(2);
    this.writer = NatsBinding.writer(publisher.sourceUri());
    this.options =
        NatsConnecting.listening(publisher.options(), this)
            .maxReconnects(0)
            .reportNoResponders()
            .dontForceFlushOnRequest() // which would write each message to the socket by itself
            .requestCleanupInterval(deliveryTimeMax)
            .build();
  }

  @Override
  public CompletionStage<Connection> connect() {
    return CompletableFuture.supplyAsync(
        () -> NatsConnecting.connect(options), NatsConnecting::onThreadOfItsOwn);
  }

  @Override
  public boolean isOpen(Connection connection) {
    return connection.getStatus() == Connection.Status.CONNECTED;
  }

  @Override
  public CompletionStage<Outcome> send(Connection connection, long position, Message message) {
    String subject;
    Headers headers;
    try {
      subject = NatsBinding.subject(publisher.subjectOf(message.topic()));
      headers = headers(position, message, subject);
    } catch (RuntimeException e) {
      return done(Outcome.refused(String.valueOf(e.getMessage())));
    }
    long bytes = (long) headers.serializedLength() + message.payload().length;
    if (bytes > connection.getMaxPayload()) {
      return done(NatsOutcomes.tooLarge(bytes, connection.getMaxPayload()));
    }
    try {
      return answer(subject, connection.request(subject, headers, message.payload()));
    } catch (IllegalStateException e) { // closed in between, or no room in the client's queue
      return done(Outcome.unreachable("NATS's client took no message: " + e.getMessage()));
    }
  }

  private Headers headers(long position, Message message, String subject) {
    Headers headers =
        new Headers().put(NatsBinding.MESSAGE_ID, NatsBinding.messageId(message, subject));
    synchronized (writer) {
      writer.write(position, message).forEach(one -> headers.put(one.name(), one.value()));
    }
    NatsBinding.checkSize(headers.serializedLength());
    return headers;
  }

  private CompletionStage<Outcome> answer(
      String subject, CompletableFuture<io.nats.client.Message> reply) {
    Sent one = new Sent(subject);
    sent.add(one);
    var unused =
        reply.whenComplete(
            (answer, failure) -> one.outcome.complete(answered(subject, answer, failure)));
    return one.outcome
        .orTimeout(answerTime.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(timeout -> NatsOutcomes.silence(subject, answerTime))
        .whenComplete((known, none) -> sent.remove(one));
  }

  private Outcome answered(
      String subject, io.nats.client.@Nullable Message answer, @Nullable Throwable failure) {
    if (answer == null) {
      return NatsOutcomes.failed(subject, failure);
    }
    return NatsOutcomes.outcome(subject, answer);
  }

  /** The server does not answer a message that may not be published: it says so beside. */
  @Override
  public void errorOccurred(Connection connection, String error) {
    if (error.regionMatches(true, 0, DENIED, 0, DENIED.length())) {
      for (Sent one : sent) {
        if (error.contains('"' + one.subject + '"')) {
          one.outcome.complete(NatsOutcomes.denied(error));
        }
      }
    }
  }

  @Override
  public void close(Connection connection) {
    NatsConnecting.close(connection);
  }

  private static CompletionStage<Outcome> done(Outcome outcome) {
    return CompletableFuture.completedStage(outcome);
  }
}
