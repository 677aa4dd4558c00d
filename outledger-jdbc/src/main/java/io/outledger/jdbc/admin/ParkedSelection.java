// SPDX-License-Identifier: Apache-2.0
package io.outledger.jdbc.admin;

import io.outledger.Require;
import io.outledger.store.ParkedState;
import org.jspecify.annotations.Nullable;

/**
 * Which parked messages of a subscription are meant: those that fit everything that is given.
 * Immutable.
 *
 * <pre>{@code
 * ParkedSelection.of(ParkedState.DEAD).withType("order.placed").withErrorText("timeout")
 * }</pre>
 *
 * @param state their state; null for any
 * @param route the route that they are parked in, such as a handler's name; null for any
 * @param type the name of their type; null for any
 * @param topic their topic; null for any
 * @param key their ordering key; null for any, and for messages without one
 * @param errorText a part of the error that they were parked with, exact in case; null for any
 * @param failure the {@link FailureGroup} of that error; null for any
 */
public record ParkedSelection(
    @Nullable ParkedState state,
    @Nullable String route,
    @Nullable String type,
    @Nullable String topic,
    @Nullable String key,
    @Nullable String errorText,
    @Nullable String failure) {

  /**
   * Checks the texts.
   *
   * @throws io.outledger.ConfigurationException {@code OUT-021} naming one that no database stores:
   *     it contains a NUL or an unpaired surrogate
   */
  public ParkedSelection {
    check("route", route);
    check("type", type);
    check("topic", topic);
    check("key", key);
    check("errorText", errorText);
    check("failure", failure);
  }

  private static void check(String name, @Nullable String text) {
    if (text != null) {
      Require.text(name, text);
    }
  }

  /** All of them. */
  public static final ParkedSelection ALL =
      new ParkedSelection(null, null, null, null, null, null, null);

  /** Returns the selection of all messages in a state. */
  public static ParkedSelection of(ParkedState state) {
    return new ParkedSelection(Require.nonNull("state", state), null, null, null, null, null, null);
  }

  /** Returns this selection, narrowed to a route. */
  public ParkedSelection withRoute(String value) {
    return new ParkedSelection(
        state, Require.nonNull("withRoute", value), type, topic, key, errorText, failure);
  }

  /** Returns this selection, narrowed to a type. */
  public ParkedSelection withType(String value) {
    return new ParkedSelection(
        state, route, Require.nonNull("withType", value), topic, key, errorText, failure);
  }

  /** Returns this selection, narrowed to a topic. */
  public ParkedSelection withTopic(String value) {
    return new ParkedSelection(
        state, route, type, Require.nonNull("withTopic", value), key, errorText, failure);
  }

  /** Returns this selection, narrowed to a key. */
  public ParkedSelection withKey(String value) {
    return new ParkedSelection(
        state, route, type, topic, Require.nonNull("withKey", value), errorText, failure);
  }

  /** Returns this selection, narrowed to errors that contain a text. */
  public ParkedSelection withErrorText(String value) {
    return new ParkedSelection(
        state, route, type, topic, key, Require.nonNull("withErrorText", value), failure);
  }

  /**
   * Returns this selection, narrowed to what failed alike.
   *
   * @param value what {@link FailureGroup#failure()} says of the group
   */
  public ParkedSelection withFailure(String value) {
    return new ParkedSelection(
        state, route, type, topic, key, errorText, Require.nonNull("withFailure", value));
  }
}
