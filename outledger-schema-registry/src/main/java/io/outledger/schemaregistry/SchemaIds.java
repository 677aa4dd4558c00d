// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.publish.DestinationUnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The ids that a registry has given to schemas. An id never changes, so each is asked for once. A
 * schema that was asked for in vain is remembered, to ask for it before a relay goes on.
 * Thread-safe.
 */
final class SchemaIds {

  /** A subject may be named by a message: more are forgotten, and asked for once more. */
  private static final int KNOWN_MAX = 10_000;

  private final SchemaRegistry registry;
  private final boolean isRegistering;
  private final Map<Wanted, Integer> known = new ConcurrentHashMap<>();
  private volatile @Nullable Wanted missed;

  SchemaIds(SchemaRegistry registry, boolean isRegistering) {
    this.registry = registry;
    this.isRegistering = isRegistering;
  }

  private record Wanted(String subject, RegistrySchema schema) {}

  /** Returns an id that is known; null where it has to be asked for. */
  @Nullable Integer known(String subject, RegistrySchema schema) {
    return known.get(new Wanted(subject, schema));
  }

  /** Asks for an id, and waits for the answer. */
  RegistryAnswer ask(String subject, RegistrySchema schema) {
    return ask(new Wanted(subject, schema));
  }

  private RegistryAnswer ask(Wanted wanted) {
    RegistryAnswer answer =
        new Registration(registry, isRegistering).of(wanted.subject(), wanted.schema());
    if (answer instanceof RegistryAnswer.Given given) {
      if (known.size() >= KNOWN_MAX) {
        known.clear();
      }
      known.put(wanted, given.body().path("id").asInt());
    }
    missed = isOutage(answer) ? wanted : null;
    return answer;
  }

  /**
   * Asks again for what was asked for in vain at last.
   *
   * @throws DestinationUnavailableException if it is in vain again
   */
  void askForMissed() {
    Wanted wanted = missed;
    if (wanted == null) {
      return;
    }
    RegistryAnswer answer = ask(wanted);
    if (answer instanceof RegistryAnswer.Away away && isOutage(answer)) {
      throw new DestinationUnavailableException(away.why(), null);
    }
  }

  /** What may be about one subject alone keeps no other back: its topic asks by itself. */
  private static boolean isOutage(RegistryAnswer answer) {
    return answer instanceof RegistryAnswer.Away away && !away.mayBeOfOne();
  }
}
