// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas that a registry has for ids in payloads. A payload is read inside the transaction of
 * who handles it, so nothing here waits for the registry: it is asked beside, and a message whose
 * schema is not there yet fails and is tried again. Thread-safe.
 *
 * <p>Who may send a message may make ids up, and one id that the registry does not answer must not
 * stop the others. An id is to blame only by a contrast: while the registry answers for another id,
 * or, where none is known, for what needs no id. Without an answer there, it is an outage. Nor is
 * an id to blame for one answer that was lost: where it may have been, that has to be so several
 * times in a row.
 *
 * <p>For those who write serializers.
 *
 * @param <S> what comes of a schema
 */
public final class FetchedSchemas<S> {

  /** More are forgotten: it is a cache. */
  static final int IDS_MAX = 10_000;

  /** Of a subject; older ones are asked for when a payload has them. */
  private static final int VERSIONS_MAX = 100;

  /** How long an application's start is held up; one more answer may come late. */
  private static final Duration START_MAX = Duration.ofSeconds(30);

  private static final Logger LOG = LoggerFactory.getLogger(FetchedSchemas.class);
  private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  private final SchemaRegistry registry;
  private final SchemaReader<S> reader;
  private final TimeSource time;
  private final int idsMax;
  private final Map<Integer, SchemaState<S>> states = new ConcurrentHashMap<>();
  private final SchemaAsks<S> asks = new SchemaAsks<>(this::question, this::answered);

  /** The id on which the registry has last decided: whether it is there is asked by it. */
  private volatile @Nullable Integer decided;

  FetchedSchemas(SchemaRegistry registry, SchemaReader<S> reader, TimeSource time, int idsMax) {
    this.registry = registry;
    this.reader = reader;
    this.time = time;
    this.idsMax = idsMax;
  }

  /** Makes one, and fetches schemas at once; see {@link SchemaSource#fetched}. */
  static <S> FetchedSchemas<S> from(
      SchemaRegistry registry, SchemaReader<S> reader, List<String> subjects) {
    FetchedSchemas<S> fetched =
        new FetchedSchemas<>(
            registry, Require.nonNull("reader", reader), TimeSource.system(), IDS_MAX);
    fetched.fetch(subjects);
    return fetched;
  }

  /**
   * Fetches the newest versions of subjects, and waits for them, but no longer than a start may
   * take. Where the registry does not answer, it is left alone: their ids are asked for once a
   * payload has them. An answer that may be about one subject alone ends nothing.
   */
  void fetch(List<String> subjects) {
    long begun = time.nanoTime();
    for (String subject : subjects) {
      RegistryAnswer answer = fetch(subject, begun);
      if (time.nanoTime() - begun > START_MAX.toNanos()) {
        LOG.warn(
            "fetching schemas from the schema registry at {} has taken {}; the others are"
                + " fetched when payloads need them",
            registry.host(),
            Printable.span(START_MAX));
        return;
      }
      if (answer instanceof RegistryAnswer.Away away && !away.mayBeOfOne()) {
        LOG.warn("{}; schemas are fetched when payloads need them", away.why());
        return;
      }
      if (answer instanceof RegistryAnswer.Away away) {
        LOG.warn(
            "the subject {}: {}; its schemas are fetched when payloads need them",
            Printable.value(subject),
            away.why());
      }
      if (answer instanceof RegistryAnswer.Refused refused) {
        LOG.warn("no schema of the subject {}: {}", Printable.value(subject), refused.why());
      }
    }
  }

  /** Returns the last answer: that of the newest version, or the one after which it was left. */
  private RegistryAnswer fetch(String subject, long begun) {
    RegistryAnswer answer = SchemaRegistry.awaited(registry.versionsOf(subject));
    if (!(answer instanceof RegistryAnswer.Given versions)) {
      return answer;
    }
    int newest = versions.body().size();
    for (int i = Math.max(0, newest - VERSIONS_MAX); i < newest; i++) {
      answer = fetchOne(subject, versions.body().path(i).asInt());
      boolean isAway = answer instanceof RegistryAnswer.Away away && !away.mayBeOfOne();
      if (isAway || time.nanoTime() - begun > START_MAX.toNanos()) {
        return answer;
      }
    }
    return answer;
  }

  private RegistryAnswer fetchOne(String subject, int version) {
    RegistryAnswer answer = SchemaRegistry.awaited(registry.versionOf(subject, version));
    if (answer instanceof RegistryAnswer.Given given) {
      int id = given.body().path("id").asInt();
      states.put(id, SchemaState.parsed(reader, given.body(), time.nanoTime()));
      decided = id;
    }
    return answer;
  }

  /**
   * Returns the schema of an id.
   *
   * @throws InvalidMessageException {@code OUT-015} if the registry has none, or gives none of this
   *     id alone
   * @throws DestinationUnavailableException {@code OUT-022} if the registry does not answer
   * @throws SchemaNotFetchedException {@code OUT-038} if it has not answered yet, or has missed an
   *     answer for this id alone
   */
  public S of(int id) {
    SchemaState<S> state = states.get(id);
    if (state instanceof SchemaState.Found<S> found) {
      return found.schema();
    }
    if (isDue(state)) {
      ask(id, state);
    }
    SchemaState<S> known = state instanceof SchemaState.Asked<S> asked ? asked.before() : state;
    if (known instanceof SchemaState.Unknown<S> unknown) {
      throw new InvalidMessageException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "the payload was written by the schema with the id "
              + Integer.toUnsignedString(id)
              + ", which cannot be had: "
              + unknown.why()
              + "; register it there, and retry the message");
    }
    if (known instanceof SchemaState.Away<S> away) {
      throw new DestinationUnavailableException(away.why(), null);
    }
    throw new SchemaNotFetchedException(
        "the payload was written by the schema with the id "
            + Integer.toUnsignedString(id)
            + ", which is being fetched from the schema registry at "
            + registry.host()
            + (known instanceof SchemaState.Missed<S> missed ? " (" + missed.why() + ")" : "")
            + "; the message is tried again");
  }

  /** Returns whether an id is being asked for. */
  boolean isAsking(int id) {
    return states.get(id) instanceof SchemaState.Asked<S>;
  }

  /** Returns of how many ids something is known. */
  int size() {
    return states.size();
  }

  private boolean isDue(@Nullable SchemaState<S> state) {
    if (state instanceof SchemaState.Unknown<S> unknown) {
      return time.nanoTime() - unknown.sinceNanos() >= ASK_AGAIN_NANOS;
    }
    if (state instanceof SchemaState.Away<S> away) {
      return time.nanoTime() - away.sinceNanos() >= ASK_AGAIN_NANOS;
    }
    if (state instanceof SchemaState.Missed<S> missed) {
      return time.nanoTime() - missed.sinceNanos() >= ASK_AGAIN_NANOS;
    }
    return state == null;
  }

  private void ask(int id, @Nullable SchemaState<S> before) {
    SchemaState.Asked<S> asked = new SchemaState.Asked<>(before);
    boolean isFirst =
        before == null ? states.putIfAbsent(id, asked) == null : states.replace(id, before, asked);
    if (!isFirst) {
      return;
    }
    forgetSome();
    if (asks.want(id)) {
      return;
    }
    if (before == null) {
      states.remove(id, asked);
    } else {
      states.replace(id, asked, before);
    }
  }

  /** What cannot be had goes first: whoever makes ids up takes no schema from the others. */
  private void forgetSome() {
    if (states.size() > idsMax) {
      states
          .values()
          .removeIf(
              each ->
                  !(each instanceof SchemaState.Found<S>)
                      && !(each instanceof SchemaState.Asked<S>));
    }
    if (states.size() > idsMax) {
      states.values().removeIf(each -> each instanceof SchemaState.Found<S>);
    }
  }

  /** Asks; where that says nothing, asks for something else: is the registry there? */
  private CompletableFuture<SchemaState<S>> question(int id) {
    Integer other = decided;
    return registry
        .schemaOf(id)
        .thenCompose(
            answer -> {
              if (!(answer instanceof RegistryAnswer.Away away)) {
                return CompletableFuture.completedFuture(state(id, answer));
              }
              return other != null && other != id
                  ? registry.schemaOf(other).thenApply(its -> besides(away, its, true))
                  : registry.someSubjects().thenApply(its -> besides(away, its, false));
            });
  }

  private SchemaState<S> besides(
      RegistryAnswer.Away away, RegistryAnswer contrast, boolean isOfAnotherId) {
    long now = time.nanoTime();
    if (contrast instanceof RegistryAnswer.Away) {
      return new SchemaState.Away<>(away.why(), now);
    }
    if (!isOfAnotherId) { // whose rights may differ from those to read a schema
      return new SchemaState.Missed<>(away.why() + "; it lists its subjects", now, 1);
    }
    String why = away.why() + "; it answers for other ids";
    return away.mayBeOfOne()
        ? new SchemaState.Unknown<>(why, now)
        : new SchemaState.Missed<>(why, now, 1);
  }

  private SchemaState<S> state(int id, RegistryAnswer answer) {
    decided = id;
    return answer instanceof RegistryAnswer.Given given
        ? SchemaState.parsed(reader, given.body(), time.nanoTime())
        : new SchemaState.Unknown<>(((RegistryAnswer.Refused) answer).why(), time.nanoTime());
  }

  private void answered(int id, @Nullable SchemaState<S> state, @Nullable Throwable failure) {
    SchemaState<S> now =
        state != null
            ? state
            : new SchemaState.Away<>("cannot ask the schema registry: " + failure, time.nanoTime());
    states.compute(id, (same, before) -> now.after(before));
  }
}
