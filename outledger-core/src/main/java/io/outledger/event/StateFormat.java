// SPDX-License-Identifier: Apache-2.0
package io.outledger.event;

import io.outledger.Require;

/**
 * Writes and reads states of one type. Made by {@link StateType#in}; immutable and thread-safe.
 *
 * @param <S> the class of the state
 */
public final class StateFormat<S> {

  private final StateType<S> type;
  private final Events states;

  StateFormat(StateType<S> type, Events states) {
    this.type = type;
    this.states = states;
  }

  /** Returns the type of the states. */
  public StateType<S> type() {
    return type;
  }

  /**
   * Writes a state, in the type's version.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-011} if it is of another class, {@code
   *     OUT-013} if it is too large, {@code OUT-015} if it cannot be serialised
   */
  public byte[] write(S state) {
    return states.message(Require.nonNull("state", state)).payload();
  }

  /**
   * Reads a state, of this version or of an older one.
   *
   * @throws io.outledger.InvalidMessageException {@code OUT-011} if this type does not read the
   *     name and version, {@code OUT-015} if the payload cannot be read
   */
  public S read(TypeVersion written, byte[] payload) {
    Require.nonNull("written", written);
    return type.stateClass().cast(states.read(written.name(), written.version(), payload));
  }
}
