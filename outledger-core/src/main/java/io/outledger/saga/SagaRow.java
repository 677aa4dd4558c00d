// SPDX-License-Identifier: Apache-2.0
package io.outledger.saga;

import io.outledger.MessageIds;
import io.outledger.Require;
import io.outledger.event.TypeVersion;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A saga that has not ended, as a store keeps it. Immutable.
 *
 * @param id which saga it is
 * @param version tells it from all others of its key, and is one more after each step; the first is
 *     random
 * @param phase what it is doing
 * @param progress what it waits for, and what it would undo
 * @param type the logical name and version of the state; never a class name
 * @param state the state, as a serializer has written it
 */
public record SagaRow(
    SagaId id,
    long version,
    SagaPhase phase,
    Progress progress,
    TypeVersion type,
    @SuppressWarnings("ArrayRecordComponent") byte[] state) {

  private static final int STEP_BITS = 20;

  /**
   * Returns the version of a saga that starts. Its low bits count the steps, and the others are
   * random: a step that is slow must not write over, or remove, another saga that has started since
   * with the same key.
   */
  static long firstVersion() {
    return (MessageIds.system().next().getLeastSignificantBits() >>> (STEP_BITS + 2)) << STEP_BITS
        | 1;
  }

  /** Returns how many steps have led to a version: 1 where the saga has just started. */
  public static long steps(long version) {
    return version & ((1L << STEP_BITS) - 1);
  }

  /**
   * Checks what is given.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} if something is null
   */
  public SagaRow {
    Require.nonNull("id", id);
    Require.nonNull("phase", phase);
    Require.nonNull("progress", progress);
    Require.nonNull("type", type);
    Require.nonNull("state", state);
  }

  /**
   * How far a saga has come. Immutable.
   *
   * @param waitsFor what it waits for, in the words of its last step; null where that said nothing
   * @param timeouts the time-outs that it waits for, by name
   * @param done the compensations of what it has done, the oldest first
   */
  public record Progress(@Nullable String waitsFor, List<SagaTimeout> timeouts, List<String> done) {

    /**
     * Checks what is given.
     *
     * @throws io.outledger.ConfigurationException {@code OUT-021} if a list is null
     */
    public Progress {
      timeouts = List.copyOf(Require.nonNull("timeouts", timeouts));
      done = List.copyOf(Require.nonNull("done", done));
    }
  }
}
