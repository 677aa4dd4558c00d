// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Printable;
import io.outledger.Require;
import java.util.regex.Pattern;

/**
 * The address of a mailbox and the name shown with it. What could end a line, and so add a header
 * or a command, is refused.
 *
 * @param address such as {@code ada@example.org}: at most 254 printable characters of ASCII, with
 *     one {@code @} and without quotation marks, brackets, commas, colons and spaces. A domain with
 *     other letters is written in its ASCII form ({@code xn--…})
 * @param name the name shown, in any script; empty for none
 */
public record MailAddress(String address, String name) {

  private static final int CHARS_MAX = 254;
  private static final int NAME_CHARS_MAX = 200;
  private static final String ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
  private static final Pattern FORM =
      Pattern.compile(ATOM + "(\\." + ATOM + ")*@[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)*");

  /**
   * Checks both.
   *
   * @throws InvalidMessageException {@code OUT-014} if the address is not one, or the name has a
   *     control character or more than 200 characters
   */
  public MailAddress {
    Require.nonNull("address", address);
    Require.nonNull("name", name);
    if (address.length() > CHARS_MAX || !FORM.matcher(address).matches()) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "'" + Printable.value(address) + "' is not a mail address of ASCII characters");
    }
    if (name.length() > NAME_CHARS_MAX || MailText.hasControl(name)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "the name shown with a mail address has a control character, such as a line break, or"
              + " more than 200 characters; shorten or clean it");
    }
  }

  /** Returns an address without a name. */
  public static MailAddress of(String address) {
    return new MailAddress(address, "");
  }

  /** Returns the part behind the {@code @}. */
  String domain() {
    return address.substring(address.indexOf('@') + 1);
  }
}
