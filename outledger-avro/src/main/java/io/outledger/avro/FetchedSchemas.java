// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import com.fasterxml.jackson.databind.JsonNode;
import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.publish.DestinationUnavailableException;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas that a registry has for ids in payloads. A payload is read inside the transaction of
 * who handles it, so nothing here waits for the registry: it is asked beside, and a message whose
 * schema is not there yet fails and is tried again. Thread-safe.
 */
final class FetchedSchemas {

  /** More is a stranger who makes ids up, and is forgotten: it is a cache. */
  private static final int IDS_MAX = 10_000;

  /** Of a subject; older ones are asked for when a payload has them. */
  private static final int VERSIONS_MAX = 100;

  private static final Logger LOG = LoggerFactory.getLogger(FetchedSchemas.class);
  private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(5).toNanos();

  private final SchemaRegistry registry;
  private final TimeSource time;
  private final Map<Integer, State> states = new ConcurrentHashMap<>();

  FetchedSchemas(SchemaRegistry registry, TimeSource time) {
    this.registry = registry;
    this.time = time;
  }

  /**
   * Fetches the newest versions of subjects, and waits for them. Where the registry does not
   * answer, it is left alone: their ids are asked for once a payload has them.
   */
  void fetch(List<String> subjects) {
    for (String subject : subjects) {
      RegistryAnswer answer = SchemaRegistry.awaited(registry.versionsOf(subject));
      if (answer instanceof RegistryAnswer.Given versions) {
        int newest = versions.body().size();
        for (int i = Math.max(0, newest - VERSIONS_MAX); i < newest; i++) {
          answer = fetch(subject, versions.body().path(i).asInt());
        }
      }
      if (answer instanceof RegistryAnswer.Away away) {
        LOG.warn("{}; schemas are fetched when payloads need them", away.why());
        return;
      }
      if (answer instanceof RegistryAnswer.Refused refused) {
        LOG.warn("no schema of the subject {}: {}", Printable.value(subject), refused.why());
      }
    }
  }

  private RegistryAnswer fetch(String subject, int version) {
    RegistryAnswer answer = SchemaRegistry.awaited(registry.versionOf(subject, version));
    if (answer instanceof RegistryAnswer.Given given) {
      states.put(given.body().path("id").asInt(), parsed(given.body(), time.nanoTime()));
    }
    return answer;
  }

  /** What is known of an id. */
  private sealed interface State {

    /** The schema is here. */
    record Found(Schema schema) implements State {}

    /** It is asked for; before is what was known then. */
    record Asked(@Nullable State before) implements State {}

    /** The registry has no such schema, or one that nobody here can read. */
    record Unknown(String why, long sinceNanos) implements State {}

    /** The registry did not say. */
    record Away(String why, long sinceNanos) implements State {}
  }

  /**
   * Returns the schema of an id.
   *
   * @throws InvalidMessageException {@code OUT-015} if the registry has none
   * @throws DestinationUnavailableException {@code OUT-022} if the registry does not answer
   * @throws SchemaNotFetchedException {@code OUT-023} if it has not answered yet
   */
  Schema of(int id) {
    State state = states.get(id);
    if (state instanceof State.Found found) {
      return found.schema();
    }
    if (isDue(state)) {
      ask(id, state);
    }
    State known = state instanceof State.Asked asked ? asked.before() : state;
    if (known instanceof State.Unknown unknown) {
      throw new InvalidMessageException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "the payload was written by the schema with the id "
              + Integer.toUnsignedString(id)
              + ", which cannot be had: "
              + unknown.why()
              + "; register it there, and retry the message");
    }
    if (known instanceof State.Away away) {
      throw new DestinationUnavailableException(away.why(), null);
    }
    throw new SchemaNotFetchedException(
        "the payload was written by the schema with the id "
            + Integer.toUnsignedString(id)
            + ", which is being fetched from the schema registry at "
            + registry.host()
            + "; the message is tried again");
  }

  private boolean isDue(@Nullable State state) {
    if (state instanceof State.Unknown unknown) {
      return time.nanoTime() - unknown.sinceNanos() >= ASK_AGAIN_NANOS;
    }
    if (state instanceof State.Away away) {
      return time.nanoTime() - away.sinceNanos() >= ASK_AGAIN_NANOS;
    }
    return state == null;
  }

  @SuppressWarnings("FutureReturnValueIgnored") // what it leads to is noted
  private void ask(int id, @Nullable State before) {
    State.Asked asked = new State.Asked(before);
    boolean isFirst =
        before == null ? states.putIfAbsent(id, asked) == null : states.replace(id, before, asked);
    if (!isFirst) {
      return;
    }
    if (states.size() > IDS_MAX) {
      states.values().removeIf(each -> !(each instanceof State.Asked));
    }
    CompletableFuture<RegistryAnswer> answer = registry.schemaOf(id);
    answer.whenComplete((given, failure) -> states.put(id, state(given, failure)));
  }

  private State state(@Nullable RegistryAnswer answer, @Nullable Throwable failure) {
    long now = time.nanoTime();
    if (answer instanceof RegistryAnswer.Given given) {
      return parsed(given.body(), now);
    }
    if (answer instanceof RegistryAnswer.Refused refused) {
      return new State.Unknown(refused.why(), now);
    }
    return answer instanceof RegistryAnswer.Away away
        ? new State.Away(away.why(), now)
        : new State.Away("cannot ask the schema registry: " + failure, now);
  }

  private static State parsed(JsonNode body, long now) {
    String type = body.path("schemaType").asText("AVRO");
    if (!type.equals("AVRO")) {
      return new State.Unknown("it is of the type " + type + ", and not of Avro", now);
    }
    if (!body.path("references").isEmpty()) {
      return new State.Unknown("it refers to other schemas of the registry", now);
    }
    try {
      return new State.Found(new Schema.Parser().parse(body.path("schema").asText()));
    } catch (AvroRuntimeException | StackOverflowError e) {
      return new State.Unknown("it is no schema of Avro: " + e.getMessage(), now);
    }
  }
}
