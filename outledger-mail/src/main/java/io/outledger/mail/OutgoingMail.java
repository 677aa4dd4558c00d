// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.outledger.Message;
import jakarta.mail.Address;
import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.internet.InternetAddress;
import jakarta.mail.internet.MimeBodyPart;
import jakarta.mail.internet.MimeMessage;
import jakarta.mail.internet.MimeMultipart;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UnsupportedEncodingException;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * A mail as it is sent. It knows whether a server was already given any of it. Used by one thread.
 */
final class OutgoingMail extends MimeMessage {

  private final String messageId;
  private final List<Address> recipients = new ArrayList<>();
  private final long size;
  private boolean isBegun;

  OutgoingMail(MailAddress from, Message message, Mail mail)
      throws MessagingException, IOException {
    super(Session.getInstance(new Properties()));
    messageId = "<" + message.id() + "@" + from.domain() + ">";
    setFrom(address(from));
    setRecipients(RecipientType.TO, addresses(mail.to()));
    setRecipients(RecipientType.CC, addresses(mail.cc()));
    addresses(mail.bcc()); // recipients, but in no header
    MailAddress replyTo = mail.replyTo();
    if (replyTo != null) {
      setReplyTo(new Address[] {address(replyTo)});
    }
    setSubject(mail.subject(), UTF_8.name());
    setSentDate(Date.from(message.time()));
    setHeader("Auto-Submitted", "auto-generated"); // RFC 3834: nobody's absence is an answer to it
    setBody(mail.text(), mail.html());
    saveChanges();
    size = measured();
  }

  /** Returns everyone who gets it. */
  Address[] everyone() {
    return recipients.toArray(new Address[0]);
  }

  /** Returns its bytes as it is sent. */
  long size() {
    return size;
  }

  /** Returns whether a server was given any of it, so that it may have the whole. */
  boolean isBegun() {
    return isBegun;
  }

  @Override
  public void writeTo(OutputStream out, String @Nullable [] ignored)
      throws IOException, MessagingException {
    isBegun = true;
    super.writeTo(out, ignored);
  }

  @Override
  protected void updateMessageID() throws MessagingException {
    setHeader("Message-ID", messageId);
  }

  private long measured() throws MessagingException, IOException {
    long[] bytes = {0};
    super.writeTo(
        new OutputStream() {
          @Override
          public void write(int b) {
            bytes[0]++;
          }

          @Override
          public void write(byte[] b, int from, int length) {
            bytes[0] += length;
          }
        },
        null);
    return bytes[0];
  }

  private void setBody(String text, @Nullable String html) throws MessagingException {
    if (html == null) {
      setText(text, UTF_8.name());
      return;
    }
    MimeBodyPart plain = new MimeBodyPart();
    plain.setText(text, UTF_8.name());
    MimeBodyPart rich = new MimeBodyPart();
    rich.setText(html, UTF_8.name(), "html");
    setContent(new MimeMultipart("alternative", plain, rich)); // the best comes last
  }

  private Address[] addresses(List<MailAddress> some) {
    List<Address> all = new ArrayList<>();
    for (MailAddress one : some) {
      all.add(address(one));
    }
    recipients.addAll(all);
    return all.toArray(new Address[0]);
  }

  private static InternetAddress address(MailAddress given) {
    InternetAddress address = new InternetAddress();
    address.setAddress(given.address());
    try {
      if (!given.name().isEmpty()) {
        address.setPersonal(given.name(), UTF_8.name());
      }
    } catch (UnsupportedEncodingException e) {
      throw new IllegalStateException("every JVM has UTF-8", e);
    }
    return address;
  }
}
