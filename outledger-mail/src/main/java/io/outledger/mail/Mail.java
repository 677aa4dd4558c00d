// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.ErrorCode;
import io.outledger.InvalidMessageException;
import io.outledger.Require;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a message becomes: recipients, a subject, and a text, in HTML too if there is any. Immutable
 * and thread-safe; each setter returns a copy.
 *
 * @param to the recipients that everyone sees, one or more
 * @param cc those who get a copy, seen by everyone
 * @param bcc those who get a copy, seen by nobody
 * @param replyTo where answers go; null for the sender
 * @param subject the subject, of at most 500 characters without control characters
 * @param text the body as plain text
 * @param html the body as HTML, which mail programs show in place of the text; null for none
 */
public record Mail(
    List<MailAddress> to,
    List<MailAddress> cc,
    List<MailAddress> bcc,
    @Nullable MailAddress replyTo,
    String subject,
    String text,
    @Nullable String html) {

  private static final int SUBJECT_CHARS_MAX = 500;
  private static final int RECIPIENTS_MAX = 100;

  /**
   * Checks what becomes a header.
   *
   * @throws InvalidMessageException {@code OUT-014} if there is no recipient or more than 100, or
   *     the subject is too long or has a control character
   */
  public Mail {
    to = List.copyOf(Require.nonNull("to", to));
    cc = List.copyOf(Require.nonNull("cc", cc));
    bcc = List.copyOf(Require.nonNull("bcc", bcc));
    Require.nonNull("subject", subject);
    Require.nonNull("text", text);
    int recipients = to.size() + cc.size() + bcc.size();
    if (to.isEmpty() || recipients > RECIPIENTS_MAX) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "a mail has "
              + recipients
              + " recipients, but must have 1 to 100, one of them in 'to'; send a message for each"
              + " recipient instead of a long list");
    }
    if (subject.length() > SUBJECT_CHARS_MAX || MailText.hasControl(subject)) {
      throw new InvalidMessageException(
          ErrorCode.INVALID_MESSAGE,
          "a mail's subject has a control character, such as a line break, or more than 500"
              + " characters; shorten or clean it");
    }
  }

  /** Returns an empty mail to one recipient; add to it with the setters. */
  public static Mail to(String address) {
    return to(MailAddress.of(address));
  }

  /** Returns an empty mail to one recipient; add to it with the setters. */
  public static Mail to(MailAddress recipient) {
    List<MailAddress> one = List.of(Require.nonNull("recipient", recipient));
    return new Mail(one, List.of(), List.of(), null, "", "", null);
  }

  /** Returns a mail to one recipient more. */
  public Mail andTo(MailAddress recipient) {
    return new Mail(with(to, recipient), cc, bcc, replyTo, subject, text, html);
  }

  /** Returns a mail with one more visible copy (Cc). */
  public Mail cc(MailAddress recipient) {
    return new Mail(to, with(cc, recipient), bcc, replyTo, subject, text, html);
  }

  /** Returns a mail with one more hidden copy (Bcc). */
  public Mail bcc(MailAddress recipient) {
    return new Mail(to, cc, with(bcc, recipient), replyTo, subject, text, html);
  }

  /** Returns a mail whose answers go elsewhere than to the sender. */
  public Mail replyTo(MailAddress address) {
    return new Mail(to, cc, bcc, Require.nonNull("address", address), subject, text, html);
  }

  /**
   * Returns a mail with another subject; the first is empty.
   *
   * @throws InvalidMessageException {@code OUT-014} if it is too long or has a control character
   */
  public Mail subject(String value) {
    return new Mail(to, cc, bcc, replyTo, value, text, html);
  }

  /** Returns a mail with another body of plain text; the first is empty. */
  public Mail text(String value) {
    return new Mail(to, cc, bcc, replyTo, subject, value, html);
  }

  /** Returns a mail with a body of HTML, beside the plain text. */
  public Mail html(String value) {
    return new Mail(to, cc, bcc, replyTo, subject, text, Require.nonNull("html", value));
  }

  /** Says how many recipients there are, and nothing else: the rest is personal data. */
  @Override
  public String toString() {
    return "Mail[to " + (to.size() + cc.size() + bcc.size()) + "]";
  }

  private static List<MailAddress> with(List<MailAddress> some, MailAddress another) {
    List<MailAddress> all = new ArrayList<>(some);
    all.add(Require.nonNull("another", another));
    return all;
  }
}
