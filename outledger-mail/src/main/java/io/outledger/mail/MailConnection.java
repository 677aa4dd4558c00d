// SPDX-License-Identifier: Apache-2.0
package io.outledger.mail;

import jakarta.mail.MessagingException;
import jakarta.mail.Session;
import jakarta.mail.URLName;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Properties;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.eclipse.angus.mail.smtp.SMTPTransport;

/**
 * One connection to a server, used by one thread at a time. Any thread may {@linkplain #cut} it:
 * the library's own methods would wait for the answer that does not come.
 */
final class MailConnection {

  private final MailServer server;
  private final SMTPTransport transport;
  private final Socket line = new Socket();
  private long usedAt;

  MailConnection(MailServer server) {
    this.server = server;
    MailServer.Login login = server.login();
    String user = login == null ? null : login.user();
    String password = login == null ? null : login.password();
    this.transport =
        new SMTPTransport(
            Session.getInstance(properties(server)),
            new URLName("smtp", server.host(), server.port(), null, user, password));
  }

  /**
   * Connects and logs in.
   *
   * @param timeoutMillis the longest wait for one answer
   * @throws IOException if there is no connection
   * @throws MessagingException if the server does not greet, encrypt or let the user in
   */
  void open(int timeoutMillis) throws IOException, MessagingException {
    line.setSoTimeout(timeoutMillis);
    line.setTcpNoDelay(true);
    line.connect(new InetSocketAddress(server.host(), server.port()), timeoutMillis);
    transport.connect(server.security() == MailServer.Security.TLS ? encrypted() : line);
  }

  /**
   * Returns the most bytes of a mail that the server takes, as it said when it was connected to;
   * {@link Long#MAX_VALUE} where it said nothing.
   */
  long bytesMax() {
    String size = transport.getExtensionParameter("SIZE");
    boolean isLimit = size != null && size.matches("[1-9][0-9]{0,17}");
    return isLimit ? Long.parseLong(size) : Long.MAX_VALUE;
  }

  void send(OutgoingMail mail, int timeoutMillis) throws IOException, MessagingException {
    line.setSoTimeout(timeoutMillis);
    transport.sendMessage(mail, mail.everyone());
  }

  /** Ends it at once, also where another thread is waiting for an answer. Thread-safe. */
  void cut() {
    try {
      line.close();
    } catch (IOException e) {
      usedAt = 0; // nothing more can be done about a socket that does not close
    }
  }

  long usedAt() {
    return usedAt;
  }

  void usedAt(long nanoTime) {
    usedAt = nanoTime;
  }

  private Socket encrypted() throws IOException {
    SSLSocket tls =
        (SSLSocket)
            server
                .context()
                .getSocketFactory()
                .createSocket(line, server.host(), server.port(), true);
    SSLParameters parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS"); // the name in the certificate
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return tls;
  }

  private static Properties properties(MailServer server) {
    Properties properties = new Properties();
    properties.put("mail.smtp.auth", String.valueOf(server.login() != null));
    properties.put("mail.smtp.quitwait", "false");
    if (server.security() == MailServer.Security.STARTTLS) {
      properties.put("mail.smtp.starttls.enable", "true");
      properties.put("mail.smtp.starttls.required", "true");
      properties.put("mail.smtp.ssl.checkserveridentity", "true");
      properties.put("mail.smtp.ssl.socketFactory", server.context().getSocketFactory());
    }
    return properties;
  }
}
