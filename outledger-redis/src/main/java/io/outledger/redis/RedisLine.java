// SPDX-License-Identifier: Apache-2.0
package io.outledger.redis;

import io.lettuce.core.api.async.RedisAsyncCommands;
import io.outledger.Message;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.publish.Line;
import io.outledger.publish.Outcome;
import io.outledger.redis.RedisConnecting.Link;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The streams of one Redis as a destination. */
final class RedisLine implements Line<Link> {

  private final RedisPublisher publisher;
  private final RedisBinding binding;
  private final Duration replicaTime;

  RedisLine(RedisPublisher publisher, Duration deliveryTimeMax) {
    this.publisher = publisher;
    this.binding = new RedisBinding(publisher.sourceUri());
    this.replicaTime = deliveryTimeMax.dividedBy(4);
  }

  @Override
  public CompletionStage<Link> connect() {
    CompletionStage<Link> connected = publisher.connecting().connect();
    return publisher.replicaCount() == 0 ? connected : connected.thenCompose(this::withReplicas);
  }

  /**
   * Looks whether there are replicas enough before anything is appended: without them each attempt
   * would append the message once more. A connection that has written nothing is told their number.
   */
  private CompletionStage<Link> withReplicas(Link link) {
    int wanted = publisher.replicaCount();
    return link.connection()
        .async()
        .waitForReplication(wanted, replicaTime.toMillis())
        .handle(
            (had, failure) -> {
              if (failure == null && had >= wanted) {
                return link;
              }
              link.close();
              throw new CompletionException(
                  new DestinationUnavailableException(
                      failure == null
                          ? "Redis at "
                              + publisher.connecting()
                              + " has only "
                              + had
                              + " of "
                              + wanted
                              + " replicas"
                          : "Redis at " + publisher.connecting() + " answered: " + failure,
                      failure));
            });
  }

  @Override
  public boolean isOpen(Link link) {
    return link.isOpen();
  }

  @Override
  public CompletionStage<Outcome> send(Link link, long position, Message message) {
    String stream;
    Map<String, byte[]> fields;
    try {
      stream = publisher.streamOf(message.topic());
      fields = binding.fields(position, message);
    } catch (RuntimeException e) {
      return CompletableFuture.completedStage(Outcome.refused(String.valueOf(e.getMessage())));
    }
    RedisAsyncCommands<String, byte[]> redis = link.connection().async();
    CompletionStage<Outcome> appended =
        redis.xadd(stream, fields).handle((id, failure) -> outcome(link, stream, failure));
    return publisher.replicaCount() == 0
        ? appended
        : appended.thenCompose(outcome -> replicated(redis, stream, outcome));
  }

  private Outcome outcome(Link link, String stream, @Nullable Throwable failure) {
    if (failure == null) {
      return Outcome.PUBLISHED;
    }
    if (RedisOutcomes.isOfAnotherServer(failure)) {
      link.close(); // the next message connects, and so finds the server that took over
    }
    return RedisOutcomes.outcome(stream, failure);
  }

  private CompletionStage<Outcome> replicated(
      RedisAsyncCommands<String, byte[]> redis, String stream, Outcome appended) {
    if (!appended.equals(Outcome.PUBLISHED)) {
      return CompletableFuture.completedStage(appended);
    }
    int wanted = publisher.replicaCount();
    return redis
        .waitForReplication(wanted, replicaTime.toMillis())
        .handle(
            (had, failure) -> {
              if (failure != null) {
                return RedisOutcomes.outcome(stream, failure);
              }
              return had >= wanted
                  ? Outcome.PUBLISHED
                  : Outcome.unavailable(
                      "only " + had + " of " + wanted + " replicas of Redis have the message");
            });
  }

  @Override
  public void close(Link link) {
    link.close();
  }
}
