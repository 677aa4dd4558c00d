// SPDX-License-Identifier: Apache-2.0
package io.outledger.avro;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/** How payloads of schemas from elsewhere are read; of no more than some. Thread-safe. */
final class FetchedPairs {

  /** More are forgotten: it is a cache. */
  private static final int PAIRS_MAX = 1_000;

  private final Map<Schema, SchemaPair> known = new ConcurrentHashMap<>();
  private final Function<Schema, SchemaPair> making;

  /**
   * Makes one.
   *
   * @param making makes what is not known yet; it may throw that the schema does not fit
   */
  FetchedPairs(Function<Schema, SchemaPair> making) {
    this.making = making;
  }

  /**
   * Returns how payloads of a schema are read.
   *
   * @throws AvroRuntimeException if they cannot be
   */
  SchemaPair of(Schema writer) {
    @Nullable SchemaPair pair = known.get(writer);
    if (pair == null) {
      if (known.size() >= PAIRS_MAX) {
        known.clear();
      }
      pair = known.computeIfAbsent(writer, making);
    }
    return pair;
  }
}
