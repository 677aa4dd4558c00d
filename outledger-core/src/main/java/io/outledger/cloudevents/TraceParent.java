// SPDX-License-Identifier: Apache-2.0
package io.outledger.cloudevents;

/** The form of W3C's trace context header: version, trace id, parent id and flags, in hex. */
final class TraceParent {

  private static final int CHARS = 55;

  private TraceParent() {}

  /** Says whether a text has the form; what has not is to be ignored, as W3C asks. */
  static boolean isValid(String text) {
    if (text.length() != CHARS) {
      return false;
    }
    for (int i = 0; i < CHARS; i++) {
      char c = text.charAt(i);
      boolean dash = i == 2 || i == 35 || i == 52;
      boolean hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      if (dash ? c != '-' : !hex) {
        return false;
      }
    }
    return true;
  }
}
