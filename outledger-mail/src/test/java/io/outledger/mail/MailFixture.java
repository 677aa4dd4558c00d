// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.icegreen.greenmail.store.FolderException;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.outledger.Message;
import io.outledger.contracts.PublisherFixture;
import io.outledger.inbox.Received;
import io.outledger.publish.Publisher;
import io.outledger.servers.Await;
import io.outledger.servers.CapturedLog;
import io.outledger.servers.TcpProxy;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** A mail server whose mailboxes can be read, behind a line that can be taken away. */
final class MailFixture implements PublisherFixture {

  private static final String NOBODY = "nobody@example.org";

  private final GreenMail server = new GreenMail(ServerSetup.SMTP.dynamicPort());
  private final TcpProxy line;
  private final MailPublisher publisher;

  MailFixture() {
    server.start();
    server
        .getUserManager()
        .setMessageDeliveryHandler(
            (message, recipient) -> {
              if (recipient.getEmail().equals(NOBODY)) {
                throw new IllegalStateException("nobody is no user");
              }
              return server.setUser("orders@example.org", "secret");
            });
    line = TcpProxy.before(server.getSmtp().getPort());
    publisher =
        MailPublisher.through(
            MailServer.unencrypted("127.0.0.1", line.port()),
            MailAddress.of("shop@example.org"),
            MailFixture::mail);
  }

  /** Everything is in the text, so that it can be found again. */
  private static Mail mail(Message message) {
    StringBuilder text = new StringBuilder();
    append(text, "type", message.type().getBytes(UTF_8));
    append(text, "version", String.valueOf(message.version()).getBytes(UTF_8));
    append(text, "time", message.time().toString().getBytes(UTF_8));
    append(text, "payload", message.payload());
    String key = message.key();
    if (key != null) {
      append(text, "key", key.getBytes(UTF_8));
    }
    message.headers().forEach((name, value) -> append(text, "h-" + name, value.getBytes(UTF_8)));
    boolean isFine = !"unacceptable".equals(message.type());
    return Mail.to(isFine ? "orders@example.org" : NOBODY).subject("news").text(text.toString());
  }

  private static void append(StringBuilder text, String name, byte[] value) {
    text.append(name).append('=');
    text.append(Base64.getEncoder().encodeToString(value)).append('\n');
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public String topic() {
    return "mails";
  }

  @Override
  public List<Received> awaitArrivals(Collection<UUID> ids) {
    List<String> awaited = ids.stream().map(UUID::toString).toList();
    Await.until(
        "mails arrive",
        Duration.ofSeconds(30),
        () -> arrivals().stream().map(Received::id).toList().containsAll(awaited));
    return arrivals();
  }

  private List<Received> arrivals() {
    List<Received> arrivals = new ArrayList<>();
    try {
      for (MimeMessage mail : server.getReceivedMessages()) {
        arrivals.add(received(mail));
      }
    } catch (MessagingException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return arrivals;
  }

  private static Received received(MimeMessage mail) throws MessagingException, IOException {
    Map<String, byte[]> parts = new TreeMap<>();
    for (String row : ((String) mail.getContent()).lines().toList()) {
      String[] sides = row.split("=", 2);
      parts.put(sides[0], Base64.getDecoder().decode(sides[1]));
    }
    Map<String, String> headers = new TreeMap<>();
    parts.forEach(
        (name, value) -> {
          if (name.startsWith("h-")) {
            headers.put(name.substring(2), new String(value, UTF_8));
          }
        });
    byte[] key = parts.get("key");
    return new Received(
        "/mails",
        mail.getMessageID().replaceAll("<(.*)@example.org>", "$1"),
        "mails",
        key == null ? null : new String(key, UTF_8),
        text(parts, "type"),
        Integer.parseInt(text(parts, "version")),
        parts.getOrDefault("payload", new byte[0]),
        headers,
        Instant.parse(text(parts, "time")),
        "",
        "");
  }

  private static String text(Map<String, byte[]> parts, String name) {
    return new String(parts.getOrDefault(name, new byte[0]), UTF_8);
  }

  @Override
  public void takeAway() {
    line.refuse();
  }

  @Override
  public void loseAnswers() {
    line.swallowReplies();
  }

  /** As it stands in a mail, but for its end, which may be escaped. */
  @Override
  public void cutAt(String text) {
    line.cutAt(Base64.getEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8)));
  }

  @Override
  public void bringBack() {
    line.pass();
  }

  /**
   * GreenMail lives in this process and keeps its mails in memory, so it is not killed: all
   * connections to it break.
   */
  @Override
  public void crash() {
    line.cut();
  }

  @Override
  public List<String> logOf(Runnable work) {
    return CapturedLog.during(work);
  }

  @Override
  public Message unacceptable(String key) {
    return Message.to(topic(), "unacceptable").key(key).build();
  }

  @Override
  public void close() throws FolderException {
    line.close();
    server.purgeEmailFromAllMailboxes();
    server.stop();
  }
}
