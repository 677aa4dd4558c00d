// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.run;

/** The options of a command line cannot be used; the message says why. */
public final class BadOptionException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Takes what is wrong, for whoever typed it. */
  public BadOptionException(String text) {
    super(text);
  }
}
