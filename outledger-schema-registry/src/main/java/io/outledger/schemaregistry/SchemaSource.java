// SPDX-License-Identifier: Apache-2.0
package io.outledger.schemaregistry;

import io.outledger.ConfigurationException;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a serializer gets the schemas of ids in payloads. Immutable; no I/O until it is fetched
 * from. For those who write serializers.
 */
public final class SchemaSource {

  private final SchemaRegistry registry;
  private final List<String> subjects;

  private SchemaSource(SchemaRegistry registry, List<String> subjects) {
    this.registry = registry;
    this.subjects = subjects;
  }

  /**
   * Makes one.
   *
   * @param registry is asked for the schemas
   * @param subjects whose schemas are fetched at once; may be empty
   * @throws ConfigurationException {@code OUT-021} if something is null
   */
  public static SchemaSource of(SchemaRegistry registry, String... subjects) {
    List<String> all = new ArrayList<>();
    for (String subject : Require.nonNull("subjects", subjects)) {
      all.add(Require.nonNull("subject", subject));
    }
    return new SchemaSource(Require.nonNull("registry", registry), List.copyOf(all));
  }

  /**
   * Fetches the schemas of the subjects, and returns what has them and fetches others: of each
   * subject the newest 100 versions, for half a minute in all. If the registry does not answer
   * then, that is logged, and nothing fails.
   *
   * @param reader reads the schemas
   */
  public <S> FetchedSchemas<S> fetched(SchemaReader<S> reader) {
    return FetchedSchemas.from(registry, reader, subjects);
  }
}
