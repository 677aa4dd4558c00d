// SPDX-License-Identifier: Apache-2.0
package io.outledger.kafka;

import io.outledger.publish.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks Kafka for topics, as many in one question as have come together, so that those which do not
 * exist cost the others nothing; on threads that end when idle. They also hand over what waited.
 */
final class Lookups {

  private static final Logger LOG = LoggerFactory.getLogger(Lookups.class);
  private static final int AT_ONCE_MAX = 500;
  private static final int THREADS = 16;
  private static final long SILENCE_NANOS_MAX = Duration.ofMinutes(1).toNanos();

  private final TopicDirectory directory;
  private final ProducerOnDemand producer;
  private final TopicRules rules;
  private final Queue<Topic> asked = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads = threads();
  private volatile long heardAt;

  Lookups(TopicDirectory directory, ProducerOnDemand producer, TopicRules rules) {
    this.directory = directory;
    this.producer = producer;
    this.rules = rules;
    this.heardAt = nanoTime();
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            task -> {
              Thread thread = new Thread(task, "outledger-kafka-topic");
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  long nanoTime() {
    return rules.time().nanoTime();
  }

  /** Starts to look a topic up, and waits for nothing. */
  void start(Topic topic) {
    asked.add(topic);
    run(this::ask);
  }

  private void ask() {
    List<Topic> topics = new ArrayList<>();
    Topic next = asked.poll();
    while (next != null) {
      topics.add(next);
      next = topics.size() < AT_ONCE_MAX ? asked.poll() : null;
    }
    if (topics.isEmpty()) {
      return; // another question took them along
    }
    Map<String, CompletionStage<Integer>> answers = answers(topics);
    for (Topic topic : topics) {
      CompletionStage<Integer> answer = answers.get(topic.name());
      if (answer != null) {
        answer.whenComplete((count, failure) -> run(() -> answered(topic, failure)));
      }
    }
  }

  private Map<String, CompletionStage<Integer>> answers(List<Topic> topics) {
    Set<String> names = topics.stream().map(Topic::name).collect(Collectors.toSet());
    try {
      return directory.ask(names);
    } catch (RuntimeException e) {
      CompletionStage<Integer> failed = CompletableFuture.failedFuture(e);
      return names.stream().collect(Collectors.toMap(name -> name, name -> failed));
    }
  }

  private void answered(Topic topic, @Nullable Throwable failure) {
    if (failure != null) {
      Throwable origin = failure instanceof CompletionException ? failure.getCause() : null;
      topic.refused(notFound(origin == null ? failure : origin));
      return;
    }
    heardAt = nanoTime();
    try {
      topic.found(partitionsKnown(topic));
    } catch (TimeoutException e) {
      topic.refused(
          Outcome.topicUnavailable(
              "the Kafka producer has no metadata of topic " + topic.name() + " yet"));
    } catch (RuntimeException e) {
      topic.refused(notFound(e));
    }
  }

  private Outcome notFound(Throwable failure) {
    Outcome outcome = KafkaOutcomes.notFound(failure, rules.servers());
    if (outcome instanceof Outcome.Rejected) {
      heardAt = nanoTime();
    } else if (producer.isMade() || nanoTime() - heardAt > SILENCE_NANOS_MAX) {
      // This client ends: its producer would fill the log until Kafka is back. And after a while
      // the addresses are to be resolved again: they may have changed.
      return Outcome.unavailable(((Outcome.Unavailable) outcome).reason());
    }
    return outcome;
  }

  /** Has the producer know a topic that there is, so that sending need not wait for that. */
  private int partitionsKnown(Topic topic) {
    long patience = TimeUnit.MILLISECONDS.toNanos(rules.times().lookupMs());
    long started = nanoTime();
    while (true) {
      try {
        return producer.get().partitionsFor(topic.name()).size();
      } catch (TimeoutException e) {
        if (nanoTime() - started > patience) {
          throw e;
        }
      }
    }
  }

  /** Runs something that may have to wait, which the producer's own thread must not. */
  void run(Runnable task) {
    try {
      threads.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("the client was closed; it reports the outcome of waiting messages");
    }
  }

  /** Stops looking; what waits is left to the client's own end. */
  void stop() {
    threads.shutdownNow();
  }
}
