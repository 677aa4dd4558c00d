// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import io.outledger.InvalidMessageException;
import io.outledger.mail.MailAddress;
import io.outledger.mail.MailMapper;
import io.outledger.mail.MailPublisher;
import io.outledger.mail.MailServer;
import io.outledger.publish.Publisher;
import java.util.Map;
import java.util.Objects;

/** Mails, by {@code spring.mail.*}, properties of Outledger and a bean that writes them. */
final class MailSetup implements Broker {

  private static final int PORT = 25;
  private static final int TLS_PORT = 465;
  private static final String NOTHING_WRITES_MAILS =
      ".to is missing, and there is no bean of type MailMapper: set to, for mails with the payload"
          + " as their text, or declare @Bean MailMapper mails() { return message ->"
          + " Mail.to(addressOf(message.key())).subject(\"Your order\").text(\"Thank you\"); }";

  private final BrokerSources sources;

  MailSetup(BrokerSources sources) {
    this.sources = sources;
  }

  @Override
  public Publisher publisher(PublisherProperties properties, String path) {
    PublisherProperties.Mail own = Objects.requireNonNull(properties.mail());
    String from = Required.text(path, "from", own.from());
    return MailPublisher.through(server(), address(path, from, own.fromName()), mapper(path, own))
        .threads(own.threads());
  }

  private MailMapper mapper(String path, PublisherProperties.Mail own) {
    if (own.to().isEmpty()) {
      if (own.mapper() == null && !sources.has(MailMapper.class)) {
        throw BrokerSources.invalid(path + NOTHING_WRITES_MAILS);
      }
      return sources.bean(MailMapper.class, path + ".mapper", own.mapper());
    }
    if (own.mapper() != null) {
      throw BrokerSources.invalid(path + " has both to and mapper: leave one");
    }
    return NoticeMail.of(path, own.to(), own.subject());
  }

  private static MailAddress address(String path, String from, String name) {
    try {
      return new MailAddress(from, name);
    } catch (InvalidMessageException e) {
      throw BrokerSources.invalid(path + ".from cannot be used: " + e.getMessage());
    }
  }

  private MailServer server() {
    SpringProperties spring = sources.properties("mail", "spring.mail");
    String host = Required.text("spring.mail", "host", spring.text("host").orElse(null));
    String protocol = spring.text("protocol").orElse("smtp");
    Map<String, String> session = spring.map("properties");
    boolean isTls =
        spring
            .value("ssl.enabled", Boolean.class)
            .orElse(protocol.equals("smtps") || spring.text("ssl.bundle").isPresent());
    isTls |= isOn(session, "mail." + protocol + ".ssl.enable");
    boolean isStartTls =
        isOn(session, "mail." + protocol + ".starttls.enable")
            || isOn(session, "mail." + protocol + ".starttls.required");
    int port = spring.value("port", Integer.class).orElse(isTls ? TLS_PORT : PORT);
    MailServer server = server(host, port, isTls, isStartTls);
    if (spring.text("username").isPresent()) {
      server =
          server.login(spring.text("username").orElseThrow(), spring.text("password").orElse(""));
    }
    return spring.text("ssl.bundle").isEmpty()
        ? server
        : server.sslContext(
            sources
                .bundle(spring.name("ssl.bundle"), spring.text("ssl.bundle").orElseThrow())
                .createSslContext());
  }

  private static MailServer server(String host, int port, boolean isTls, boolean isStartTls) {
    if (isTls) {
      return MailServer.tls(host, port);
    }
    return isStartTls ? MailServer.startTls(host, port) : MailServer.unencrypted(host, port);
  }

  private static boolean isOn(Map<String, String> session, String name) {
    return Boolean.parseBoolean(session.get(name));
  }
}
