// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import io.outledger.Printable;
import io.outledger.publish.Outcome;
import jakarta.mail.MessagingException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.angus.mail.smtp.SMTPAddressFailedException;
import org.eclipse.angus.mail.smtp.SMTPSendFailedException;
import org.jspecify.annotations.Nullable;

/**
 * What a server has answered in place of taking a mail: RFC 5321's code, and RFC 3463's finer one
 * where the text begins with it.
 *
 * @param code the reply code
 * @param text what it said
 * @param about which command it answered
 */
record SmtpFailure(int code, String text, About about) {

  private static final Pattern FINER = Pattern.compile("[245]\\.(\\d{1,3})\\.\\d{1,3}\\b");
  private static final int TEXT_CHARS_MAX = 300;

  /** What an answer was about. */
  enum About {
    SENDER,
    RECIPIENT,
    MAIL
  }

  /** What a failure means for the message and for others. */
  enum Meaning {
    /** The server takes nothing now, or not from us. */
    AWAY,
    /** The mail, and perhaps the server or our right to use it. */
    SUSPECT,
    /** This mail. */
    REFUSED
  }

  /** Returns the answer behind a failure; null where the line failed and there was none. */
  static @Nullable SmtpFailure of(MessagingException failure) {
    SmtpFailure found = null;
    Exception at = failure;
    while (at instanceof MessagingException one) {
      SmtpFailure answer = answer(one);
      if (answer != null && answer.code > 0 && (found == null || answer.code > found.code)) {
        found = answer; // of several recipients, the one that is refused for good
      }
      at = one.getNextException();
    }
    return at == null ? found : null; // the chain ends in a failure of the line
  }

  private static @Nullable SmtpFailure answer(MessagingException failure) {
    if (failure instanceof SMTPAddressFailedException recipient) {
      return answer(recipient.getReturnCode(), recipient, About.RECIPIENT);
    }
    if (failure instanceof SMTPSendFailedException command) {
      boolean sender = String.valueOf(command.getCommand()).startsWith("MAIL");
      return answer(command.getReturnCode(), command, sender ? About.SENDER : About.MAIL);
    }
    return null;
  }

  private static SmtpFailure answer(int code, MessagingException failure, About about) {
    String said = Printable.text(String.valueOf(failure.getMessage()).strip());
    String text = said.length() > TEXT_CHARS_MAX ? said.substring(0, TEXT_CHARS_MAX) : said;
    return new SmtpFailure(code, text, about);
  }

  /** Says whether the server ends the connection after it. */
  boolean endsTheLine() {
    return code == 421;
  }

  Meaning meaning() {
    int subject = subject();
    if (code < 500) {
      boolean isServer = subject == 3 || subject == 4 || (code == 452 && subject < 0);
      return switch (code) {
        case 421, 432, 454 -> Meaning.AWAY;
        default -> isServer && about != About.RECIPIENT ? Meaning.AWAY : Meaning.SUSPECT;
      };
    }
    return switch (code) {
      case 521, 530, 534, 535, 538 -> Meaning.AWAY;
      case 500, 501, 502, 503, 504 -> Meaning.SUSPECT;
      default -> about == About.SENDER || subject == 7 ? Meaning.SUSPECT : Meaning.REFUSED;
    };
  }

  Outcome outcome(MailServer server) {
    String said = server + " answered " + text;
    return switch (meaning()) {
      case AWAY -> Outcome.unreachable(said);
      case SUSPECT -> Outcome.suspect(said);
      case REFUSED -> Outcome.rejected(said);
    };
  }

  /** Returns the finer code's subject, such as 7 for security and policy; -1 without one. */
  private int subject() {
    Matcher finer = FINER.matcher(text);
    return finer.find() ? Integer.parseInt(finer.group(1)) : -1;
  }
}
