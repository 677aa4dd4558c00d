// SPDX-License-Identifier: Apache-2.0
package io.outledger.sqs;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.publish.Line;
import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Gathers messages to one place into batches, and sends those on a thread of its own, since AWS's
 * client may wait for credentials. Everything but {@link #send} and {@link #flush} runs on that
 * thread.
 */
final class Batches implements Line<Batches> {

  private static final int ENTRIES_MAX = 10;
  private static final int REQUESTS_MAX = 32;

  /** To one place: what is silent must leave room for the others. */
  private static final int LANE_REQUESTS_MAX = 16;

  private static final Duration END_MAX = Duration.ofSeconds(2);

  private final BatchService service;
  private final SqsBinding binding; // of the caller's thread
  private final UnaryOperator<String> naming;
  private final ExecutorService thread = Executors.newSingleThreadExecutor(Batches::daemon);
  private final Map<String, Lane> lanes = new LinkedHashMap<>();
  private final Map<String, CompletableFuture<BatchService.Place>> places = new HashMap<>();
  private final Set<CompletableFuture<?>> requests = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;
  private int batchesOnTheirWay;

  /** Messages to one place. */
  private static final class Lane {
    private final Deque<BatchService.Outgoing> waiting = new ArrayDeque<>();

    /** Those whose batch was refused, perhaps for one of them: each goes alone, before others. */
    private final Deque<BatchService.Outgoing> alone = new ArrayDeque<>();

    /** How many of those that wait are to be sent although no batch is full. */
    private int due;

    /** How many batches have no answer yet. */
    private int onTheirWay;

    private boolean maySend() {
      return (due > 0 || !alone.isEmpty()) && onTheirWay < LANE_REQUESTS_MAX;
    }

    private boolean isIdle() {
      return waiting.isEmpty() && alone.isEmpty() && onTheirWay == 0;
    }
  }

  Batches(BatchService service, SqsBinding binding, UnaryOperator<String> naming) {
    this.service = service;
    this.binding = binding;
    this.naming = naming;
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "outledger-sqs");
    thread.setDaemon(true);
    return thread;
  }

  /** There is nothing to connect: each batch is a request of its own. */
  @Override
  public CompletionStage<Batches> connect() {
    return CompletableFuture.completedStage(this);
  }

  @Override
  public boolean isOpen(Batches itself) {
    return !closed;
  }

  @Override
  public CompletionStage<Outcome> send(Batches itself, long position, Message message) {
    String name;
    SqsBinding.Written content;
    try {
      name = naming.apply(message.topic());
      service.checkName(name);
      if (message.payload().length > service.bytesMax()) {
        return done(tooLarge(message.payload().length, service.bytesMax()));
      }
      content = binding.write(position, message);
    } catch (RuntimeException e) {
      return done(Outcome.refused(refusal(e)));
    }
    if (content.bytes() > service.bytesMax()) {
      return done(tooLarge(content.bytes(), service.bytesMax()));
    }
    BatchService.Outgoing one =
        new BatchService.Outgoing(
            message.id().toString(),
            message.topic(),
            message.key(),
            content,
            new CompletableFuture<>());
    return run(() -> add(name, one)) ? one.outcome() : done(AwsOutcomes.CLOSED);
  }

  private static String refusal(RuntimeException e) {
    return e instanceof InvalidMessageException ? String.valueOf(e.getMessage()) : e.toString();
  }

  /** Sends what has been gathered, also where no batch is full. */
  void flush() {
    run(
        () -> {
          lanes.values().forEach(lane -> lane.due = lane.waiting.size());
          sendBatches();
        });
  }

  private boolean run(Runnable task) {
    try {
      thread.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // closed
    }
  }

  private void add(String name, BatchService.Outgoing one) {
    Lane lane = lanes.computeIfAbsent(name, unknown -> new Lane());
    lane.waiting.add(one);
    if (lane.waiting.size() >= ENTRIES_MAX) {
      lane.due = Math.max(lane.due, 1); // so a batch is due, as full as it can be
      sendBatches();
    }
  }

  private void sendBatches() {
    Iterator<Map.Entry<String, Lane>> all = lanes.entrySet().iterator();
    while (all.hasNext() && batchesOnTheirWay < REQUESTS_MAX && !closed) {
      Map.Entry<String, Lane> next = all.next();
      Lane lane = next.getValue();
      while (lane.maySend() && batchesOnTheirWay < REQUESTS_MAX) {
        sendBatch(next.getKey(), lane, takeBatch(lane));
      }
      if (lane.isIdle()) {
        all.remove();
      }
    }
  }

  private List<BatchService.Outgoing> takeBatch(Lane lane) {
    if (!lane.alone.isEmpty()) {
      return List.of(lane.alone.remove());
    }
    List<BatchService.Outgoing> batch = new ArrayList<>(ENTRIES_MAX);
    long bytes = 0;
    BatchService.Outgoing next = lane.waiting.peek();
    while (next != null && batch.size() < ENTRIES_MAX) {
      bytes += next.content().bytes();
      if (bytes > service.bytesMax()) {
        break;
      }
      batch.add(lane.waiting.remove());
      next = lane.waiting.peek();
    }
    lane.due -= Math.min(lane.due, batch.size());
    return batch;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it leads to is told to each message
  private void sendBatch(String name, Lane lane, List<BatchService.Outgoing> batch) {
    batchesOnTheirWay++;
    lane.onTheirWay++;
    place(name)
        .thenComposeAsync(place -> sendTo(place, lane, batch), thread)
        .whenCompleteAsync(
            (sent, failure) -> {
              batchesOnTheirWay--;
              lane.onTheirWay--;
              if (failure != null) { // the place was not found
                answerAll(name, batch, AwsOutcomes.outcome(name, batch.size(), failure));
              }
              sendBatches();
            },
            thread);
  }

  private CompletableFuture<BatchService.Place> place(String name) {
    CompletableFuture<BatchService.Place> known = places.get(name);
    if (known == null || known.isCompletedExceptionally()) {
      known = tracked(() -> service.find(name));
      places.put(name, known);
    }
    return known;
  }

  private CompletableFuture<?> sendTo(
      BatchService.Place place, Lane lane, List<BatchService.Outgoing> batch) {
    int bytesMax = place.bytesMax();
    Map<Boolean, List<BatchService.Outgoing>> parts =
        batch.stream().collect(Collectors.partitioningBy(one -> one.content().bytes() <= bytesMax));
    for (BatchService.Outgoing one : parts.getOrDefault(false, List.of())) {
      one.outcome().complete(tooLarge(one.content().bytes(), bytesMax));
    }
    List<BatchService.Outgoing> fitting = parts.getOrDefault(true, List.of());
    return fitting.isEmpty()
        ? CompletableFuture.completedFuture(null)
        : tracked(() -> service.send(place, fitting))
            .handleAsync(
                (outcomes, failure) -> {
                  if (outcomes != null) {
                    answerEach(place.name(), fitting, outcomes);
                  } else if (fitting.size() > 1 && AwsOutcomes.mayBeOneMessages(failure)) {
                    lane.alone.addAll(fitting);
                  } else {
                    answerAll(
                        place.name(),
                        fitting,
                        AwsOutcomes.outcome(place.name(), fitting.size(), failure));
                  }
                  return true;
                },
                thread);
  }

  private void answerEach(String name, List<BatchService.Outgoing> batch, List<Outcome> outcomes) {
    for (int i = 0; i < batch.size(); i++) {
      answer(name, batch.get(i), outcomes.get(i));
    }
  }

  /** Where the place is to blame, what waits for it has the same answer, and not a late one. */
  private void answerAll(String name, List<BatchService.Outgoing> batch, Outcome outcome) {
    batch.forEach(one -> answer(name, one, outcome));
    Lane lane = lanes.get(name);
    if (lane != null && AwsOutcomes.isTopics(outcome)) {
      lane.alone.forEach(one -> answer(name, one, outcome));
      lane.alone.clear();
      lane.waiting.forEach(one -> answer(name, one, outcome));
      lane.waiting.clear();
      lane.due = 0;
    }
  }

  private void answer(String name, BatchService.Outgoing one, Outcome outcome) {
    if (outcome instanceof Outcome.Rejected rejected
        && rejected.kind() == Outcome.Rejected.Kind.TOPIC) {
      places.remove(name); // it may have been made again, with other properties
    }
    one.outcome().complete(outcome);
  }

  /** Calls AWS's client, so that closing ends the request. */
  @SuppressWarnings("CollectionUndefinedEquality") // the very same request is meant
  private <T> CompletableFuture<T> tracked(Request<T> request) {
    if (closed) {
      return CompletableFuture.failedFuture(new IllegalStateException("closed"));
    }
    CompletableFuture<T> answer;
    try {
      answer = request.send();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    requests.add(answer);
    var unused = answer.whenComplete((any, failure) -> requests.remove(answer));
    return answer;
  }

  private interface Request<T> {
    CompletableFuture<T> send();
  }

  private static Outcome tooLarge(int bytes, int bytesMax) {
    return Outcome.rejected(
        "the message has "
            + bytes
            + " bytes with its attributes, more than the "
            + bytesMax
            + " that AWS accepts here");
  }

  private static CompletionStage<Outcome> done(Outcome outcome) {
    return CompletableFuture.completedStage(outcome);
  }

  /** Ends the requests: what AWS has of them is unknown. */
  @Override
  public void close(Batches itself) {
    closed = true;
    thread.shutdownNow();
    requests.forEach(request -> request.cancel(true));
    try {
      if (!thread.awaitTermination(END_MAX.toMillis(), TimeUnit.MILLISECONDS)) {
        requests.forEach(request -> request.cancel(true));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    requests.forEach(request -> request.cancel(true));
  }
}
