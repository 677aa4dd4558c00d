// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.outledger.InvalidMessageException;
import io.outledger.Message;
import jakarta.mail.Message.RecipientType;
import jakarta.mail.internet.MimeMultipart;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MailTest {

  private static final Message MESSAGE = Message.to("mails", "order.placed").build();
  private static final MailAddress SHOP = new MailAddress("shop@example.org", "Café “Zur Post”");

  private static String sent(OutgoingMail mail) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    mail.writeTo(out, null);
    assertThat((long) out.size()).isEqualTo(mail.size());
    return out.toString(java.nio.charset.StandardCharsets.US_ASCII);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "ada",
        "ada@",
        "@example.org",
        "ada@example.org, bob@example.org",
        "ada@example.org\r\nBcc: bob@example.org",
        "ada@example.org\nRCPT TO:<bob@example.org>",
        "ada@example.org>",
        "<ada@example.org>",
        "ada b@example.org",
        "\"ada\"@example.org",
        "ada@exämple.org",
        "ada@example.org\u0000"
      })
  void whatIsNoAddressIsRefused(String address) {
    assertThatThrownBy(() -> MailAddress.of(address))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("is not a mail address")
        .hasMessageNotContaining("\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a\r\nBcc: bob@example.org", "a\nb", "a\rb", "a\u0000", "a\u2028b", "a\u0085b"})
  void lineBreakGetsIntoNoHeader(String text) {
    Mail mail = Mail.to("ada@example.org");
    assertThatThrownBy(() -> mail.subject(text)).isInstanceOf(InvalidMessageException.class);
    assertThatThrownBy(() -> new MailAddress("ada@example.org", text))
        .isInstanceOf(InvalidMessageException.class);
  }

  @Test
  void mailSaysWhoseMessageItIs() throws Exception {
    Mail mail = Mail.to("ada@example.org").subject("Grüße 🔑").text("Hallo\n.\nEnde");
    String sent = sent(new OutgoingMail(SHOP, MESSAGE, mail));
    assertThat(sent)
        .contains("Message-ID: <" + MESSAGE.id() + "@example.org>")
        .contains("Auto-Submitted: auto-generated")
        .contains("To: ada@example.org")
        .contains("Subject: =?UTF-8?");
    assertThat(new OutgoingMail(SHOP, MESSAGE, mail).getSubject()).isEqualTo("Grüße 🔑");
    assertThat(new OutgoingMail(SHOP, MESSAGE, mail).getFrom()[0].toString())
        .contains("shop@example.org");
  }

  @Test
  void anotherAttemptSendsTheSameBytes() throws Exception {
    Mail mail = Mail.to("ada@example.org").subject("a").text("b");
    assertThat(sent(new OutgoingMail(SHOP, MESSAGE, mail)))
        .isEqualTo(sent(new OutgoingMail(SHOP, MESSAGE, mail)));
  }

  @Test
  void blindCopyIsInNoHeader() throws Exception {
    Mail mail =
        Mail.to("ada@example.org")
            .andTo(MailAddress.of("eve@example.org"))
            .cc(MailAddress.of("bob@example.org"))
            .bcc(MailAddress.of("secret@example.org"))
            .replyTo(MailAddress.of("help@example.org"));
    OutgoingMail outgoing = new OutgoingMail(SHOP, MESSAGE, mail);
    assertThat(outgoing.everyone()).extracting(Object::toString).contains("secret@example.org");
    assertThat(outgoing.everyone()).hasSize(4);
    assertThat(sent(outgoing)).doesNotContain("secret").contains("Reply-To: help@example.org");
    assertThat(outgoing.getRecipients(RecipientType.TO)).hasSize(2);
  }

  @Test
  void htmlComesBesideTheText() throws Exception {
    Mail mail = Mail.to("ada@example.org").text("hello").html("<b>hello</b>");
    OutgoingMail outgoing = new OutgoingMail(SHOP, MESSAGE, mail);
    MimeMultipart parts = (MimeMultipart) outgoing.getContent();
    assertThat(parts.getContentType()).startsWith("multipart/alternative");
    assertThat(parts.getBodyPart(0).getContent()).isEqualTo("hello");
    assertThat(parts.getBodyPart(1).getContentType()).startsWith("text/html");
  }

  @Test
  void mailHasRecipientsAndNotTooMany() {
    Mail mail = Mail.to("ada@example.org");
    for (int i = 1; i < 100; i++) {
      mail = mail.bcc(MailAddress.of("reader" + i + "@example.org"));
    }
    Mail full = mail;
    assertThat(full.toString()).isEqualTo("Mail[to 100]");
    assertThatThrownBy(() -> full.cc(MailAddress.of("more@example.org")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("101 recipients");
  }
}
