// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.publish.DestinationUnavailableException;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a registry has given to schemas. An id never changes, so each is asked for once.
 *
 * <p>A relay's one thread asks, for all its routes, so the registry is asked beside: its answer is
 * waited for only for a moment, and only while it comes that soon. What is not answered yet counts
 * as what was answered last, and as an outage where nothing was. Thread-safe.
 */
final class SchemaIds {

  /** A subject may be named by a message: more are forgotten, and asked for once more. */
  private static final int KNOWN_MAX = 10_000;

  /** A registry that is well takes less, so that the first message of a schema meets no outage. */
  private static final Duration PATIENCE_MAX = Duration.ofMillis(500);

  private final SchemaRegistry registry;
  private final boolean isRegistering;
  private final TimeSource time;
  private final long patienceNanos;
  private final Map<Wanted, Integer> known = new ConcurrentHashMap<>();
  private final Map<Wanted, Question> questions = new HashMap<>(); // guarded by this

  /** Whether its last answer came that soon. */
  private volatile boolean isPrompt = true;

  SchemaIds(SchemaRegistry registry, boolean isRegistering) {
    this.registry = registry;
    this.isRegistering = isRegistering;
    this.time = TimeSource.system();
    // Less than the registry has: its silence is nothing that comes soon.
    this.patienceNanos = Math.min(PATIENCE_MAX.toNanos(), registry.answerMax().toNanos() / 2);
  }

  private record Wanted(String subject, RegistrySchema schema) {}

  /** What is being asked, or was answered with anything but an id. */
  private static final class Question {

    private final CompletableFuture<RegistryAnswer> answer = new CompletableFuture<>();

    /** What counts until it is answered. */
    private final RegistryAnswer before;

    /** Whether somebody was told the answer; guarded by the ids. */
    private boolean isTold;

    Question(RegistryAnswer before) {
      this.before = before;
    }

    RegistryAnswer latest() {
      return answer.getNow(before);
    }
  }

  /** Returns an id that is known; null where it has to be asked for. */
  @Nullable Integer known(String subject, RegistrySchema schema) {
    return known.get(new Wanted(subject, schema));
  }

  /** Has an id asked for, unless it is being asked for, and returns what counts now. */
  RegistryAnswer ask(String subject, RegistrySchema schema) {
    Question question = question(new Wanted(subject, schema));
    giveAMoment(question);
    synchronized (this) {
      question.isTold = question.answer.isDone();
      return question.latest();
    }
  }

  /** An answer that came after its message had failed is for the message's next attempt. */
  private synchronized Question question(Wanted wanted) {
    Question last = questions.get(wanted);
    return last == null || last.isTold ? begin(wanted, last) : last;
  }

  /**
   * Has what the registry did not answer asked again.
   *
   * @throws DestinationUnavailableException until it answers for all of that
   */
  void askForMissed() {
    for (Question each : missed()) {
      giveAMoment(each);
      if (each.latest() instanceof RegistryAnswer.Away away && !away.mayBeOfOne()) {
        throw new DestinationUnavailableException(away.why(), null);
      }
    }
  }

  private synchronized List<Question> missed() {
    List<Question> missed = new ArrayList<>();
    for (Map.Entry<Wanted, Question> each : List.copyOf(questions.entrySet())) {
      Question question = each.getValue();
      if (isOutage(question.latest())) {
        missed.add(question.answer.isDone() ? begin(each.getKey(), question) : question);
      }
    }
    return missed;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it leads to is kept
  private synchronized Question begin(Wanted wanted, @Nullable Question last) {
    if (questions.size() >= KNOWN_MAX) {
      questions.values().removeIf(each -> each.answer.isDone());
    }
    Question question = new Question(last == null ? notYet() : last.latest());
    long begun = time.nanoTime();
    CompletableFuture<RegistryAnswer> asked =
        new Registration(registry, isRegistering, time).of(wanted.subject(), wanted.schema());
    questions.put(wanted, question);
    asked.thenAccept(
        answer -> {
          isPrompt = time.nanoTime() - begun <= patienceNanos;
          answered(wanted, question, answer);
        });
    return question;
  }

  private RegistryAnswer notYet() {
    String why = "the schema registry at " + registry.host() + " has not answered yet";
    return new RegistryAnswer.Away(why, false);
  }

  private synchronized void answered(Wanted wanted, Question question, RegistryAnswer answer) {
    if (answer instanceof RegistryAnswer.Given given) {
      if (known.size() >= KNOWN_MAX) {
        known.clear();
      }
      known.put(wanted, given.body().path("id").asInt());
      questions.remove(wanted, question);
    }
    question.answer.complete(answer);
  }

  /** Once for a registry that is slow or silent: what waits here is a relay with all its routes. */
  private void giveAMoment(Question question) {
    if (!isPrompt) {
      return;
    }
    try {
      question.answer.get(patienceNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | ExecutionException e) {
      isPrompt = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What may be about one subject alone keeps no other back: its topic asks by itself. */
  private static boolean isOutage(RegistryAnswer answer) {
    return answer instanceof RegistryAnswer.Away away && !away.mayBeOfOne();
  }
}
