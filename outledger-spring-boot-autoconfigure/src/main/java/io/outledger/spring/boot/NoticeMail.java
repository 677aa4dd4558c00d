// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import io.outledger.Printable;
import io.outledger.mail.Mail;
import io.outledger.mail.MailAddress;
import io.outledger.mail.MailMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mail that properties describe: to the same recipients for each message, with what the message
 * says as its text.
 */
final class NoticeMail implements MailMapper {

  /** The default subject. */
  static final String SUBJECT = "{type} {key}";

  private static final Set<String> NAMES = Set.of("type", "topic", "key");
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{([^}]*)}");
  private static final int SUBJECT_CHARS_MAX = 200;

  private final Mail empty;
  private final String subject;

  private NoticeMail(Mail empty, String subject) {
    this.empty = empty;
    this.subject = subject;
  }

  /**
   * Creates it.
   *
   * @param path the properties of the publisher's broker
   * @param to the recipients, one or more
   * @throws io.outledger.ConfigurationException {@code OUT-021} if one of them is no address, or
   *     the subject has another placeholder
   */
  static NoticeMail of(String path, List<String> to, String subject) {
    for (String name : PLACEHOLDER.matcher(subject).results().map(each -> each.group(1)).toList()) {
      if (!NAMES.contains(name)) {
        throw BrokerSources.invalid(
            path
                + ".subject has the placeholder {"
                + name
                + "}; there are {type}, {topic} and {key}");
      }
    }
    try {
      Mail mail = new Mail(addresses(to), List.of(), List.of(), null, subject, "", null);
      return new NoticeMail(mail, subject);
    } catch (InvalidMessageException e) {
      throw BrokerSources.invalid(path + " cannot be used: " + e.getMessage());
    }
  }

  private static List<MailAddress> addresses(List<String> to) {
    List<MailAddress> all = new ArrayList<>();
    to.forEach(each -> all.add(MailAddress.of(each)));
    return all;
  }

  @Override
  public Mail map(Message message) {
    String filled =
        PLACEHOLDER
            .matcher(subject)
            .replaceAll(each -> Matcher.quoteReplacement(value(message, each)))
            .strip();
    return empty
        .subject(filled.substring(0, Math.min(SUBJECT_CHARS_MAX, filled.length())))
        .text(new String(message.payload(), UTF_8));
  }

  /** A key is whatever a user has typed: it must not break a header. */
  private static String value(Message message, MatchResult placeholder) {
    return switch (placeholder.group(1)) {
      case "type" -> Printable.value(message.type());
      case "topic" -> Printable.value(message.topic());
      default -> Printable.value(Objects.requireNonNullElse(message.key(), ""));
    };
  }
}
