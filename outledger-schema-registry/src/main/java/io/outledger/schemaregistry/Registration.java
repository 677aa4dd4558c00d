// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.Printable;
import io.outledger.time.TimeSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Asks for the id of a schema, and before that for the schemas to which it refers, one after the
 * other. One time bounds all of that together. For one call, in which nothing is waited for.
 */
final class Registration {

  private final SchemaRegistry registry;
  private final boolean isRegistering;
  private final TimeSource time;
  private final long begun;

  /** Of the schemas that were referred to so far; one answer at a time adds to it. */
  private final Map<String, Integer> versions = new HashMap<>();

  /**
   * Makes one; its time begins now.
   *
   * @param isRegistering whether a schema is registered if it is not there yet
   */
  Registration(SchemaRegistry registry, boolean isRegistering, TimeSource time) {
    this.registry = registry;
    this.isRegistering = isRegistering;
    this.time = time;
    this.begun = time.nanoTime();
  }

  /** Returns an answer with an {@code id}, if it was given; never fails, and comes in time. */
  CompletableFuture<RegistryAnswer> of(String subject, RegistrySchema schema) {
    CompletableFuture<RegistryAnswer> answer;
    try {
      Map<String, RegistrySchema> needed = new LinkedHashMap<>();
      collect(schema, needed);
      answer = next(needed.entrySet().iterator(), subject, schema);
    } catch (RuntimeException e) { // what a client of the application's own throws
      answer = CompletableFuture.failedFuture(e);
    }
    return answer.exceptionally(Registration::notAsked);
  }

  private static RegistryAnswer notAsked(Throwable failure) {
    Throwable cause = failure.getCause();
    boolean isWrapped = failure instanceof CompletionException && cause != null;
    return new RegistryAnswer.Away(
        "cannot ask the schema registry: " + Printable.text(isWrapped ? cause : failure), false);
  }

  /** Collects what a schema needs, each once, and before it what that needs itself. */
  private static void collect(RegistrySchema schema, Map<String, RegistrySchema> needed) {
    for (RegistrySchema.Reference each : schema.references()) {
      if (!needed.containsKey(each.name())) {
        collect(each.schema(), needed);
        needed.putIfAbsent(each.name(), each.schema());
      }
    }
  }

  private CompletableFuture<RegistryAnswer> next(
      Iterator<Map.Entry<String, RegistrySchema>> needed, String subject, RegistrySchema schema) {
    if (!needed.hasNext()) {
      return id(subject, schema);
    }
    Map.Entry<String, RegistrySchema> next = needed.next();
    return version(next.getKey(), next.getValue())
        .thenCompose(
            answer -> {
              if (!(answer instanceof RegistryAnswer.Given given)) {
                return CompletableFuture.completedFuture(
                    answer.about(next.getKey() + ", which it needs: "));
              }
              versions.put(next.getKey(), given.body().path("version").asInt());
              return next(needed, subject, schema);
            });
  }

  private CompletableFuture<RegistryAnswer> version(String name, RegistrySchema schema) {
    if (!isRegistering) {
      return registry.lookUp(name, schema, versions, left());
    }
    return id(name, schema)
        .thenCompose(
            answer ->
                answer instanceof RegistryAnswer.Given
                    ? registry.lookUp(name, schema, versions, left())
                    : CompletableFuture.completedFuture(answer));
  }

  private CompletableFuture<RegistryAnswer> id(String subject, RegistrySchema schema) {
    return isRegistering
        ? registry.register(subject, schema, versions, left())
        : registry.lookUp(subject, schema, versions, left());
  }

  private Duration left() {
    return registry.answerMax().minusNanos(time.nanoTime() - begun);
  }
}
