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
import java.util.concurrent.atomic.AtomicLong;
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
  private final AtomicLong answers = new AtomicLong();
  private @Nullable CompletableFuture<Boolean> question; // guarded by this

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
      return done(NatsAnswers.tooLarge(bytes, connection.getMaxPayload()));
    }
    try {
      return answer(connection, subject, connection.request(subject, headers, message.payload()));
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
      Connection connection, String subject, CompletableFuture<io.nats.client.Message> reply) {
    Sent one = new Sent(subject);
    sent.add(one);
    long answersBefore = answers.get();
    var unused =
        reply.whenComplete(
            (answer, failure) -> one.outcome.complete(answered(subject, answer, failure)));
    return one.outcome
        .orTimeout(answerTime.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionallyCompose(timeout -> silence(connection, subject, answersBefore))
        .whenComplete((known, none) -> sent.remove(one));
  }

  /** Nobody answered: because nobody is there, or because nobody answers on this subject. */
  private CompletionStage<Outcome> silence(
      Connection connection, String subject, long answersBefore) {
    if (answers.get() > answersBefore) {
      return done(NatsAnswers.silence(subject, answerTime, true));
    }
    return isThere(connection)
        .thenApply(isThere -> NatsAnswers.silence(subject, answerTime, isThere));
  }

  /** Asks the server whether it is there; many messages at the same time ask once. */
  private synchronized CompletableFuture<Boolean> isThere(Connection connection) {
    CompletableFuture<Boolean> asked = question;
    if (asked == null || asked.isDone()) {
      asked =
          CompletableFuture.supplyAsync(
              () -> NatsConnecting.isThere(connection, answerTime.dividedBy(2)),
              NatsConnecting::onThreadOfItsOwn);
      question = asked;
    }
    return asked;
  }

  private Outcome answered(
      String subject, io.nats.client.@Nullable Message answer, @Nullable Throwable failure) {
    if (answer == null) {
      return NatsAnswers.failed(subject, failure);
    }
    answers.incrementAndGet();
    return NatsAnswers.outcome(subject, answer);
  }

  /** The server does not answer a message that may not be published: it says so beside. */
  @Override
  public void errorOccurred(Connection connection, String error) {
    if (error.regionMatches(true, 0, DENIED, 0, DENIED.length())) {
      for (Sent one : sent) {
        if (error.contains('"' + one.subject + '"')) {
          one.outcome.complete(NatsAnswers.denied(error));
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
