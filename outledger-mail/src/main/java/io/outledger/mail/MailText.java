// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

/** The rule for texts that become lines of a mail's header. */
final class MailText {

  private MailText() {}

  /** Says whether a text has a character that ends a line or is not to be seen. */
  static boolean hasControl(String text) {
    return text.chars().anyMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029');
  }
}
