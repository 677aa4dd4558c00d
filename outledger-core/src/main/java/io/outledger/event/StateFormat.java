// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import io.outledger.UnreadablePayloadException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes and reads states of one type. Made by {@link StateType#in}; immutable and thread-safe.
 *
 * @param <S> the class of the state
 */
public final class StateFormat<S> {

  private static final int NAMED_MAX = 5;

  private final StateType<S> type;
  private final Events states;
  private final int bytesMax;

  StateFormat(StateType<S> type, Events states, int bytesMax) {
    this.type = type;
    this.states = states;
    this.bytesMax = bytesMax;
  }

  /** Returns the type of the states. */
  public StateType<S> type() {
    return type;
  }

  /**
   * Writes a state, in the type's version.
   *
   * @throws InvalidMessageException {@code OUT-011} if it is of another class, {@code OUT-013} if
   *     it is too large, {@code OUT-015} if it cannot be serialised
   */
  public byte[] write(S state) {
    byte[] payload = states.message(Require.nonNull("state", state)).payload();
    if (payload.length > bytesMax) {
      throw new InvalidMessageException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "the state %s has %s bytes, more than its limit of %s; keep less in it, or raise"
                  .formatted(type.name(), payload.length, bytesMax)
              + " stateBytesMax(…) of the saga");
    }
    return payload;
  }

  /**
   * Reads a state, of this version or of an older one, and whole: unlike an event, it is written
   * back, and what the class does not have would be lost.
   *
   * @throws UnreadablePayloadException {@code OUT-011} if this type does not read the name and
   *     version; {@code OUT-015} if the payload cannot be read, or has, after the upcasts, a field
   *     that the class does not have
   */
  public S read(TypeVersion written, byte[] payload) {
    Require.nonNull("written", written);
    Set<String> unknown = new TreeSet<>();
    Object state = states.read(written.name(), written.version(), payload, unknown::add);
    if (!unknown.isEmpty()) {
      throw new UnreadablePayloadException(
          ErrorCode.UNREADABLE_PAYLOAD,
          "a state "
              + written
              + " has fields that "
              + type.stateClass().getName()
              + " does not have, and would lose when it is written back: "
              + named(List.copyOf(unknown))
              + "; a newer build has added them, or an upcast must remove them");
    }
    return type.stateClass().cast(state);
  }

  private static String named(List<String> fields) {
    List<String> first = fields.subList(0, Math.min(NAMED_MAX, fields.size()));
    return String.join(", ", first) + (fields.size() > NAMED_MAX ? ", …" : "");
  }
}
