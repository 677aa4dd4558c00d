// SPDX-License-Identifier: Apache-2.0
package io.outledger;

/**
 * A payload that could not be read as an event: it does not fit the class, or its type and version
 * are not registered. The message is not to blame for certain: in a roll-out another instance, or
 * the next release, can read it. So whoever handles it tries it again, as after any failure, while
 * an {@link InvalidMessageException} that a handler throws, such as of an event that it appends,
 * makes a dead letter at once.
 */
public final class UnreadablePayloadException extends InvalidMessageException {

  private static final long serialVersionUID = 1L;

  /** Creates it with a text that says what could not be read, and what to do next. */
  public UnreadablePayloadException(ErrorCode code, String text) {
    super(code, text);
  }

  /**
   * Creates it of what a serializer or an upcast has thrown while it read; the text is the same.
   */
  public UnreadablePayloadException(InvalidMessageException thrown) {
    super(thrown);
  }

  /** Returns false: another instance, or the next release, may read it. */
  @Override
  public boolean isForGood() {
    return false;
  }
}
